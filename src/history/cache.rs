//! Keeps histories of earlier runs in the user's cache folder.
//!
//! The folder can be deleted at any time, two runs can use it at once, and its files are not
//! trusted.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::{History, record};

/// A cache in a folder; without a folder, nothing is kept.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
}

pub(super) struct RepositoryCache {
    folder: Option<PathBuf>,
    prefix: String,
}

/// How many histories of a repository to keep.
const MOST_KEPT: usize = 16;
/// How many of them to try for a commit without a kept history.
const MOST_TRIED: usize = 4;
/// Files that this program writes are not larger.
const LARGEST: u64 = 64 << 20;

impl Cache {
    /// The cache in a folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// A cache that keeps nothing.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The cache in the user's cache folder.
    #[must_use]
    pub fn of_user() -> Self {
        let path = |name: &str| {
            std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let base = if cfg!(windows) {
            path("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            path("HOME").map(|home| home.join("Library/Caches"))
        } else {
            path("XDG_CACHE_HOME").or_else(|| path("HOME").map(|home| home.join(".cache")))
        };
        Self { folder: base.map(|base| base.join("exitpath")) }
    }

    /// The histories of the repository at `prefix` in its git repository.
    pub(super) fn of_repository(&self, prefix: &str) -> RepositoryCache {
        let folder = self.folder.as_ref();
        let folder = folder.map(|folder| folder.join("history").join(record::key(prefix)));
        RepositoryCache { folder, prefix: prefix.to_owned() }
    }
}

impl RepositoryCache {
    /// The history of a commit, if it is kept.
    pub(super) fn get(&self, commit: &str) -> Option<History> {
        let file = self.folder.as_ref()?.join(commit);
        let metadata = fs::symlink_metadata(&file).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST {
            return None;
        }
        record::read(commit, &self.prefix, &fs::read_to_string(file).ok()?)
    }

    /// The newest history of a predecessor, among the newest few.
    pub(super) fn nearest(
        &self,
        is_predecessor: impl Fn(&str) -> bool,
    ) -> Option<(String, History)> {
        let mut kept = self.kept();
        kept.truncate(MOST_TRIED);
        let mut found = kept.into_iter().filter(|(_, commit)| is_predecessor(commit));
        found.find_map(|(_, commit)| self.get(&commit).map(|history| (commit, history)))
    }

    /// Keeps a history. Ignores errors: the next run reads the history again.
    pub(super) fn put(&self, commit: &str, history: &History) {
        let Some(folder) = &self.folder else { return };
        let text = record::write(commit, &self.prefix, history);
        // Written under another name first, so that no other run reads half a file.
        let draft = folder.join(format!(".{commit}.{}", std::process::id()));
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&draft, text))
            .and_then(|()| fs::rename(&draft, folder.join(commit)));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
            return;
        }
        for (_, old) in self.kept().into_iter().skip(MOST_KEPT) {
            let _ = fs::remove_file(folder.join(old));
        }
    }

    /// The commits whose histories are kept, newest first.
    fn kept(&self) -> Vec<(SystemTime, String)> {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok())
        else {
            return Vec::new();
        };
        let mut kept: Vec<(SystemTime, String)> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let is_commit = name.len() >= 40 && name.bytes().all(|b| b.is_ascii_hexdigit());
                let time = entry.metadata().ok()?.modified().ok()?;
                is_commit.then_some((time, name))
            })
            .collect();
        kept.sort_unstable_by(|a, b| b.cmp(a));
        kept
    }
}
