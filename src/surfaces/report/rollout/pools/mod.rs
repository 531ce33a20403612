//! The report of `rollout pool`: how the nodes of pools are updated, event by event.

mod human;
mod json;

use std::io::{self, Write};

use crate::domain::Format;
use crate::pools::{Percentiles, Run, RunEnd};
use crate::report::printed::{Printed, Writer};
use crate::report::{Style, wrapped};
use crate::rollout::Times;

#[derive(Debug)]
pub(crate) struct PoolsReport<'a> {
    pub runs: Vec<PoolRun<'a>>,
    /// The names of pools that are not updated.
    pub paused: Vec<String>,
    pub times: &'a Times,
    /// The times at which to show what `oc get mcp` prints, in seconds from the start.
    pub moments: &'a [u64],
    pub seed: u64,
}

#[derive(Debug)]
pub(crate) struct PoolRun<'a> {
    pub run: Run<'a>,
    /// The age of the pool at the start, in seconds.
    pub age: u64,
    /// None if the times are fixed.
    pub percentiles: Option<Percentiles>,
}

impl Printed for PoolsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl PoolsReport<'_> {
    pub(crate) fn is_stuck(&self) -> bool {
        self.runs.iter().any(|one| matches!(one.run.end, RunEnd::Stuck(_)))
    }

    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        for one in &self.runs {
            wrapped(style, out, |out| human::write_run(self, one, style, out))?;
        }
        human::write_moments(self, style, out)?;
        wrapped(style, out, |out| human::write_rest(self, style, out))
    }
}
