//! Where a repository's files come from: a folder, or a git revision.
//!
//! Both list their files in one order and answer for each of them, with its
//! bytes or with the reason why there are none. Nothing outside the repository
//! is ever opened: symbolic links are followed within the listing alone.

mod base;
mod folder;
mod links;
mod revision;

pub use base::{Base, base, commit, is_merging, messages, renames};
pub use folder::{read_file, read_folder, read_text, read_text_up_to};
pub use revision::read_revision;

use std::path::PathBuf;

/// The largest file that is read. The largest real one has 30 KiB.
pub const MAX_FILE: u64 = 4 << 20;

/// How deep a data folder is searched for files that are in the wrong place.
const MAX_DEPTH: usize = 8;

/// The files under one of these names, relative to the repository.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Folders, read with everything below them.
    pub folders: &'static [&'static str],
    /// Single files.
    pub files: &'static [&'static str],
}

/// One file of a repository.
#[derive(Clone, Debug)]
pub struct Blob {
    /// The path relative to the repository, with `/` between its parts.
    /// Bytes that are no UTF-8 are shown as U+FFFD.
    pub path: String,
    /// What it holds.
    pub content: Result<Vec<u8>, Unreadable>,
}

/// Why a file's content could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Over the limit, with its size in bytes.
    TooLarge(u64),
    /// A folder where a file is expected.
    Folder,
    /// A pipe, socket or device.
    SpecialFile,
    /// A submodule.
    Submodule,
    /// A symbolic link that leads out of the data folders, in a circle, or nowhere.
    Link(String),
    /// The system refused, in its words.
    Io(String),
}

/// A repository that could not be read at all.
#[derive(Debug, PartialEq, Eq)]
pub enum TreeError {
    /// The folder cannot be listed.
    Folder(PathBuf, String),
    /// git is not installed, or could not be started.
    NoGit(String),
    /// The folder is in no git repository.
    NotARepository(PathBuf),
    /// No such revision, and what may help.
    UnknownRevision(String, String),
    /// git failed in some other way.
    Git(String),
}

impl std::error::Error for TreeError {}

impl std::fmt::Display for TreeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(path, why) => {
                write!(f, "cannot read the folder {}: {why}", path.display())
            }
            Self::NoGit(why) => write!(f, "cannot run git: {why}"),
            Self::NotARepository(path) => {
                write!(f, "{} is not in a git repository, so it has no revisions", path.display())
            }
            Self::UnknownRevision(rev, _) => {
                write!(f, "there is no revision `{rev}` in this repository")
            }
            Self::Git(why) => write!(f, "git failed: {why}"),
        }
    }
}
