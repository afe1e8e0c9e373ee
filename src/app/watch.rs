//! Whether the open file has been changed by someone else, looked at whenever a person comes back to the window.
//!
//! The file is read beside the window: a share may take its time. What is done about a change is not decided here.

use std::sync::mpsc::{Receiver, channel};

use super::files::{OnDisk, Stored};

/// What is known of the file behind the document.
#[derive(Default)]
pub struct Watch {
    /// Whether the window had the keyboard in the last frame. It begins with it.
    away: bool,
    looking: Option<Receiver<Seen>>,
    changed: Option<Seen>,
    /// A change that the person has seen and does not want.
    kept_mine: Option<Seen>,
}

/// What the file was when it was looked at.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    file: Stored,
    /// The file as it is; none where it is as it was, or not there.
    now: Option<Vec<u8>>,
}

impl Watch {
    /// Looks at the file when the window is returned to, and takes what was seen. `wake` is called when there is something.
    pub fn step(&mut self, focused: bool, file: Option<&Stored>, wake: impl FnOnce() + Send + 'static) {
        let returned = focused && self.away;
        self.away = !focused;
        if let Some(seen) = self.looking.as_ref().and_then(|looking| looking.try_recv().ok()) {
            self.looking = None;
            let is_new = seen.now.is_some() && self.kept_mine.as_ref() != Some(&seen);
            self.changed = is_new.then_some(seen);
        }
        // A file that was read or written here since is not the one that was looked at.
        self.changed.take_if(|seen| Some(&seen.file) != file);
        if let Some(file) = file.filter(|_| returned && self.looking.is_none()) {
            self.look(file.clone(), wake);
        }
    }

    fn look(&mut self, file: Stored, wake: impl FnOnce() + Send + 'static) {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let now = match file.on_disk() {
                OnDisk::Changed => std::fs::read(&file.path).ok(),
                OnDisk::AsItWas | OnDisk::Missing => None,
            };
            // The window may have closed meanwhile.
            let _ = sender.send(Seen { file, now });
            wake();
        });
        self.looking = Some(receiver);
    }

    /// Whether the file was changed since it was read or written here, and that is to be said.
    pub fn is_changed(&self) -> bool {
        self.changed.is_some()
    }

    /// Says nothing more of this change.
    pub fn keep_mine(&mut self) {
        self.kept_mine = self.changed.take();
    }
}
