//! Releases that are stranded alike, of which a report speaks once.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::analysis::{Cause, ChannelGraph, Goal, MemberId, NearExit, SimulatedChannel, Stranded};
use crate::domain::Severity;
use crate::report::words;
use crate::text::words::{listed, releases};

use super::nearest_exits::Nearest;
use super::{Elsewhere, SimulationReport, minor_of};

/// Releases that are stranded alike, in channels that are alike in that.
pub(super) struct StrandedGroup<'a> {
    report: &'a SimulationReport<'a>,
    channels: Vec<&'a SimulatedChannel>,
    /// The releases, in order.
    releases: Vec<&'a Stranded>,
    /// Where the newest of them would find a way.
    pub(super) exits: Vec<NearExit>,
    /// Other channels in which the newest of them has a way.
    pub(super) ways_out: Vec<&'a str>,
}

/// A set of risks that strands releases.
pub(super) struct Set<'a> {
    pub(super) names: Vec<&'a str>,
    /// Which clusters bear it, where that is known.
    pub(super) whom: Option<String>,
}

impl<'a> StrandedGroup<'a> {
    /// All that a report tells of: the worst first, then in the order of its channels.
    pub(super) fn all(report: &'a SimulationReport<'a>) -> Vec<Self> {
        let elsewhere = report.simulation.not_stranded();
        let mut nearest = Nearest::of(report.simulation);
        let mut all = Self::gathered(report, |channel, releases| {
            let exits = nearest.to(channel, releases[releases.len() - 1]).unwrap_or_default();
            Self::new(report, channel, releases, exits, &elsewhere)
        });
        all.sort_by_key(|group| Reverse(group.severity()));
        all
    }

    fn gathered(
        report: &'a SimulationReport<'a>,
        mut made: impl FnMut(&'a SimulatedChannel, Vec<&'a Stranded>) -> Self,
    ) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for channel in report.affected() {
            for releases in alike(report, channel) {
                let group = made(channel, releases);
                match all.iter_mut().find(|known| known.is_like(&group)) {
                    Some(known) => known.channels.push(channel),
                    None => all.push(group),
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
        elsewhere: &Elsewhere<'a>,
    ) -> Self {
        let newest = releases[releases.len() - 1];
        let ways_out = report.ways_out(elsewhere, channel, newest);
        Self { report, channels: vec![channel], exits, ways_out, releases }
    }

    fn is_like(&self, other: &Self) -> bool {
        let version = |group: &Self, at: MemberId| group.graph().version(at).to_owned();
        let has_same_exits = || {
            let mut pairs = self.exits.iter().zip(&other.exits);
            self.exits.len() == other.exits.len()
                && pairs.all(|(a, b)| {
                    version(self, a.from) == version(other, b.from)
                        && version(self, a.to) == version(other, b.to)
                })
        };
        // What tells most apart comes first.
        are_alike(self.report, self.first(), other.first())
            && self.releases.len() == other.releases.len()
            && self.channels[0].architectures == other.channels[0].architectures
            && self.ways_out == other.ways_out
            && self.versions() == other.versions()
            && self.what() == other.what()
            && has_same_exits()
    }

    fn graph(&self) -> &'a ChannelGraph {
        &self.channels[0].graph
    }

    pub(super) fn first(&self) -> &'a Stranded {
        self.releases[0]
    }

    /// The releases' versions, in order.
    pub(super) fn versions(&self) -> Vec<&'a str> {
        self.releases.iter().map(|one| self.graph().version(one.release)).collect()
    }

    /// The releases, in words.
    pub(super) fn who(&self) -> String {
        releases(&self.versions())
    }

    /// The names of the channels, in order.
    pub(super) fn channels(&self) -> Vec<&'a str> {
        let names = self.channels.iter().map(|one| self.report.simulation.name(one.channel));
        let mut names: Vec<&str> = names.collect();
        // Architectures that differ in what is not told here.
        names.dedup();
        names
    }

    /// The architectures that it is so for.
    pub(super) fn architectures(&self) -> String {
        words::architectures(self.channels[0].architectures)
    }

    pub(super) fn severity(&self) -> Severity {
        let severities = self.releases.iter().map(|one| SimulationReport::severity(one));
        severities.max().unwrap_or(Severity::Warning)
    }

    /// Whether it hangs on no update that nobody can be sure of.
    pub(super) fn is_certain(&self) -> bool {
        self.releases.iter().all(|one| one.is_certain)
    }

    /// Whether so many risks meet that some sets were not looked for.
    pub(super) fn is_incomplete(&self) -> bool {
        self.channels[0].is_incomplete
    }

    /// What cannot be reached, in words.
    pub(super) fn what(&self) -> String {
        let several = self.releases.len() > 1;
        let (have, their) = if several { ("have", "their") } else { ("has", "its") };
        match self.first().goal {
            Goal::Any => format!("{have} no exit path"),
            Goal::Patch => format!("cannot reach the newest patch of {their} minor"),
            Goal::Minor => {
                let minor = minor_of(self.channels()[0]).unwrap_or("the channel's minor");
                format!("cannot reach {minor}")
            }
        }
    }

    /// The smallest sets of risks that strand the releases.
    pub(super) fn sets(&self) -> Vec<Set<'a>> {
        let sets = self.first().smallest_sets(&self.report.simulation.names).into_iter();
        let sets = sets.filter(|set| !set.is_empty());
        sets.map(|set| Set { names: self.report.names(set), whom: self.report.whom(set) }).collect()
    }

    /// How many of the releases larger sets strand, too.
    pub(super) fn with_larger_sets(&self) -> usize {
        let least = |one: &Stranded| one.sets.first().map_or(0, Vec::len);
        let has =
            |one: &&&Stranded| !one.is_for_all && one.sets.iter().any(|set| set.len() > least(one));
        self.releases.iter().filter(has).count()
    }

    /// What helps, in words: the risks of which the end of one alone would open a way.
    pub(super) fn help(&self) -> Option<String> {
        match self.report.names(&self.first().unblocked_by).as_slice() {
            [] if self.first().cause == Cause::Risks => {
                Some("removing any one risk is not enough".to_owned())
            }
            [] => None,
            some => Some(format!("unblocked once {} is removed", listed(some, "or"))),
        }
    }

    /// The names of the risks that close a exit; none where it is blocked.
    pub(super) fn exit_risks(&self, exit: &NearExit) -> Vec<&'a str> {
        let graph = self.report.simulation.graph;
        graph.risk_names(&graph.reasons[exit.reason].state)
    }

    /// A exit, and the files that close it.
    pub(super) fn exit(&self, exit: &NearExit) -> (&'a str, &'a str, Vec<String>) {
        let mut files = self.report.declared_in(exit.reason);
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.clone()));
        (self.graph().version(exit.from), self.graph().version(exit.to), files)
    }
}

/// Releases of a channel that are stranded alike, in order.
fn alike<'a>(
    report: &SimulationReport<'_>,
    channel: &'a SimulatedChannel,
) -> Vec<Vec<&'a Stranded>> {
    let mut groups: Vec<Vec<&Stranded>> = Vec::new();
    for one in channel.reported() {
        match groups.iter_mut().find(|group| are_alike(report, group[0], one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// Whether the same smallest sets strand two releases: of larger ones, each has its own.
fn are_alike(report: &SimulationReport<'_>, a: &Stranded, b: &Stranded) -> bool {
    let names = &report.simulation.names;
    (a.goal, a.cause, a.is_for_all, &a.unblocked_by)
        == (b.goal, b.cause, b.is_for_all, &b.unblocked_by)
        && a.smallest_sets(names) == b.smallest_sets(names)
}
