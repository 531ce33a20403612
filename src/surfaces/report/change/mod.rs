//! The report of `diff`: what a change does to clusters.

mod edges;
mod exits;
mod human;
mod items;
mod json;
mod markdown;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{ClusterCounts, Simulation};
use crate::change::{BrokenStatement, Comparison, ExitEntry, GraphChange, Stated, broken};
use crate::domain::Format;
use crate::domain::Severity;
use crate::lineage::Provenance;
use crate::report::printed::{Printed, Writer};
use crate::report::wrapped;

pub(super) use exits::{SentenceWithDetails, exit_sentences};
pub(super) use human::write_updates as write_human;
pub(super) use items::verdict;
pub(super) use json::ChangeJson;
pub(super) use markdown::write_updates as write_markdown;

#[derive(Debug)]
pub struct ChangeReport<'a> {
    pub change: &'a GraphChange<'a>,
    /// The expectations of its author.
    pub expectations: &'a [Stated],
    /// The expectations that are not fulfilled.
    pub broken: Vec<BrokenStatement<'a>>,
    pub revisions: ComparedRevisions<'a>,
    /// Where the updates come from.
    pub provenance: &'a Provenance,
    /// How many clusters run each release, if that is known.
    pub(crate) clusters: Option<&'a ClusterCounts>,
}

/// The two sides of a change, named as the user named them.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRevisions<'a> {
    pub base: &'a str,
    pub base_commit: &'a str,
    pub head: &'a str,
}

impl Printed for ChangeReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| human::write(report, style, out))
            }
            Format::Json => |report, _, out| json::write(report, out),
            Format::Markdown => |report, _, out| markdown::write(report, out),
            Format::Edges => |report, _, out| edges::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl<'a> ChangeReport<'a> {
    pub fn new(
        change: &'a GraphChange<'a>,
        expectations: &'a [Stated],
        revisions: ComparedRevisions<'a>,
        provenance: &'a Provenance,
    ) -> Self {
        let broken = broken(expectations, change);
        Self { change, expectations, broken, revisions, provenance, clusters: None }
    }

    /// Whether the change does nothing to clusters. It may still break expectations.
    pub fn is_idle(&self) -> bool {
        self.change.is_idle()
    }

    fn comparison(&self) -> &Comparison {
        &self.change.comparison
    }

    /// What is compared, in words. Commit ids are shortened.
    fn range(&self) -> String {
        let short = |name: &str| {
            let id = name.bytes().take_while(u8::is_ascii_hexdigit).count();
            let (id, rest) = name.split_at(if id == 40 { id } else { 0 });
            format!("{}{rest}", id.get(..10).unwrap_or_default())
        };
        format!("from {} to {}", short(self.revisions.base), short(self.revisions.head))
    }

    /// The summary, in one line.
    pub(super) fn verdict(&self) -> String {
        format!("{}: {}", self.range(), items::verdict(self))
    }

    /// The worst severity of newly stranded releases and broken expectations.
    fn worst(&self) -> Option<Severity> {
        let worst = exits::sections(self).into_iter().flat_map(|(_, items)| items);
        let worst = worst.filter_map(|item| item.severity).max();
        if self.broken.is_empty() { worst } else { Some(Severity::Error) }
    }

    /// The number of releases in the entries. Each release counts once.
    fn count_releases(entries: &[ExitEntry], simulation: &Simulation<'_>) -> usize {
        let version = |entry: &ExitEntry| {
            let (channel, one) = entry.of(simulation);
            channel.graph.version(one.release).to_owned()
        };
        entries.iter().map(version).collect::<BTreeSet<String>>().len()
    }

    /// How many clusters run the releases of the entries, in the channels of the entries. None if
    /// that is unknown.
    fn clusters_on(&self, entries: &[ExitEntry], simulation: &Simulation<'_>) -> Option<u64> {
        let clusters = self.clusters?;
        let mut channels: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for entry in entries {
            let (channel, one) = entry.of(simulation);
            let version = channel.graph.version(one.release).to_owned();
            channels.entry(version).or_default().insert(simulation.name(channel.channel));
        }
        let counts = channels.into_iter().map(|(version, names)| clusters.on_any(&version, names));
        Some(counts.fold(0, u64::saturating_add))
    }
}
