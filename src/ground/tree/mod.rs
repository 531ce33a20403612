//! Lists the files of a repository, in a folder or at a git revision, in the same order.
//!
//! It never opens a file outside the repository. It follows links only to other listed files.

mod change;
#[cfg(any(feature = "lsp", feature = "serve"))]
mod checkout;
mod folder;
mod misplaced;
mod revision;
mod sparse;
mod symlinks;
#[cfg(feature = "lsp")]
mod unsaved;
mod walk;
#[cfg(any(feature = "lsp", feature = "serve"))]
mod watch;

pub(crate) use change::{
    BaseCommit, base, commit, commit_before, date, deleted, is_merging, mainline, messages,
    text_at, unfinished,
};
#[cfg(feature = "serve")]
pub(crate) use checkout::Checkout;
#[cfg(feature = "lsp")]
pub(crate) use checkout::files_of_head;
pub(crate) use folder::{DRAFT, read_file, read_folder, read_text, read_text_up_to};
pub(crate) use revision::read_revision;
#[cfg(feature = "lsp")]
pub(crate) use unsaved::{is_listed, with_unsaved};
pub(crate) use walk::{
    Contents, ListedFile, PastFile, commits_of, condense, files_below, files_of_revision,
    past_files,
};
#[cfg(any(feature = "lsp", feature = "serve"))]
pub(crate) use watch::Watch;

use std::path::PathBuf;

use crate::git::refusal;
use crate::text::Failure;
use crate::text::words::counted;

pub(crate) use crate::text::MAX_FILE;

/// The most bytes of all files of a repository. The real data has 1 MiB.
const MOST_BYTES: u64 = 32 << 20;

/// How deep to search a data folder for files in the wrong place.
const MAX_DEPTH: usize = 8;

/// The paths to read, relative to the repository.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedPaths {
    pub folders: &'static [&'static str],
    pub files: &'static [&'static str],
}

/// One file of a repository.
#[derive(Clone, Debug)]
pub struct Blob {
    /// The path relative to the repository, with `/` between its parts.
    /// Bytes that are not UTF-8 become U+FFFD.
    pub path: String,
    /// Its bytes.
    pub content: Result<Vec<u8>, Unreadable>,
    /// The regular file that holds the content. None for a link, and for content from elsewhere.
    pub file: Option<PathBuf>,
    /// Whether a sparse checkout omits it from the work tree. If so, its content comes from git's
    /// index.
    pub is_omitted: bool,
}

impl Blob {
    /// Content that is not from a file on the disk.
    pub fn new(path: String, content: Result<Vec<u8>, Unreadable>) -> Self {
        Self { path, content, file: None, is_omitted: false }
    }
}

/// Why a file has no content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It exceeds the size limit. The number is its size in bytes.
    TooLarge(u64),
    /// It has more keys and values than any data file.
    TooManyValues,
    /// The files before it already reach the size limit for a repository.
    TooManyFiles,
    /// A folder where a file is expected.
    Folder,
    /// A pipe, socket or device.
    SpecialFile,
    /// A submodule.
    Submodule,
    /// A symbolic link that leads out of the data folders, in a circle, or nowhere.
    Link(String),
    /// The system's error message.
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
    /// There is no such revision. The second text is a hint.
    UnknownRevision(String, String),
    /// The git repository cannot be trusted.
    Refused {
        /// The reason, in git's words.
        why: String,
        /// What to do.
        help: Option<String>,
    },
    /// git cannot read files that a sparse checkout omits.
    Omitted {
        /// How many files are omitted.
        files: usize,
        /// The reason.
        why: String,
    },
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
            Self::Refused { why, .. } => write!(f, "{}", refusal(why)),
            Self::Omitted { files, why } => {
                let files = counted(*files, "file");
                write!(
                    f,
                    "this is a sparse checkout, and git cannot read {files} that it omits: {why}"
                )
            }
            Self::Git(why) => write!(f, "git failed: {why}"),
        }
    }
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            TreeError::NoGit(_) => {
                failure.hint("install git: `--rev`, `--base`, and `diff` need it")
            }
            TreeError::UnknownRevision(_, helps) => failure.hint(helps),
            TreeError::Omitted { .. } => {
                failure.hint("`git sparse-checkout disable` gets the whole repository")
            }
            TreeError::Refused { help, .. } => failure.hint_if_any(help),
            _ => failure,
        }
    }
}
