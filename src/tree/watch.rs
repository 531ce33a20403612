//! Waits for changes of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Waits for changes of files, and of the files in folders.
#[derive(Debug)]
pub(crate) struct Watch {
    paths: Vec<PathBuf>,
    seen: Seen,
    events: Receiver<()>,
    /// None: the system cannot tell about changes, so that only [`LOOK_AGAIN`] finds them.
    watcher: Option<RecommendedWatcher>,
    /// When the folders were last looked up.
    followed: Instant,
}

/// Editors write a file in several steps. This long without another one, they are done.
const QUIET: Duration = Duration::from_millis(10);

/// Nobody waits longer, even if a file changes all the time.
const LONGEST_WAIT: Duration = Duration::from_millis(60);

/// Network file systems tell nothing, and folders can be replaced.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What tells a changed file from an unchanged one.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

impl Watch {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // To look at a folder opens it, which must not count as a change.
            let is_look = event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_)));
            if !is_look {
                // An error means that nobody waits any more.
                let _ = sender.send(());
            }
        });
        let seen = seen(&paths);
        let followed = Instant::now();
        let mut watch = Self { paths, seen, events, watcher: watcher.ok(), followed };
        watch.follow();
        watch
    }

    /// Waits for the end of the next change, but not much longer than a time, and than a second.
    /// Returns whether something changed.
    pub(crate) fn wait(&mut self, at_most: Duration) -> bool {
        let at_most = at_most.min(LOOK_AGAIN);
        match self.events.recv_timeout(at_most) {
            Ok(()) => self.wait_for_quiet(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(at_most),
        }
        if self.followed.elapsed() >= LOOK_AGAIN {
            self.follow();
        }
        let seen = seen(&self.paths);
        let has_changed = seen != self.seen;
        self.seen = seen;
        has_changed
    }

    fn wait_for_quiet(&self) {
        let started = Instant::now();
        while started.elapsed() < LONGEST_WAIT && self.events.recv_timeout(QUIET).is_ok() {}
    }

    /// Follows the folders that are there now. Following a folder again is not an error.
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

/// Editors replace a file, so its folder is followed.
fn folder_of(path: &Path) -> &Path {
    if path.is_dir() {
        return path;
    }
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn seen(paths: &[PathBuf]) -> Seen {
    let mut seen = Seen::new();
    for path in paths {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.map(|entry| entry.path()).filter(|entry| !is_of_editor(entry)) {
            add(&entry, &mut seen);
        }
        add(path, &mut seen);
    }
    seen
}

/// Whether an editor keeps a file there for itself.
fn is_of_editor(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with('.') || name.ends_with('~')
}

/// A folder has neither a time nor a size here: those also change when an editor is at work.
fn add(path: &Path, seen: &mut Seen) {
    let Ok(meta) = fs::metadata(path) else { return };
    let about = if meta.is_dir() { (None, 0) } else { (meta.modified().ok(), meta.len()) };
    seen.insert(path.to_owned(), about);
}
