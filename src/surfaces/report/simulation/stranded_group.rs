//! Groups the stranded releases that a report describes in one entry.
//!
//! A group has one goal, and the same smallest sets of risks strand each of its releases, so that
//! an entry is exact. `analysis::causes` groups for another purpose: it finds the fewest causes
//! that explain all stranded releases, and one of its groups can mix goals and sets. Findings and
//! the reports of changes use that.

use std::cmp::Reverse;

use crate::analysis::{
    Cause, ChannelGraph, Goal, MemberId, NearExit, RiskNameId, SimulatedChannel, Stranded, phrases,
};
use crate::domain::{HashMap, Severity};
use crate::report::words;
use crate::text::words::releases;

use super::nearest_exits::NearestExits;
use super::{NotStranded, SimulationReport, minor_of};

/// Releases that are stranded in the same way, in all channels where that is so.
pub(super) struct StrandedGroup<'a> {
    report: &'a SimulationReport<'a>,
    channels: Vec<&'a SimulatedChannel>,
    /// The releases, oldest first.
    releases: Vec<&'a Stranded>,
    /// The nearest exits of the newest release.
    pub(super) exits: Vec<NearExit>,
    /// The other channels in which none of the releases is stranded.
    pub(super) not_stranded_in: Vec<&'a str>,
}

/// A set of risks that strands releases.
pub(super) struct RiskSet<'a> {
    pub(super) names: Vec<&'a str>,
    /// In words, which clusters all these risks affect, if that is known.
    pub(super) clusters: Option<String>,
}

impl<'a> StrandedGroup<'a> {
    /// All groups of a report: the worst first, then in the order of its channels.
    pub(super) fn all(report: &'a SimulationReport<'a>) -> Vec<Self> {
        let not_stranded = report.simulation.not_stranded();
        let mut nearest = NearestExits::of(report.simulation);
        let mut all = Self::grouped(report, |channel, releases| {
            let exits =
                nearest.of_release(channel, releases[releases.len() - 1]).unwrap_or_default();
            Self::new(report, channel, releases, exits, &not_stranded)
        });
        all.sort_by_key(|group| Reverse(group.severity()));
        all
    }

    fn grouped(
        report: &'a SimulationReport<'a>,
        mut make: impl FnMut(&'a SimulatedChannel, Vec<&'a Stranded>) -> Self,
    ) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut alike: HashMap<Likeness<'_>, Vec<usize>> = HashMap::default();
        for channel in report.channels_with_stranded() {
            for releases in groups_in(report, channel) {
                let group = make(channel, releases);
                let alike = alike.entry(Likeness::of(report, group.first())).or_default();
                if let Some(same) = alike.iter().find(|known| all[**known].describes_same(&group)) {
                    all[*same].channels.push(channel);
                } else {
                    alike.push(all.len());
                    all.push(group);
                }
            }
        }
        all
    }

    fn new(
        report: &'a SimulationReport<'a>,
        channel: &'a SimulatedChannel,
        releases: Vec<&'a Stranded>,
        exits: Vec<NearExit>,
        not_stranded: &NotStranded<'a>,
    ) -> Self {
        let of_each = releases.iter().map(|one| report.not_stranded_in(not_stranded, channel, one));
        let of_all = of_each.reduce(|mut common, others| {
            common.retain(|name| others.contains(name));
            common
        });
        let not_stranded_in = of_all.unwrap_or_default();
        Self { report, channels: vec![channel], exits, not_stranded_in, releases }
    }

    fn describes_same(&self, other: &Self) -> bool {
        // The comparisons that fail most often come first.
        self.releases.len() == other.releases.len()
            && self.channels[0].architectures == other.channels[0].architectures
            && self.not_stranded_in == other.not_stranded_in
            && self.versions() == other.versions()
            && self.problem() == other.problem()
            && self.has_exits_of(other)
    }

    fn has_exits_of(&self, other: &Self) -> bool {
        let version = |group: &Self, at: MemberId| group.graph().version(at).to_owned();
        let mut pairs = self.exits.iter().zip(&other.exits);
        self.exits.len() == other.exits.len()
            && pairs.all(|(a, b)| {
                version(self, a.from) == version(other, b.from)
                    && version(self, a.to) == version(other, b.to)
            })
    }

    fn graph(&self) -> &'a ChannelGraph {
        &self.channels[0].graph
    }

    pub(super) fn first(&self) -> &'a Stranded {
        self.releases[0]
    }

    /// The versions of the releases, oldest first.
    pub(super) fn versions(&self) -> Vec<&'a str> {
        self.releases.iter().map(|one| self.graph().version(one.release)).collect()
    }

    pub(super) fn release_list(&self) -> String {
        releases(&self.versions())
    }

    pub(super) fn channels(&self) -> Vec<&'a str> {
        let names = self.channels.iter().map(|one| self.report.simulation.name(one.channel));
        let mut names: Vec<&str> = names.collect();
        // A channel can be listed more than once, for different architectures.
        names.dedup();
        names
    }

    pub(super) fn architectures(&self) -> String {
        words::architectures(self.channels[0].architectures)
    }

    pub(super) fn severity(&self) -> Severity {
        let severities = self.releases.iter().map(|one| SimulationReport::severity(one));
        severities.max().unwrap_or(Severity::Warning)
    }

    /// A note if it depends on uncertain updates. Empty if it does not.
    pub(super) fn doubt(&self) -> &'static str {
        phrases::doubt(self.releases.iter().all(|one| one.is_certain))
    }

    /// Whether there are too many risks to search all sets of them.
    pub(super) fn is_incomplete(&self) -> bool {
        self.channels[0].is_incomplete
    }

    /// What the releases cannot reach.
    pub(super) fn problem(&self) -> String {
        let minor = minor_of(self.channels()[0]);
        phrases::problem(self.first().goal, minor, self.releases.len() > 1)
    }

    /// The smallest sets of risks that strand the releases.
    pub(super) fn sets(&self) -> Vec<RiskSet<'a>> {
        let sets = self.first().smallest_sets(&self.report.simulation.names).into_iter();
        let sets = sets.filter(|set| !set.is_empty());
        sets.map(|set| RiskSet {
            names: self.report.names(set),
            clusters: self.report.affected_clusters(set),
        })
        .collect()
    }

    /// How many of the releases are also stranded by larger sets.
    pub(super) fn with_larger_sets(&self) -> usize {
        let least = |one: &Stranded| one.sets.first().map_or(0, Vec::len);
        let has =
            |one: &&&Stranded| !one.is_for_all && one.sets.iter().any(|set| set.len() > least(one));
        self.releases.iter().filter(has).count()
    }

    /// What helps, in words: the risks that unblock the releases if one of them is removed.
    pub(super) fn help(&self) -> Option<String> {
        let names = self.report.names(&self.first().unblocked_by);
        let is_by_risks = self.first().cause == Cause::Risks;
        (!names.is_empty() || is_by_risks).then(|| phrases::help(&names))
    }

    /// The names of the risks that close an exit. Empty if it is blocked.
    pub(super) fn exit_risks(&self, exit: &NearExit) -> Vec<&'a str> {
        let graph = self.report.simulation.graph;
        graph.risk_names(&graph.reasons[exit.reason].state)
    }

    /// An exit in words.
    pub(super) fn exit(&self, exit: &NearExit) -> ExitInWords<'a> {
        ExitInWords {
            from: self.graph().version(exit.from),
            to: self.graph().version(exit.to),
            files: self.report.declared_in(exit.reason),
        }
    }
}

/// The ends of an exit, and the files that close it.
pub(super) struct ExitInWords<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) files: Vec<String>,
}

/// The stranded releases of a channel, grouped.
fn groups_in<'a>(
    report: &SimulationReport<'_>,
    channel: &'a SimulatedChannel,
) -> Vec<Vec<&'a Stranded>> {
    let mut groups: Vec<Vec<&Stranded>> = Vec::new();
    let mut places: HashMap<Likeness<'_>, usize> = HashMap::default();
    for one in channel.reported() {
        let group = *places.entry(Likeness::of(report, one)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(one);
    }
    groups
}

/// What the releases of a group have in common. Larger sets may differ.
#[derive(PartialEq, Eq, Hash)]
struct Likeness<'a> {
    goal: Goal,
    cause: Cause,
    is_for_all: bool,
    unblocked_by: &'a [RiskNameId],
    smallest_sets: Vec<&'a Vec<RiskNameId>>,
}

impl<'a> Likeness<'a> {
    fn of(report: &SimulationReport<'_>, one: &'a Stranded) -> Self {
        Self {
            goal: one.goal,
            cause: one.cause,
            is_for_all: one.is_for_all,
            unblocked_by: &one.unblocked_by,
            smallest_sets: one.smallest_sets(&report.simulation.names),
        }
    }
}
