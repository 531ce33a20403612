//! The report of `compare`: how the answers of a service differ from the repository.

mod human;
mod json;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::compare::Differences;
use crate::domain::Arch;

use super::wrapped;

#[derive(Debug)]
pub(crate) struct ComparisonReport<'a> {
    pub answers: &'a [ComparedAnswer],
    /// None if nothing differs.
    pub cause: Option<Cause>,
}

#[derive(Debug)]
pub(crate) struct ComparedAnswer {
    pub channel: String,
    pub arch: Arch,
    pub outcome: Outcome,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    Compared {
        differences: Differences,
        /// How many updates the answer has.
        updates: usize,
    },
    /// There is no answer, with the reason.
    Missing(String),
}

/// The probable cause of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Compared with this commit, fewer differences are left.
    OlderRevision {
        commit: String,
        left: usize,
        total: usize,
    },
    /// The service does not have the channels.
    NoChannel,
    /// The service lacks releases, and nothing else differs.
    NotScraped,
    Unknown,
}

impl ComparedAnswer {
    pub(crate) fn differences(&self) -> Option<&Differences> {
        match &self.outcome {
            Outcome::Compared { differences, .. } => Some(differences),
            Outcome::Missing(_) => None,
        }
    }
}

impl Printed for ComparisonReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| human::write(report, style, out))
            }
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl ComparisonReport<'_> {
    pub(crate) fn has_missing(&self) -> bool {
        self.answers.iter().any(|answer| matches!(answer.outcome, Outcome::Missing(_)))
    }

    pub(crate) fn has_differences(&self) -> bool {
        self.answers.iter().filter_map(ComparedAnswer::differences).any(|found| !found.are_none())
    }
}
