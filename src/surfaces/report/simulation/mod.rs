//! The report of `simulate`: which releases are stranded, by what, and what would help.

mod dropped;
mod explanation;
mod human;
mod json;
mod markdown;
mod nearest_exits;
mod stranded_group;

pub(crate) use explanation::write_explanation;

use std::collections::BTreeSet;

use crate::analysis::{
    Cause, ChosenRisks, ClusterCounts, Goal, RankedRisk, RiskNameId, SimulatedChannel, Simulation,
    Stranded, phrases, ranked_risks,
};
use crate::domain::Format;
use crate::domain::{ArchSet, HashMap, HashSet, Severity, channel_name};
use crate::graph::{DeclarationId, ReasonId};
use crate::lineage::Provenance;
use crate::report::printed::{Printed, Writer};
use crate::report::wrapped;
use crate::text::Sources;
use crate::text::words::{counted, grouped, listed};

/// For each version and goal, the channels in which the release is not stranded.
type NotStranded<'a> = HashMap<(&'a str, Goal), Vec<(&'a str, ArchSet)>>;

#[derive(Debug)]
pub(crate) struct SimulationReport<'a> {
    pub simulation: &'a Simulation<'a>,
    /// The files of the repository. None for a graph without a repository.
    pub sources: Option<&'a Sources>,
    /// Where the updates come from.
    pub provenance: &'a Provenance,
    /// The number of uncertain updates.
    pub uncertain: usize,
    /// Which releases were checked, in words.
    pub checked: String,
    /// What the service does not load, which makes its graph different from this one.
    pub not_loaded: &'a [String],
    /// How many clusters run each release, if that is known.
    pub clusters: Option<&'a ClusterCounts>,
}

impl Printed for SimulationReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| human::write(report, style, out))
            }
            Format::Json => |report, _, out| json::write(report, out),
            Format::Markdown => |report, _, out| markdown::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl SimulationReport<'_> {
    /// The worst severity in the report.
    pub(crate) fn worst(&self) -> Option<Severity> {
        if !self.not_loaded.is_empty() {
            return Some(Severity::Error);
        }
        self.worst_of_graph()
    }

    fn worst_of_graph(&self) -> Option<Severity> {
        let channels = self.simulation.channels.iter();
        let stranded = channels.clone().flat_map(|channel| &channel.stranded);
        let dropped = channels.flat_map(|channel| &channel.dropped);
        let stranded = stranded.map(Self::severity);
        stranded.chain(dropped.map(|update| dropped::severity(&update.how))).max()
    }

    /// An error if no cluster has a path, because of the graph or of risks that affect all
    /// clusters. A warning if only clusters that all the risks affect have none, or if a block on
    /// the newest patch is the only reason, because that is done on purpose. `check` and `diff`
    /// report the same severities.
    fn severity(stranded: &Stranded) -> Severity {
        let is_only_patch = stranded.cause == Cause::Graph && stranded.goal == Goal::Patch;
        let is_error = stranded.is_certain && stranded.is_for_all && !is_only_patch;
        if is_error { Severity::Error } else { Severity::Warning }
    }

    /// Whether every risk of a set affects all clusters.
    fn is_always(&self, set: &[RiskNameId]) -> bool {
        set.iter().all(|risk| self.simulation.names.is_always(*risk))
    }

    /// In words, which clusters all risks of a set affect, if that is known.
    fn affected_clusters(&self, set: &[RiskNameId]) -> Option<String> {
        if self.is_always(set) {
            return Some("affects all clusters".to_owned());
        }
        let (_, _, conflict) = self.simulation.contradictions.of(set)?;
        Some(format!("but {}", phrases::conflict(conflict)))
    }

    fn channels_with_stranded(&self) -> impl Iterator<Item = &SimulatedChannel> {
        self.simulation.channels.iter().filter(|channel| !channel.stranded.is_empty())
    }

    /// The other channels in which a stranded release is not stranded for the same goal, on any of
    /// the channel's architectures.
    fn not_stranded_in<'e>(
        &self,
        not_stranded: &NotStranded<'e>,
        channel: &'e SimulatedChannel,
        stranded: &Stranded,
    ) -> Vec<&'e str> {
        let own = self.simulation.name(channel.channel);
        // To reach a minor, only another channel of that minor helps.
        let helps = |other: &&str| {
            *other != own && (stranded.goal != Goal::Minor || minor_of(other) == minor_of(own))
        };
        let version = channel.graph.version(stranded.release);
        let found = not_stranded.get(&(version, stranded.goal)).into_iter().flatten();
        let found = found.filter(|(_, architectures)| architectures.has_all(channel.architectures));
        found.map(|(name, _)| *name).filter(helps).collect()
    }

    fn names(&self, ids: &[RiskNameId]) -> Vec<&str> {
        ids.iter().map(|id| self.simulation.names.name(*id)).collect()
    }

    /// The files with the declarations behind a reason, each once, in order.
    fn declared_in(&self, reason: ReasonId) -> Vec<String> {
        let graph = self.simulation.graph;
        let Some(sources) = self.sources else { return Vec::new() };
        let path = |id: &DeclarationId| {
            let declaration = &graph.declarations[*id];
            sources.path(declaration.to.source).to_owned()
        };
        let mut files: Vec<String> = graph.reasons[reason].declarations.iter().map(path).collect();
        let mut seen = HashSet::default();
        files.retain(|file| seen.insert(file.clone()));
        files
    }

    /// The result in one line.
    fn verdict(&self) -> String {
        let affecting = &self.simulation.affecting;
        let closed = match affecting.chosen {
            ChosenRisks::All => "with every conditional update removed",
            ChosenRisks::Always => "with `Always`-risk updates removed",
            ChosenRisks::Only(_) => "with the updates of the chosen risks removed",
            ChosenRisks::AllBut(_) => {
                "with every conditional update removed except those of the kept risks"
            }
        };
        let accepted: Vec<&str> = affecting.accepted.iter().map(String::as_str).collect();
        let closed = match accepted.as_slice() {
            [] => closed.to_owned(),
            some => format!("{closed}, and {} accepted", listed(some, "and")),
        };
        let closed = match self.not_loaded.len() {
            0 => closed,
            number => format!(
                "the service does not serve this graph, because of {}; {closed}",
                counted(number, "file")
            ),
        };
        match (self.headline(), self.worst_of_graph()) {
            (Some(headline), _) => format!("{closed}, {headline}"),
            (None, None) => format!("{closed}, every supported release has an exit path"),
            (None, Some(_)) => format!(
                "{closed}, every supported release has an exit path, but clusters do not take every update as it is written"
            ),
        }
    }

    /// How many channels were simulated, and which releases were checked.
    fn scope(&self) -> String {
        let names = |channels: &mut dyn Iterator<Item = &SimulatedChannel>| {
            channels.map(|channel| self.simulation.name(channel.channel)).collect::<BTreeSet<_>>()
        };
        let all = names(&mut self.simulation.channels.iter()).len();
        let affected = names(&mut self.channels_with_stranded()).len();
        let without = match affected {
            0 => String::new(),
            some if some == all => String::new(),
            some => format!(", {} of them without stranded releases", grouped(all - some)),
        };
        format!("Simulated: {}{without}. Checked: {}.", counted(all, "channel"), self.checked)
    }

    /// How many releases are stranded in how many channels, in words. None if no release is.
    fn headline(&self) -> Option<String> {
        let stranded = self.channels_with_stranded().flat_map(|channel| {
            channel.stranded.iter().map(|one| channel.graph.version(one.release))
        });
        let versions: BTreeSet<&str> = stranded.collect();
        let names =
            self.channels_with_stranded().map(|channel| self.simulation.name(channel.channel));
        let channels = names.collect::<BTreeSet<&str>>().len();
        let (releases, channels) =
            (counted(versions.len(), "release"), counted(channels, "channel"));
        (!versions.is_empty()).then(|| format!("{releases} stranded in {channels}"))
    }

    /// The risks of a channel by the releases that removing one of them unblocks, the best first.
    fn fixes(&self, channel: &SimulatedChannel) -> Vec<RankedRisk> {
        let name = self.simulation.name(channel.channel);
        let clusters =
            |version: &str| self.clusters.map_or(0, |clusters| clusters.on(version, name));
        ranked_risks(channel, self.clusters.is_some().then_some(&clusters))
    }

    fn provenance(&self) -> String {
        let source = self.provenance.in_words();
        format!("Updates are from {source}{}.", self.provenance.gaps())
    }
}

fn minor_of(channel: &str) -> Option<&str> {
    channel_name::split(channel).map(|(_, minor)| minor)
}
