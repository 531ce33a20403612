//! Histories that were read before, in the user's cache folder. It may be deleted at any
//! time, two runs may use it at once, and what else lies there is not believed.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::{History, record};

/// The folder of all that is kept; none where there is no such place.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
}

/// The histories of one folder of a repository.
pub(super) struct Shelf {
    folder: Option<PathBuf>,
}

/// So many histories of a folder are kept.
const KEPT: usize = 16;
/// So many of them are held against a commit that is not among them.
const TRIED: usize = 4;
/// A larger file is none of ours.
const LARGEST: u64 = 64 << 20;

impl Cache {
    /// A cache in a folder.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// No cache.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The place where this system keeps such things for the user.
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

    /// The histories of the repository that begins at `prefix` in its git repository.
    pub(super) fn shelf(&self, prefix: &str) -> Shelf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name: String = prefix.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let folder = self.folder.as_ref().map(|folder| {
            let folder = folder.join("history");
            if name.is_empty() { folder } else { folder.join(name.get(..100).unwrap_or(&name)) }
        });
        Shelf { folder }
    }
}

impl Shelf {
    /// The history of a commit, if it is here.
    pub(super) fn get(&self, commit: &str) -> Option<History> {
        let file = self.folder.as_ref()?.join(commit);
        let is_ours = fs::symlink_metadata(&file).ok()?;
        if !is_ours.is_file() || is_ours.len() > LARGEST {
            return None;
        }
        record::read(commit, &fs::read_to_string(file).ok()?)
    }

    /// Of the newest few, the first whose commit is a predecessor of the one that is asked for.
    pub(super) fn nearest(
        &self,
        is_predecessor: impl Fn(&str) -> bool,
    ) -> Option<(String, History)> {
        let mut kept = self.kept();
        kept.truncate(TRIED);
        let mut found = kept.into_iter().filter(|(_, commit)| is_predecessor(commit));
        found.find_map(|(_, commit)| self.get(&commit).map(|history| (commit, history)))
    }

    /// Keeps a history. Where that cannot be done, the next run reads it again.
    pub(super) fn put(&self, commit: &str, history: &History) {
        let Some(folder) = &self.folder else { return };
        let text = record::write(commit, history);
        // Another run sees either nothing or all of it.
        let draft = folder.join(format!(".{commit}.{}", std::process::id()));
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&draft, text))
            .and_then(|()| fs::rename(&draft, folder.join(commit)));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
            return;
        }
        for (_, old) in self.kept().into_iter().skip(KEPT) {
            let _ = fs::remove_file(folder.join(old));
        }
    }

    /// The commits whose histories are here, the newest first.
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
