//! The report of the commands that change files of a repository: the files, and what they do to
//! clusters.

mod human;
mod json;

use crate::authoring::{Plan, PlannedFile};
use crate::domain::Format;
use crate::origins::Reach;
use crate::report::printed::{Printed, Writer};

use super::{CheckReport, RiskReport};

/// New texts of files, and what they do.
#[derive(Debug)]
pub(crate) struct EditsReport<'a> {
    pub plan: &'a Plan,
    pub written: Written,
    /// The origins that each new pattern matches.
    pub patterns: Vec<(String, Vec<Reach>)>,
    /// What a new risk means for clusters.
    pub risk: Option<&'a RiskReport<'a>>,
    /// The findings that the files cause, and what they change for clusters.
    pub check: CheckReport<'a>,
}

/// Whether the files are on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// Nothing is written, because this was not requested.
    No,
    /// Nothing is written, because a commit with errors is not wanted.
    Refused,
    Files,
    /// They are committed, too. The id of the commit.
    Commit(String),
}

impl Printed for EditsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, style, out| json::write(report, style, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// What happens to a file.
fn action(file: &PlannedFile) -> &'static str {
    match (&file.old, &file.new) {
        (None, _) => "create",
        (_, None) => "remove",
        (Some(_), Some(_)) => "change",
    }
}
