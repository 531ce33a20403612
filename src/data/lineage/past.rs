//! Reads the history of a repository.

use std::path::Path;
use std::sync::Arc;

use crate::domain::time::day;
use crate::git::{Git, refusal};
use crate::history::{Cache, History, NoHistory};
use crate::text::Failure;

use super::Provenance;

/// The history of a repository, or the reason that it is missing.
#[derive(Debug, Default)]
pub struct Past {
    pub(super) history: Option<Arc<History>>,
    note: Option<String>,
    /// When the revision was committed, in seconds since 1970.
    pub(super) date: Option<i64>,
}

impl Past {
    /// Reads the history of the repository in a folder, up to a revision (default: `HEAD`).
    ///
    /// Without a history, most predictions are uncertain. If there is one, and git refuses to read
    /// it, that is an error.
    pub fn read(root: &Path, revision: Option<&str>, cache: &Cache) -> Result<Self, Failure> {
        let without = "exitpath takes the order of releases from internal-channels/candidate.yaml, and uses today's ranges";
        let date = Git::at(root).date(revision.unwrap_or("HEAD")).ok();
        Ok(match History::read(root, revision, cache) {
            Ok(history) if history.is_whole => {
                Self { history: Some(Arc::new(history)), note: None, date }
            }
            Ok(history) => {
                let note = format!(
                    "this is a shallow clone: for older releases, {without} (`git fetch --unshallow` gets the whole history)"
                );
                Self { history: Some(Arc::new(history)), note: Some(note), date }
            }
            Err(NoHistory::Refused { why, help }) => {
                return Err(Failure::new(refusal(&why)).hint_if_any(help));
            }
            Err(why) => Self { history: None, note: Some(Self::missing_note(&why, without)), date },
        })
    }

    /// Only the day of a revision (default: `HEAD`), for sources that need no history.
    pub fn day(root: &Path, revision: Option<&str>) -> Self {
        let date = Git::at(root).date(revision.unwrap_or("HEAD")).ok();
        Self { history: None, note: None, date }
    }

    /// Whether the whole history is known.
    pub(crate) fn is_whole(&self) -> bool {
        self.history.as_ref().is_some_and(|history| history.is_whole)
    }

    /// What a prediction lacks if the history is missing or incomplete.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The day of the revision, in seconds since 1970.
    pub(super) fn today(&self, history: &History) -> i64 {
        self.date.unwrap_or(history.now().time)
    }

    /// The provenance of a prediction from this history.
    pub(super) fn provenance(&self) -> Provenance {
        let source = match &self.history {
            Some(_) => "the repository's history",
            None => "the repository without its history",
        };
        Provenance {
            source: source.to_owned(),
            notes: self.note.iter().cloned().collect(),
            as_of: self.history.as_ref().map(|history| day(history.now().time)),
            ..Provenance::default()
        }
    }

    fn missing_note(why: &NoHistory, so: &str) -> String {
        format!("there is no git history ({why}): {so}")
    }
}
