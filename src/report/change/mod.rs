//! What a change does to clusters, in words and for programs.

mod edges;
mod exits;
mod human;
mod json;
mod markdown;
mod told;

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::analysis::Simulation;
use crate::change::{BrokenStatement, Comparison, ExitEntry, GraphChange, Stated, broken};
use crate::domain::{Named, Severity};
use crate::lineage::Provenance;

use crate::report::Style;

pub(super) use human::write_updates as write_human;
pub(super) use json::Document;
pub(super) use markdown::write_updates as write_markdown;
pub(super) use told::verdict;

/// What a change does.
#[derive(Debug)]
pub struct ChangeReport<'a> {
    /// What becomes of updates, channels, declarations and exit paths.
    pub change: &'a GraphChange<'a>,
    /// What its author says that it does.
    pub expectations: &'a [Stated],
    /// What the change is held against, as a person names it.
    pub base: &'a str,
    /// The same as a commit.
    pub base_commit: &'a str,
    /// What it leads to, as a person names it.
    pub head: &'a str,
    /// Where the updates come from.
    pub provenance: &'a Provenance,
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

impl Named for ChangeFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json, Self::Markdown, Self::Edges];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Edges => "edges",
        }
    }
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
        self.change.is_idle()
    }

    /// The statements of its author that are not so.
    #[must_use]
    pub fn broken(&self) -> Vec<BrokenStatement> {
        broken(self.expectations, self.change)
    }

    fn comparison(&self) -> &Comparison {
        &self.change.comparison
    }

    /// What is compared, in words. Unaffected reads a whole commit id.
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

    /// How bad it is for those who are newly stranded.
    fn worst(&self) -> Option<Severity> {
        let exits = &self.change.exits;
        let worst = exits.stranded.iter().map(|entry| entry.severity(&exits.after)).max();
        if self.broken().is_empty() { worst } else { Some(Severity::Error) }
    }

    /// How many releases some entries speak of.
    fn count(entries: &[ExitEntry], simulation: &Simulation<'_>) -> usize {
        let version = |entry: &ExitEntry| {
            let (channel, one) = entry.of(simulation);
            channel.graph.version(one.release).to_owned()
        };
        entries.iter().map(version).collect::<BTreeSet<String>>().len()
    }
}
