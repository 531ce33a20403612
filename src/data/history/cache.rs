//! Keeps histories of earlier runs in the user's cache folder.
//!
//! The folder can be deleted at any time, and two runs can use it at once. A commit alone does not
//! say what its history is: the objects of a hostile clone can be forged. So a history is only used
//! for the repository that it was read from, and the folder and its files must be the user's.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::git::Place;
use crate::owner::is_ours;

use super::{History, record};

/// A cache in a folder. Without a folder, it stores nothing.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
}

pub(super) struct RepositoryCache {
    folder: Option<PathBuf>,
    /// The location of the repository.
    place: String,
}

/// How many histories of a repository to store.
const MOST_KEPT: usize = 16;
/// How many of them to try if a commit has no stored history.
const MOST_TRIED: usize = 4;
/// The size of the largest cache file. This program writes no larger ones.
const LARGEST: u64 = 64 << 20;

impl Cache {
    /// The cache in a folder.
    #[cfg(feature = "testing")]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// A cache that stores nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// The cache in the user's cache folder.
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

    /// The cached histories of the repository at `prefix` in its git repository. If that takes
    /// objects from another repository, which could forge them, nothing is cached.
    pub(super) fn of_repository(&self, git: &Place, prefix: &str) -> RepositoryCache {
        let place = format!("{} {prefix}", identity(&git.common_dir));
        let folder = self.folder.as_ref().filter(|_| !git.has_foreign_objects());
        let folder = folder.map(|folder| folder.join("history").join(record::key(&place)));
        RepositoryCache { folder: folder.filter(|folder| create_ours(folder).is_ok()), place }
    }
}

impl RepositoryCache {
    /// The history of a commit, if it is stored.
    pub(super) fn get(&self, commit: &str) -> Option<History> {
        let file = self.folder.as_ref()?.join(commit);
        let metadata = fs::symlink_metadata(&file).ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST || !is_ours(&file) {
            return None;
        }
        record::read(commit, &self.place, &fs::read_to_string(file).ok()?)
    }

    /// The newest stored history of a predecessor, among the newest few.
    pub(super) fn nearest(
        &self,
        is_predecessor: impl Fn(&str) -> bool,
    ) -> Option<(String, History)> {
        let mut kept = self.kept();
        kept.truncate(MOST_TRIED);
        let mut found = kept.into_iter().filter(|(_, commit)| is_predecessor(commit));
        found.find_map(|(_, commit)| self.get(&commit).map(|history| (commit, history)))
    }

    /// Stores a history. Ignores errors, because the next run can read the history again.
    pub(super) fn put(&self, commit: &str, history: &History) {
        let Some(folder) = &self.folder else { return };
        let text = record::write(commit, &self.place, history);
        // The text is written under another name first, so that no other run reads half of it.
        let draft = folder.join(format!(".{commit}.{}", std::process::id()));
        let new = OpenOptions::new().write(true).create_new(true).open(&draft);
        let written = new
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| fs::rename(&draft, folder.join(commit)));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
            return;
        }
        for (_, old) in self.kept().into_iter().skip(MOST_KEPT) {
            let _ = fs::remove_file(folder.join(old));
        }
    }

    /// The commits whose histories are stored, newest first.
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

/// Tells a folder from another one that is later at the same path.
fn identity(folder: &Path) -> String {
    let meta = fs::metadata(folder).ok();
    let created = meta.as_ref().and_then(|meta| meta.created().ok());
    let created = created.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let created = created.map_or(0, |time| time.as_nanos());
    #[cfg(unix)]
    let number = meta.map_or(0, |meta| std::os::unix::fs::MetadataExt::ino(&meta));
    #[cfg(not(unix))]
    let number = 0;
    format!("{} {number} {created}", folder.display())
}

/// Creates a folder. Fails if it, the folder of all histories, or that of this program belongs to
/// another user.
fn create_ours(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    let foreign = folder.ancestors().take(3).find(|folder| !is_ours(folder));
    foreign.map_or(Ok(()), |_| Err(io::Error::other("it belongs to another user")))
}
