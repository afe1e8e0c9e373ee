//! Work that no file has: kept in a folder of its own while it is unsaved, and found again after a crash.
//!
//! Each window keeps one file beside a lock that it holds as long as it lives, so that windows never touch each other's
//! work, and what nobody holds was left by a window that is gone. Writing goes on beside the window. Nothing here draws,
//! or decides what is recovered.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Moment;
use super::document::{Document, Snapshot};
use super::files;
use crate::cli::said;
use crate::scenario::diff::differences;
use crate::scenario::{Syntax, write};

/// Seconds between a first change and its being kept, and between one time of keeping and the next. Together with the
/// writing they stay below the twenty seconds that a crash may cost.
const FIRST: f64 = 4.0;
const BETWEEN: f64 = 12.0;
/// A lock without work is left alone so long: its window may just be starting.
const STALE: Duration = Duration::from_secs(3600);

/// How long ago work was kept, and after how many seconds that has to be told otherwise. It is told in steps, so that a
/// window in which nothing happens is hardly ever drawn again, and at last not at all.
pub fn told(age: f64) -> (String, Option<f64>) {
    let (step, unit) = if age < 60.0 { (10.0, "s") } else { (60.0, "min") };
    let steps = (age / step).floor();
    let text = match (unit, steps) {
        ("s", 0.0) => "Autosaved just now".to_owned(),
        ("s", steps) => format!("Autosaved {} s ago", steps * 10.0),
        (_, steps) if steps < 10.0 => format!("Autosaved {steps} min ago"),
        _ => "Autosaved over 10 min ago".to_owned(),
    };
    let again = (age < 600.0).then_some((steps + 1.0) * step - age);
    (text, again)
}

/// Unsaved work, with everything needed to go on with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The file that the work belongs to.
    pub path: Option<PathBuf>,
    pub title: String,
    /// Seconds since 1970.
    kept: i64,
    /// What differs from the file.
    pub changes: usize,
    /// The scenario as it was last saved or opened: the text of the file.
    pub base: String,
    /// The scenario as it stood, in the same form as a file of its own.
    pub scenario: String,
}

impl Kept {
    pub fn when(&self) -> Moment {
        Moment::from_seconds(self.kept)
    }

    /// In which form the text of the base is.
    pub fn base_syntax(&self) -> Syntax {
        self.path.as_deref().and_then(|path| Syntax::of_path(path).ok()).unwrap_or(Syntax::Ron)
    }
}

/// Unsaved work of a window that is gone. The lock keeps other windows from it.
pub struct Found {
    pub kept: Kept,
    file: PathBuf,
    lock_file: PathBuf,
    lock: File,
}

/// Keeps the unsaved work of this window.
pub struct Keeper {
    folder: PathBuf,
    file: PathBuf,
    lock_file: PathBuf,
    /// Held as long as the window lives.
    _lock: File,
    /// The scenario that was last kept or is being kept.
    kept: Option<Arc<Snapshot>>,
    /// When the last writing began, and when the first change since was seen, in the time of the window.
    written: Option<f64>,
    changed: Option<f64>,
    /// Whether the file holds work that was found, and not yet the document.
    adopted: bool,
    writing: Option<JoinHandle<Result<(), String>>>,
    /// Why the last writing failed.
    failure: Option<String>,
}

impl Keeper {
    /// Begins to keep work in this folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let since = Moment::now().seconds();
        // A process may open several windows, one after the other or, in a test, at once.
        let (lock_file, lock) = (0..1000)
            .find_map(|n| {
                let path = folder.join(format!("{since}-{}-{n}.lock", std::process::id()));
                let made = File::options().write(true).create_new(true).open(&path);
                made.ok().map(|lock| (path, lock))
            })
            .ok_or_else(|| io::Error::other("no lock can be made"))?;
        // Where locks do not exist the work is kept all the same.
        let _ = lock.try_lock();
        let file = lock_file.with_extension("json");
        Ok(Self {
            folder: folder.to_path_buf(),
            file,
            lock_file,
            _lock: lock,
            kept: None,
            written: None,
            changed: None,
            adopted: false,
            writing: None,
            failure: None,
        })
    }

    /// Keeps the document where it has unsaved changes and it is time; forgets what was kept where it has none. Returns
    /// after how many seconds to look again.
    pub fn tend(&mut self, document: &Document, now: f64, done: impl FnOnce() + Send + 'static) -> Option<f64> {
        self.take_result(false);
        if !document.unsaved() {
            self.forget();
            return None;
        }
        if self.kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, document.base())) {
            return None;
        }
        let changed = *self.changed.get_or_insert(now);
        let due = self.written.map_or(changed + FIRST, |written| (written + BETWEEN).max(changed + 1.0));
        if now < due {
            return Some(due - now);
        }
        if self.writing.is_some() {
            // It wakes the window when it is done.
            return None;
        }
        self.write(document, now, done);
        None
    }

    fn write(&mut self, document: &Document, now: f64, done: impl FnOnce() + Send + 'static) {
        let (saved, unsaved) = (Arc::clone(document.saved()), Arc::clone(document.base()));
        let (path, title) = (document.path().map(absolute), document.title());
        let base = document.file().map(files::Stored::text);
        let file = self.file.clone();
        self.writing = Some(std::thread::spawn(move || {
            let kept = kept(path, title, base, &saved, &unsaved);
            let text = serde_json::to_string(&kept).map_err(|error| error.to_string());
            let result = text.and_then(|text| files::replace(&file, text.as_bytes()).map_err(|error| said(&error)));
            done();
            result
        }));
        self.kept = Some(Arc::clone(document.base()));
        (self.written, self.changed) = (Some(now), None);
    }

    /// Takes what the writing came to, where it has ended or is waited for.
    fn take_result(&mut self, wait: bool) {
        let ended = |writing: &JoinHandle<_>| wait || writing.is_finished();
        if let Some(writing) = self.writing.take_if(|writing| ended(writing)) {
            let result = writing.join().unwrap_or_else(|_| Err("The work could not be written.".to_owned()));
            self.failure = result.err();
        }
    }

    /// Seconds since the work was last kept, where it is.
    pub fn age(&self, now: f64) -> Option<f64> {
        let is_there = self.writing.is_none() && self.failure.is_none();
        self.written.filter(|_| is_there).map(|written| now - written)
    }

    /// Why the work is not kept.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Forgets what was kept: the work is in a file, or was given up.
    pub fn forget(&mut self) {
        let nothing = self.kept.is_none() && self.changed.is_none() && !self.adopted;
        if nothing {
            return;
        }
        self.take_result(true);
        let _ = fs::remove_file(&self.file);
        (self.kept, self.written, self.changed, self.failure) = (None, None, None, None);
        self.adopted = false;
    }

    /// Whether there is work that is not of this window.
    pub fn has_others(&self) -> bool {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let mut works = entries.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        works.any(|path| path != self.file)
    }

    /// The work of windows that are gone, the newest first.
    pub fn found(&self) -> Vec<Found> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        let (works, locks): (Vec<PathBuf>, Vec<PathBuf>) = paths
            .filter(|path| path.file_stem() != self.file.file_stem())
            .filter(|path| path.extension().is_some_and(|of| of == "json" || of == "lock"))
            .partition(|path| path.extension().is_some_and(|of| of == "json"));
        locks.iter().filter(|lock| !lock.with_extension("json").exists()).for_each(|lock| sweep(lock));
        let mut found: Vec<Found> = works.into_iter().filter_map(left).collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.kept.kept));
        found
    }

    /// Makes what was found the work of this window, so that it is in no moment in no file.
    pub fn adopt(&mut self, found: &Found) {
        self.forget();
        if fs::rename(&found.file, &self.file).is_ok() {
            self.adopted = true;
            let _ = fs::remove_file(&found.lock_file);
        }
    }
}

impl Drop for Keeper {
    /// The window closes in order: what it gave up is gone already. Work that is still there was not given up.
    fn drop(&mut self) {
        self.take_result(true);
        if !self.file.exists() {
            let _ = fs::remove_file(&self.lock_file);
        }
    }
}

impl Found {
    /// Throws the work away.
    pub fn discard(self) {
        let Self { file, lock_file, lock, .. } = self;
        let _ = fs::remove_file(file);
        let _ = fs::remove_file(lock_file);
        drop(lock);
    }
}

fn kept(path: Option<PathBuf>, title: String, base: Option<String>, saved: &Snapshot, unsaved: &Snapshot) -> Kept {
    Kept {
        path,
        title,
        kept: Moment::now().seconds(),
        changes: differences(&saved.scenario, &unsaved.scenario).len(),
        base: base.unwrap_or_else(|| write(&saved.scenario, Syntax::Ron)),
        scenario: write(&unsaved.scenario, Syntax::Ron),
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The work in a file that no window holds.
fn left(file: PathBuf) -> Option<Found> {
    let lock_file = file.with_extension("lock");
    let lock = File::options().write(true).create(true).truncate(false).open(&lock_file).ok()?;
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        return None;
    }
    let kept = serde_json::from_slice(&fs::read(&file).ok()?).ok()?;
    Some(Found { kept, file, lock_file, lock })
}

/// Removes a lock that nobody holds any more and that never had work beside it.
fn sweep(path: &Path) {
    let age = fs::metadata(path).and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
    if age.is_none_or(|age| age < STALE) {
        return;
    }
    let free = File::options().write(true).open(path).is_ok_and(|lock| lock.try_lock().is_ok());
    if free {
        let _ = fs::remove_file(path);
    }
}
