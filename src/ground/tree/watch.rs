//! Waits for changes of files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::domain::HashMap;

/// Waits for changes of files, and of the files in folders.
#[derive(Debug)]
pub(crate) struct Watch {
    paths: Vec<PathBuf>,
    seen: Vec<Seen>,
    events: Receiver<()>,
    /// None if the system cannot report changes, so that only [`LOOK_AGAIN`] finds them.
    watcher: Option<RecommendedWatcher>,
    /// When the folders were last looked up.
    followed: Instant,
    /// How often to look for changes that the system does not report.
    look_again: Duration,
    looked: Instant,
}

/// Editors write a file in several steps. They are done if nothing changes for this long.
const QUIET: Duration = Duration::from_millis(10);

/// The longest wait for an editor, even if a file keeps changing.
const LONGEST_WAIT: Duration = Duration::from_millis(60);

/// How often to look for changes, because network file systems report none, and folders can be
/// replaced.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What was seen at a path.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// None if nothing is there.
    own: Option<Stamp>,
    /// The entries of the folder, by name.
    entries: HashMap<OsString, Stamp>,
}

/// Tells a changed file from an unchanged one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    size: u64,
}

impl Watch {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // Looking at a folder opens it, which must not count as a change.
            let is_look = event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_)));
            if !is_look {
                // An error means that the receiver is gone.
                let _ = sender.send(());
            }
        });
        let seen = seen(&paths);
        let (followed, looked, look_again) = (Instant::now(), Instant::now(), Duration::ZERO);
        let watcher = watcher.ok();
        let mut watch = Self { paths, seen, events, watcher, followed, look_again, looked };
        watch.follow();
        watch
    }

    /// Looks less often for changes that the system does not report.
    #[cfg(feature = "lsp")]
    pub(crate) fn looking_every(self, look_again: Duration) -> Self {
        Self { look_again, ..self }
    }

    /// Waits until the next change is complete, but not much longer than `at_most`, and at most a
    /// second. Returns whether something changed.
    pub(crate) fn wait(&mut self, at_most: Duration) -> bool {
        let at_most = at_most.min(LOOK_AGAIN);
        let mut is_told = false;
        match self.events.recv_timeout(at_most) {
            Ok(()) => {
                is_told = true;
                self.wait_for_quiet();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(at_most),
        }
        if self.followed.elapsed() >= LOOK_AGAIN {
            self.follow();
        }
        if self.watcher.is_some() && !is_told && self.looked.elapsed() < self.look_again {
            return false;
        }
        self.looked = Instant::now();
        let seen = seen(&self.paths);
        let has_changed = seen != self.seen;
        self.seen = seen;
        has_changed
    }

    fn wait_for_quiet(&self) {
        let started = Instant::now();
        while started.elapsed() < LONGEST_WAIT && self.events.recv_timeout(QUIET).is_ok() {}
    }

    /// Watches the folders that exist now. Watching a folder again is not an error.
    fn follow(&mut self) {
        self.followed = Instant::now();
        let Some(watcher) = &mut self.watcher else { return };
        let mut folders: Vec<&Path> = self.paths.iter().map(|path| folder_of(path)).collect();
        folders.dedup();
        for folder in folders {
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
    }
}

/// The folder to watch for a path. Editors replace a file, so its folder is watched.
fn folder_of(path: &Path) -> &Path {
    if path.is_dir() {
        return path;
    }
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn seen(paths: &[PathBuf]) -> Vec<Seen> {
    paths.iter().map(|path| Seen::at(path)).collect()
}

impl Seen {
    fn at(path: &Path) -> Self {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let entries = entries.filter_map(|entry| {
            let name = entry.file_name();
            if is_of_editor(&name) {
                return None;
            }
            let own = entry.metadata().ok()?;
            let meta = if own.is_symlink() { fs::metadata(entry.path()).ok()? } else { own };
            Some((name, Stamp::of(&meta)))
        });
        let entries = entries.collect();
        Self { own: fs::metadata(path).ok().as_ref().map(Stamp::of), entries }
    }
}

impl Stamp {
    /// Of folders, nothing: their times also change while an editor works.
    fn of(meta: &Metadata) -> Self {
        if meta.is_dir() {
            return Self::default();
        }
        Self { modified: meta.modified().ok(), size: meta.len() }
    }
}

/// Whether a name is that of an editor's temporary file.
fn is_of_editor(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || name.ends_with(b"~")
}
