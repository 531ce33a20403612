//! The report of `catalog fail-forward`: what OLM does after failures, and which entries rescue.

mod audit;
mod findings;
mod human;
mod json;
mod words;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::domain::Severity;
use crate::olm::Run;

pub(crate) use audit::AuditReport;

/// What OLM does in a namespace, under one or two strategies.
#[derive(Debug)]
pub(crate) struct FailForwardReport<'a> {
    pub namespace: &'a str,
    pub findings: &'a [PlacedFinding],
    /// The runs. The first one has the strategy of the namespace, or the one that the user
    /// requested.
    pub runs: &'a [Run],
}

impl Printed for FailForwardReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// Something wrong with an object, with its place.
#[derive(Debug)]
pub(crate) struct PlacedFinding {
    pub severity: Severity,
    pub path: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub message: String,
    pub help: String,
}
