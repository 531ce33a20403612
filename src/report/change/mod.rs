//! What a change does to clusters, in words and for programs.

mod edges;
mod exits;
mod human;
mod json;
mod markdown;
mod told;

use std::io::{self, Write};

use crate::analysis::Simulation;
use crate::comparison::{Comparison, Exits};
use crate::text::Sources;

use super::simulation::SimulationReport;
use super::{Severity, Style};

pub(super) use human::write_updates as write_human;
pub(super) use json::Document;
pub(super) use markdown::write_updates as write_markdown;
pub(super) use told::verdict;

/// What a change does.
#[derive(Debug)]
pub struct ChangeReport<'a> {
    /// What becomes of updates, channels and risks.
    pub comparison: &'a Comparison,
    /// What becomes of exit paths.
    pub exits: &'a Exits<'a>,
    /// The files before.
    pub before: &'a Sources,
    /// The files after.
    pub after: &'a Sources,
    /// What the change is held against, as a person names it.
    pub base: &'a str,
    /// The same as a commit.
    pub base_commit: &'a str,
    /// What it leads to, as a person names it.
    pub head: &'a str,
    /// Where the updates come from.
    pub source: &'a str,
    /// What is to be known of that.
    pub notes: &'a [String],
    /// The day of the newest change that the history knows of, where it tells.
    pub as_of: Option<&'a str>,
}

/// The formats of a change's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeFormat {
    /// For a terminal.
    Human,
    /// For programs; `exitpath schema diff` describes it.
    Json,
    /// For a pull request.
    Markdown,
    /// The updates, before and after, in the maintainers' own notation.
    Edges,
}

impl ChangeReport<'_> {
    /// Writes the report in one format.
    pub fn write(&self, format: ChangeFormat, style: Style, out: &mut dyn Write) -> io::Result<()> {
        match format {
            ChangeFormat::Human => human::write(self, style, out),
            ChangeFormat::Json => json::write(self, out),
            ChangeFormat::Markdown => markdown::write(self, out),
            ChangeFormat::Edges => edges::write(self, out),
        }
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.comparison.is_idle() && self.exits.is_idle()
    }

    /// What is compared, in words. Nobody reads a whole commit id.
    fn range(&self) -> String {
        let short = |name: &str| {
            let id = name.bytes().take_while(u8::is_ascii_hexdigit).count();
            let (id, rest) = name.split_at(if id == 40 { id } else { 0 });
            format!("{}{rest}", id.get(..10).unwrap_or_default())
        };
        format!("from {} to {}", short(self.base), short(self.head))
    }

    /// The whole in one line.
    pub(super) fn verdict(&self) -> String {
        format!("{}: {}", self.range(), told::verdict(self))
    }

    /// A report of who is stranded or freed.
    fn of_exits<'r>(
        &'r self,
        simulation: &'r Simulation<'r>,
        sources: &'r Sources,
    ) -> SimulationReport<'r> {
        SimulationReport {
            simulation,
            sources: Some(sources),
            source: self.source,
            notes: self.notes,
            as_of: self.as_of,
            uncertain: 0,
            judged: String::new(),
        }
    }

    /// How bad it is for those who are newly stranded.
    fn worst(&self) -> Option<Severity> {
        self.of_exits(&self.exits.stranded, self.after).worst()
    }

    /// How many releases some simulation tells of.
    fn count(simulation: &Simulation<'_>) -> usize {
        let channels = simulation.channels.iter();
        let mut versions: Vec<&str> = channels
            .flat_map(|channel| {
                channel.stranded.iter().map(|one| channel.ways.versions[one.release].as_str())
            })
            .collect();
        versions.sort_unstable();
        versions.dedup();
        versions.len()
    }
}
