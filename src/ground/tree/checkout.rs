//! What git does to a work tree at one time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::git::Git;

/// What git does to a work tree at one time. If two of these are equal and have no lock, all files
/// that were read in between belong to one state of the work tree, because git holds the lock from
/// the first file that it changes until it has replaced the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkout {
    /// The lock, if git holds it.
    pub lock: Option<PathBuf>,
    index: Option<(SystemTime, u64)>,
}

impl Checkout {
    /// None if the folder is in no repository.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let git = Git::at(folder);
        let place = git.place().ok()?;
        let lock = place.lock();
        let index = fs::metadata(place.git_dir.join("index")).ok();
        let index = index.and_then(|meta| Some((meta.modified().ok()?, meta.len())));
        Some(Self { lock: lock.symlink_metadata().is_ok().then_some(lock), index })
    }
}
