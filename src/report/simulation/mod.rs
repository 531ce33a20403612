//! A simulation, in words and for programs.

mod dropped;
mod explanation;
mod human;
mod json;
mod markdown;
mod nearest_exits;
mod stranded_group;

pub(crate) use explanation::write_explanation;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::analysis::{
    ClusterCounts, Goal, RankedRisk, RiskNameId, SimulatedChannel, Simulation, Stranded,
    ranked_risks,
};
use crate::domain::{Named, Severity, channel_name};
use crate::graph::{DeclarationId, ReasonId};
use crate::lineage::Provenance;
use crate::text::Sources;

use crate::report::Style;
use crate::text::words::counted;

/// The channels in which releases are not stranded for a goal, by version.
type Elsewhere<'a> = BTreeMap<(&'a str, Goal), Vec<&'a str>>;

/// What a simulation has to say.
#[derive(Debug)]
pub(crate) struct SimulationReport<'a> {
    /// What was found.
    pub simulation: &'a Simulation<'a>,
    /// The files of the repository; none for a graph without one.
    pub sources: Option<&'a Sources>,
    /// Where the updates come from.
    pub provenance: &'a Provenance,
    /// How many updates are uncertain.
    pub uncertain: usize,
    /// Which releases were judged, in words.
    pub judged: String,
    /// How many clusters run each release, where that is known.
    pub clusters: Option<&'a ClusterCounts>,
}

/// The formats of a simulation's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SimulationFormat {
    /// For a terminal.
    Human,
    /// For programs; `exitpath schema simulation` describes it.
    Json,
    /// For a pull request.
    Markdown,
}

impl Named for SimulationFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json, Self::Markdown];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Markdown => "markdown",
        }
    }
}

impl SimulationReport<'_> {
    /// Writes the report in one format.
    pub(crate) fn write(
        &self,
        format: SimulationFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            SimulationFormat::Human => human::write(self, style, out),
            SimulationFormat::Json => json::write(self, out),
            SimulationFormat::Markdown => markdown::write(self, out),
        }
    }

    /// How bad the worst of it is.
    #[must_use]
    pub(crate) fn worst(&self) -> Option<Severity> {
        let channels = self.simulation.channels.iter();
        let stranded = channels.clone().flat_map(|channel| &channel.stranded);
        let misread = channels.flat_map(|channel| &channel.dropped);
        let stranded = stranded.map(Self::severity);
        stranded.chain(misread.map(|misread| dropped::severity(&misread.how))).max()
    }

    /// How bad it is that a release is stranded: an error where no cluster has a path, by the graph
    /// or by risks that affect every cluster; the rest is so for clusters that all risks affect.
    fn severity(stranded: &Stranded) -> Severity {
        let is_error = stranded.is_certain && stranded.is_for_all;
        if is_error { Severity::Error } else { Severity::Warning }
    }

    /// Whether every risk of a set affects every cluster.
    fn is_always(&self, set: &[RiskNameId]) -> bool {
        set.iter().all(|risk| self.simulation.names.is_always(*risk))
    }

    /// Which clusters bear all risks of a set, where that is known.
    fn whom(&self, set: &[RiskNameId]) -> Option<String> {
        if self.is_always(set) {
            return Some("affects all clusters".to_owned());
        }
        let (_, _, conflict) = self.simulation.contradictions.of(set)?;
        Some(format!(
            "but no cluster has both {} and {} in {}",
            conflict.one, conflict.other, conflict.metric
        ))
    }

    /// The channels in which somebody is stranded.
    fn affected(&self) -> impl Iterator<Item = &SimulatedChannel> {
        self.simulation.channels.iter().filter(|channel| !channel.stranded.is_empty())
    }

    /// The other channels in which a stranded release has a way.
    fn ways_out<'e>(
        &self,
        elsewhere: &Elsewhere<'e>,
        channel: &'e SimulatedChannel,
        stranded: &Stranded,
    ) -> Vec<&'e str> {
        let own = self.simulation.name(channel.channel);
        // To reach a minor, only another channel of that minor helps.
        let helps = |other: &&str| {
            *other != own && (stranded.goal != Goal::Minor || minor_of(other) == minor_of(own))
        };
        let version = channel.graph.version(stranded.release);
        let found = elsewhere.get(&(version, stranded.goal)).into_iter().flatten().copied();
        found.filter(helps).collect()
    }

    fn names(&self, ids: &[RiskNameId]) -> Vec<&str> {
        ids.iter().map(|id| self.simulation.names.name(*id)).collect()
    }

    /// The files whose declarations are the reason for an update's state, each once, in order.
    fn declared_in(&self, reason: ReasonId) -> Vec<String> {
        let graph = self.simulation.graph;
        let Some(sources) = self.sources else { return Vec::new() };
        let path = |id: &DeclarationId| {
            let declaration = &graph.declarations[*id];
            sources.path(declaration.to.source).to_owned()
        };
        graph.reasons[reason].declarations.iter().map(path).collect()
    }

    /// How many releases are stranded in how many channels, in words; nothing where none is.
    fn headline(&self) -> Option<String> {
        let stranded = self.affected().flat_map(|channel| {
            channel.stranded.iter().map(|one| channel.graph.version(one.release))
        });
        let versions: BTreeSet<&str> = stranded.collect();
        let names = self.affected().map(|channel| self.simulation.name(channel.channel));
        let channels = names.collect::<BTreeSet<&str>>().len();
        let (releases, channels) =
            (counted(versions.len(), "release"), counted(channels, "channel"));
        (!versions.is_empty()).then(|| format!("{releases} stranded in {channels}"))
    }

    /// The risks of a channel by whom their end alone would unblock, the best first.
    fn fixes(&self, channel: &SimulatedChannel) -> Vec<RankedRisk> {
        let clusters = |version: &str| self.clusters.map_or(0, |clusters| clusters.on(version));
        ranked_risks(channel, self.clusters.is_some().then_some(&clusters))
    }

    /// Where the updates come from, in one sentence.
    fn provenance(&self) -> String {
        let uncertain = match self.uncertain {
            0 => String::new(),
            1 => "; 1 of them is uncertain".to_owned(),
            n => format!("; {n} of them are uncertain"),
        };
        format!("Updates are from {}{uncertain}.", self.provenance.in_words())
    }
}

/// The minor in a channel's name.
fn minor_of(channel: &str) -> Option<&str> {
    channel_name::split(channel).map(|(_, minor)| minor)
}
