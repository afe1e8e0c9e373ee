//! Scenario files on disk: read whole or not at all, and replaced in one move.
//!
//! Nothing here draws, asks a person anything, or knows what a scenario means.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::document::Snapshot;
use crate::cli::{parallel, said};
use crate::engine;
use crate::scenario::calendar::Date;
use crate::scenario::{Problem, Scenario, Syntax, decode, read, write};

/// A file as this program last read or wrote it.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    pub path: PathBuf,
    bytes: Vec<u8>,
}

/// Why a file did not become a scenario: sentences for the person who opened it.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    pub title: String,
    pub findings: Vec<String>,
}

/// Reads a scenario file completely: text, rules and a checked evaluation.
pub fn open(path: &Path, today: Option<Date>) -> Result<(Snapshot, Stored), Refusal> {
    let refuse = |findings| Refusal { title: format!("{} was not opened.", name(path)), findings };
    let syntax = Syntax::of_path(path).map_err(|problem| refuse(vec![problem.to_string()]))?;
    let length = fs::metadata(path).map_err(|error| refuse(vec![said(&error)]))?.len();
    if length > crate::scenario::read::LARGEST_TEXT as u64 {
        return Err(refuse(vec!["The file is larger than any scenario: 32 MB is the most that is read.".to_owned()]));
    }
    let bytes = fs::read(path).map_err(|error| refuse(vec![said(&error)]))?;
    let text = decode(&bytes).map_err(|problem| refuse(vec![problem.to_string()]))?;
    let snapshot = parse(text, syntax, today).map_err(refuse)?;
    Ok((snapshot, Stored { path: path.to_path_buf(), bytes }))
}

/// A scenario from its text, with its figures; or everything that is wrong with it.
pub fn parse(text: &str, syntax: Syntax, today: Option<Date>) -> Result<Snapshot, Vec<String>> {
    match engine::open(text, syntax) {
        Ok(opened) => Ok(Snapshot::new(opened.scenario, opened.evaluation, today)),
        Err(problems) => Err(problems.iter().filter(|problem| problem.is_error()).map(ToString::to_string).collect()),
    }
}

/// A scenario with its figures, or a sentence about what could not be computed.
pub fn evaluated(scenario: Scenario, today: Option<Date>) -> Result<Snapshot, String> {
    let evaluation = parallel::evaluate(&scenario).map_err(|failure| Problem::from(failure).to_string())?;
    Ok(Snapshot::new(scenario, evaluation, today))
}

/// Writes a scenario in one move: a reader sees the old file or the new one, and a fault leaves the old one.
pub fn save(scenario: &Scenario, path: &Path) -> Result<Stored, String> {
    let syntax = syntax(path);
    let text = write(scenario, syntax);
    // What cannot be read back must never replace what could.
    match read(&text, syntax) {
        Ok((again, _)) if again == *scenario => {}
        _ => return Err("The text of the scenario does not read back as the scenario; nothing was written.".to_owned()),
    }
    replace(path, text.as_bytes()).map_err(|error| said(&error))?;
    Ok(Stored { path: path.to_path_buf(), bytes: text.into_bytes() })
}

/// Writes bytes in one move.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a link the file that it names is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".outlay-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if fs::read(file.path())? != bytes {
        return Err(io::Error::other("what was written does not read back; the disk may be failing"));
    }
    keep_permissions(&target, file.path())?;
    persist(file, &target)
}

/// A new file is readable as any other; a replaced one keeps what it had. (A temporary file starts private.)
fn keep_permissions(target: &Path, file: &Path) -> io::Result<()> {
    match fs::metadata(target) {
        Ok(old) => fs::set_permissions(file, old.permissions()),
        #[cfg(unix)]
        Err(_) => {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(file, fs::Permissions::from_mode(0o644))
        }
        #[cfg(not(unix))]
        Err(_) => Ok(()),
    }
}

/// A scanner or a synchroniser may hold the old file for a moment; a few short waits outlast it.
fn persist(mut file: tempfile::NamedTempFile, target: &Path) -> io::Result<()> {
    for _ in 0..8 {
        match file.persist(target) {
            Ok(_) => return Ok(()),
            Err(error) if held(&error.error) => {
                file = error.file;
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            Err(error) => return Err(error.error),
        }
    }
    Err(io::Error::other("another program keeps the file open; save under another name, or try again"))
}

fn held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// What has become of a file since it was last read or written here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDisk {
    AsItWas,
    Changed,
    Missing,
}

impl Stored {
    /// A file of which it is known what it held when it was read.
    pub fn known(path: PathBuf, text: String) -> Self {
        Self { path, bytes: text.into_bytes() }
    }

    /// What the file held when it was last read or written here.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn on_disk(&self) -> OnDisk {
        match fs::read(&self.path) {
            Ok(bytes) if bytes == self.bytes => OnDisk::AsItWas,
            Ok(_) => OnDisk::Changed,
            Err(_) => OnDisk::Missing,
        }
    }
}

/// The extensions of scenario files; a name without one gets the first.
pub const SCENARIOS: &[&str] = &["ron", "outlay", "json"];

/// The path that a person meant: `~` is their home, and a name without one of the extensions gets the first.
pub fn meant(typed: &str, folder: &Path, extensions: &[&str], saving: bool) -> PathBuf {
    let typed = typed.trim().trim_matches('"');
    let home = || std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    let path = match typed.strip_prefix("~/").zip(home()) {
        Some((rest, home)) => home.join(rest),
        None => folder.join(typed),
    };
    let with_extension = || {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}", extensions.first().unwrap_or(&"ron")));
        path.with_file_name(name)
    };
    let known = is_one_of(&path, extensions);
    if !known && (saving || (!path.exists() && with_extension().exists())) { with_extension() } else { path.clone() }
}

/// The ending of a name that asks for a kind of file which is none of these: letters and digits after the last point, a letter
/// first, so that `plan v1.2` has none.
pub fn unknown_ending(typed: &str, extensions: &[&str]) -> Option<String> {
    const LONGEST: usize = 5;
    let path = Path::new(typed.trim().trim_matches('"'));
    let ending = path.extension()?.to_str()?;
    let is_ending = ending.len() <= LONGEST
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
        && ending.chars().all(|of| of.is_ascii_alphanumeric());
    (is_ending && !is_one_of(path, extensions) && !path.is_dir()).then(|| ending.to_owned())
}

fn is_one_of(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// The files of these kinds and the folders in a folder, folders first.
pub fn listing(folder: &Path, extensions: &[&str]) -> Vec<(String, bool)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(String, bool)> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let (name, is_folder) = (entry.file_name().into_string().ok()?, entry.path().is_dir());
            let ours = is_one_of(Path::new(&name), extensions);
            (!name.starts_with('.') && (is_folder || ours)).then_some((name, is_folder))
        })
        .take(2000)
        .collect();
    found.sort_by_key(|(name, is_folder)| (!is_folder, name.to_lowercase()));
    found
}

fn syntax(path: &Path) -> Syntax {
    path.extension().and_then(|e| e.to_str()).and_then(Syntax::of_extension).unwrap_or(Syntax::Ron)
}

pub fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
