//! Reads the past of a graph-data repository from git: when each release was enabled, when it
//! joined each channel, and the ranges for new releases at each time.
//!
//! Only the states of the mainline were served. The other commits, from pull requests, show which
//! releases existed when they were proposed.

mod cache;
mod read;
mod record;
mod risks;

pub use cache::Cache;
pub(crate) use risks::RiskDates;

use std::path::Path;
use std::sync::Arc;

use crate::domain::{Arch, HashMap, Named};
use crate::git::{Git, GitError, refusal};

/// A moment of the history. Moments have an order besides the time, because the clocks of
/// committers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Its index in `History::times`.
    pub order: u32,
    /// Seconds since 1970.
    pub time: i64,
}

/// The past of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The time of every moment when a channel or a range changed, oldest first.
    pub times: Vec<i64>,
    /// The moment when a channel first listed a release, by channel (`channels/stable-4.14`) and
    /// by the release's version as written.
    pub joined: HashMap<String, HashMap<Arc<str>, u32>>,
    /// When a commit off the mainline first listed a release in any channel, in seconds since 1970,
    /// by the release's version as written.
    pub proposed: HashMap<Arc<str>, i64>,
    /// Every text of a file of `build-suggestions/`, oldest first.
    pub suggestions: Vec<Suggestions>,
    /// Whether it has every commit. It does not in a shallow clone.
    pub is_whole: bool,
}

/// One text of a file of `build-suggestions/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestions {
    /// The file's name without `.yaml`.
    pub minor: String,
    /// The moment when the file got this text.
    pub since: u32,
    pub text: String,
}

#[derive(Debug)]
pub enum NoHistory {
    /// The folder is in no git repository: a tarball, for example.
    NoRepository,
    /// git is not installed, or could not be started.
    NoGit,
    /// The repository cannot be trusted, for this reason. `help` says what to do.
    Refused { why: String, help: Option<String> },
    /// The clone lacks older commits.
    Shallow,
    /// The error message of git.
    Failed(String),
}

const FOLDERS: [&str; 3] = ["build-suggestions", "channels", "internal-channels"];

impl History {
    /// The history of the repository in a folder, up to a revision (default: `HEAD`). Continues
    /// a cached history, if there is one.
    pub fn read(root: &Path, revision: Option<&str>, cache: &Cache) -> Result<Self, NoHistory> {
        let git = Git::at(root);
        let location = git.locate(revision.unwrap_or("HEAD"))?;
        // The history of a shallow clone depends on its depth, too, so it is not cached.
        if location.is_shallow {
            let commits = git.commits(&location.commit)?;
            return Ok(read::extended(Self::default(), &git, &commits)?);
        }
        let cache = cache.of_repository(git.place()?, &location.prefix);
        if let Some(known) = cache.get(&location.commit) {
            return Ok(known);
        }
        let commits = git.commits(&location.commit)?;
        let place = |known: &str| {
            commits.iter().position(|commit| commit.is_on_mainline && commit.id == known)
        };
        let known = cache.nearest(|known| place(known).is_some());
        let (commit, known) = known.unwrap_or_default();
        let first_new = place(&commit).map_or(0, |place| place + 1);
        let mut history = read::extended(known, &git, &commits[first_new..])?;
        history.is_whole = true;
        cache.put(&location.commit, &history);
        Ok(history)
    }

    /// The moment with this position in the order.
    pub fn moment(&self, order: u32) -> Moment {
        Moment { order, time: self.times.get(order as usize).copied().unwrap_or_default() }
    }

    /// Whether it says anything about a release, given its version without an architecture.
    pub(crate) fn names(&self, version: &str) -> bool {
        let of_arch = Arch::ALL.iter().map(|arch| format!("{version}+{}", arch.name()));
        let mut versions = of_arch.chain([version.to_owned()]);
        versions.any(|version| {
            self.proposed.contains_key(version.as_str())
                || self.joined.values().any(|joined| joined.contains_key(version.as_str()))
        })
    }

    /// When a channel first listed a release.
    pub fn joined(&self, channel: &str, version: &str) -> Option<Moment> {
        self.joined.get(channel)?.get(version).map(|order| self.moment(*order))
    }

    /// The newest moment.
    pub fn now(&self) -> Moment {
        let order = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        Moment { order, time: self.times.last().copied().unwrap_or_default() }
    }
}

/// The text that the cache stores for a history, without the lines at its top that protect it.
#[cfg(feature = "testing")]
pub fn cached_body(history: &History) -> String {
    let text = record::write("", "", history);
    text.splitn(3, '\n').nth(2).unwrap_or_default().to_owned()
}

/// The history in a cached text with any body and valid protection.
#[cfg(feature = "testing")]
pub fn read_cached_body(body: &str) -> Option<History> {
    record::read("", "", &record::sealed("", "", body))
}

impl From<GitError> for NoHistory {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Missing(_) => Self::NoGit,
            GitError::Failed(words) if words.starts_with("not a git repository") => {
                Self::NoRepository
            }
            GitError::Failed(words) | GitError::Unusable(words) => Self::Failed(words),
            GitError::Refused { why, help } => Self::Refused { why, help },
        }
    }
}

impl std::fmt::Display for NoHistory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoRepository => write!(f, "the folder is in no git repository"),
            Self::NoGit => write!(f, "git is not installed"),
            Self::Refused { why, .. } => write!(f, "{}", refusal(why)),
            Self::Shallow => write!(f, "the clone is shallow, so it lacks older commits"),
            Self::Failed(words) => {
                write!(f, "git says: {}", words.lines().next().unwrap_or_default())
            }
        }
    }
}
