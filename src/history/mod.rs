//! What a graph-data repository's git history tells: when each release was enabled, when it
//! joined each channel, and which ranges new releases were built with at the time.
//!
//! The first-parent history is what counts: the states that were really served.

mod cache;
mod day;
mod read;
mod record;

pub use cache::Cache;
pub use day::day;

use std::collections::HashMap;
use std::path::Path;

use crate::git::{Git, GitError};

/// A moment of the history. Committers' clocks disagree, so the order is kept beside the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Its place among the moments.
    pub order: u32,
    /// Seconds since 1970.
    pub time: i64,
}

/// What the history tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Every moment at which some channel or range changed, oldest first; their times.
    pub times: Vec<i64>,
    /// When a release was first listed by a channel (`channels/stable-4.14`): by channel, the
    /// release's version as written, and the moment.
    pub joined: HashMap<String, HashMap<String, u32>>,
    /// Each text that a file of `build-suggestions/` has had, oldest first.
    pub suggestions: Vec<Suggestions>,
    /// Whether it begins where the repository does: it does not in a shallow clone.
    pub is_whole: bool,
}

/// A text that a file of `build-suggestions/` has had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestions {
    /// The file's name without `.yaml`.
    pub minor: String,
    /// The moment from which on it stood.
    pub since: u32,
    /// The text.
    pub text: String,
}

/// Why there is no history.
#[derive(Debug)]
pub enum NoHistory {
    /// The folder is in no git repository: a tarball, for example.
    NoRepository,
    /// git is not installed, or could not be started.
    NoGit,
    /// git failed, in its words.
    Failed(String),
}

/// The folders whose past matters.
const FOLDERS: [&str; 3] = ["build-suggestions", "channels", "internal-channels"];

impl History {
    /// The history of the repository in a folder, up to a revision (`HEAD`, if none is named).
    /// What has been read once is taken from the cache.
    pub fn read(root: &Path, revision: Option<&str>, cache: &Cache) -> Result<Self, NoHistory> {
        let git = Git::at(root);
        let whereabouts = git.whereabouts(revision.unwrap_or("HEAD"))?;
        // What a shallow clone shows depends on its depth, not on the commit alone.
        if whereabouts.is_shallow {
            return Ok(read::since(&git, None, &whereabouts.commit, Self::default())?);
        }
        let shelf = cache.shelf(&whereabouts.prefix);
        if let Some(known) = shelf.get(&whereabouts.commit) {
            return Ok(known);
        }
        let known = shelf.nearest(|commit| git.follows(commit, &whereabouts.commit));
        let (since, known) = known.map_or_else(Default::default, |(c, known)| (Some(c), known));
        let mut history = read::since(&git, since.as_deref(), &whereabouts.commit, known)?;
        history.is_whole = true;
        shelf.put(&whereabouts.commit, &history);
        Ok(history)
    }

    /// A moment, with its time.
    #[must_use]
    pub fn moment(&self, order: u32) -> Moment {
        Moment { order, time: self.times.get(order as usize).copied().unwrap_or_default() }
    }

    /// When a channel first listed a release.
    #[must_use]
    pub fn joined(&self, channel: &str, version: &str) -> Option<Moment> {
        self.joined.get(channel)?.get(version).map(|order| self.moment(*order))
    }

    /// The newest moment.
    #[must_use]
    pub fn now(&self) -> Moment {
        let order = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        Moment { order, time: self.times.last().copied().unwrap_or_default() }
    }
}

impl From<GitError> for NoHistory {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Missing(_) => Self::NoGit,
            GitError::Failed(words) if words.starts_with("not a git repository") => {
                Self::NoRepository
            }
            GitError::Failed(words) => Self::Failed(words),
        }
    }
}

impl std::fmt::Display for NoHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoRepository => write!(f, "the folder is in no git repository"),
            Self::NoGit => write!(f, "git is not installed"),
            Self::Failed(words) => {
                write!(f, "git says: {}", words.lines().next().unwrap_or_default())
            }
        }
    }
}
