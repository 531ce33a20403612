//! Waits for changes of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// Waits for changes of files, and of the files in folders.
#[derive(Debug)]
pub(crate) struct Watch {
    paths: Vec<PathBuf>,
    seen: Seen,
    events: Receiver<()>,
    /// None: the system cannot tell about changes, so that only [`LOOK_AGAIN`] finds them.
    watcher: Option<RecommendedWatcher>,
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
        let watcher = notify::recommended_watcher(move |_| {
            // Nobody waits any more.
            let _ = sender.send(());
        });
        let seen = seen(&paths);
        let mut watch = Self { paths, seen, events, watcher: watcher.ok() };
        watch.follow();
        watch
    }

    /// Waits for the end of the next change, but not much longer than a second. Returns whether
    /// something changed.
    pub(crate) fn wait(&mut self) -> bool {
        match self.events.recv_timeout(LOOK_AGAIN) {
            Ok(()) => self.wait_for_quiet(),
            Err(RecvTimeoutError::Timeout) => self.follow(),
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK_AGAIN),
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
        let Some(watcher) = &mut self.watcher else { return };
        for path in &self.paths {
            let _ = watcher.watch(path, RecursiveMode::NonRecursive);
        }
    }
}

fn seen(paths: &[PathBuf]) -> Seen {
    let mut seen = Seen::new();
    for path in paths {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.map(|entry| entry.path()).filter(|entry| !entry.is_dir()) {
            add(&entry, &mut seen);
        }
        if !path.is_dir() {
            add(path, &mut seen);
        }
    }
    seen
}

fn add(path: &Path, seen: &mut Seen) {
    if let Ok(meta) = fs::metadata(path) {
        seen.insert(path.to_owned(), (meta.modified().ok(), meta.len()));
    }
}
