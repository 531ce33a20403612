//! The report of `rollout payload`: the order in which the operator applies the manifests.

mod human;
mod json;

use std::io::{self, Write};

use crate::domain::FailOn;
use crate::domain::Format;
use crate::payload::{Difference, Mode, Payload, Problem, Steps, problems};
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};

#[derive(Debug)]
pub(crate) struct PayloadReport<'a> {
    pub payload: &'a Payload,
    /// The payload that it is compared with, and how they differ.
    pub older: Option<(&'a Payload, Difference)>,
    pub steps: Steps,
    pub problems: Vec<Problem>,
}

impl Printed for PayloadReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl<'a> PayloadReport<'a> {
    pub(crate) fn of(payload: &'a Payload, older: Option<&'a Payload>) -> Self {
        let steps = Steps::of(payload, Mode::Updating);
        Self {
            payload,
            older: older.map(|older| (older, Difference::of(older, payload))),
            problems: problems(payload, older, &steps),
            steps,
        }
    }

    pub(crate) fn fails(&self, fail_on: FailOn) -> bool {
        self.problems.iter().any(|problem| fail_on.is_reached(problem.severity))
    }

    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        human::write_steps(self, style, out)?;
        wrapped(style, out, |out| human::write_rest(self, style, out))
    }

    /// The file of a problem, with the line and the column if they are known.
    fn place(&self, problem: &Problem) -> Option<(&'a str, Option<(usize, usize)>)> {
        let at = problem.at?;
        let source = self.payload.sources.get(at.source);
        let position = (at.end > 0).then(|| source.position(at.start));
        Some((source.path(), position.map(|position| (position.line, position.column))))
    }
}
