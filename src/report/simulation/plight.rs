//! Releases that are stranded alike, of which a report speaks once.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::analysis::{Cause, Door, Goal, Simulated, Stranded};
use crate::report::words::{self, listed};
use crate::rules::Severity;

use super::nearest::Nearest;
use super::{Elsewhere, SimulationReport, minor_of};

/// Releases that are stranded alike, in channels that are alike in that.
pub(in crate::report) struct Plight<'a> {
    report: &'a SimulationReport<'a>,
    channels: Vec<&'a Simulated>,
    /// The releases, in order.
    releases: Vec<&'a Stranded>,
    /// Where the newest of them would find a way.
    pub(in crate::report) doors: Vec<Door>,
    /// Other channels in which the newest of them has a way.
    pub(in crate::report) ways_out: Vec<&'a str>,
}

/// A set of risks that strands releases.
pub(in crate::report) struct Set<'a> {
    pub(in crate::report) names: Vec<&'a str>,
    /// Which clusters bear it, where that is known.
    pub(in crate::report) whom: Option<String>,
}

impl<'a> Plight<'a> {
    /// All that a report tells of: the worst first, then in the order of its channels.
    pub(in crate::report) fn all(report: &'a SimulationReport<'a>) -> Vec<Self> {
        let elsewhere = report.simulation.ways_out();
        let mut nearest = Nearest::of(report.simulation);
        let mut all = Self::gathered(report, |channel, releases| {
            let doors = nearest.to(channel, releases[releases.len() - 1]).unwrap_or_default();
            Self::new(report, channel, releases, doors, &elsewhere)
        });
        all.sort_by_key(|plight| Reverse(plight.severity()));
        all
    }

    /// The same without a word of where there would be a way.
    pub(in crate::report) fn in_brief(report: &'a SimulationReport<'a>) -> Vec<Self> {
        let nowhere = Elsewhere::new();
        let mut all = Self::gathered(report, |channel, releases| {
            Self::new(report, channel, releases, Vec::new(), &nowhere)
        });
        all.sort_by_key(|plight| (Reverse(plight.severity()), plight.first().goal));
        all
    }

    fn gathered(
        report: &'a SimulationReport<'a>,
        mut made: impl FnMut(&'a Simulated, Vec<&'a Stranded>) -> Self,
    ) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for channel in report.affected() {
            for releases in alike(channel) {
                let plight = made(channel, releases);
                match all.iter_mut().find(|known| known.is_like(&plight)) {
                    Some(known) => known.channels.push(channel),
                    None => all.push(plight),
                }
            }
        }
        all
    }

    fn new(
        report: &'a SimulationReport<'a>,
        channel: &'a Simulated,
        releases: Vec<&'a Stranded>,
        doors: Vec<Door>,
        elsewhere: &Elsewhere<'a>,
    ) -> Self {
        let newest = releases[releases.len() - 1];
        let ways_out = report.ways_out(elsewhere, channel, newest);
        Self { report, channels: vec![channel], doors, ways_out, releases }
    }

    fn is_like(&self, other: &Self) -> bool {
        let version = |plight: &Self, at: usize| plight.channels[0].ways.versions[at].clone();
        let has_same_doors = || {
            let mut pairs = self.doors.iter().zip(&other.doors);
            self.doors.len() == other.doors.len()
                && pairs.all(|(a, b)| {
                    version(self, a.from) == version(other, b.from)
                        && version(self, a.to) == version(other, b.to)
                })
        };
        // What tells most apart comes first.
        are_alike(self.first(), other.first())
            && self.releases.len() == other.releases.len()
            && self.channels[0].architectures == other.channels[0].architectures
            && self.ways_out == other.ways_out
            && self.versions() == other.versions()
            && self.what() == other.what()
            && has_same_doors()
    }

    pub(in crate::report) fn first(&self) -> &'a Stranded {
        self.releases[0]
    }

    /// The releases' versions, in order.
    pub(in crate::report) fn versions(&self) -> Vec<&'a str> {
        let versions = &self.channels[0].ways.versions;
        self.releases.iter().map(|one| versions[one.release].as_str()).collect()
    }

    /// The releases, in words.
    pub(in crate::report) fn who(&self) -> String {
        words::releases(&self.versions())
    }

    /// The names of the channels, in order.
    pub(in crate::report) fn channels(&self) -> Vec<&'a str> {
        self.channels.iter().map(|channel| self.report.simulation.name(channel.channel)).collect()
    }

    /// The architectures that it is so for.
    pub(in crate::report) fn architectures(&self) -> String {
        let some: Vec<&str> = self.channels[0].architectures.iter().map(String::as_str).collect();
        words::architectures(&some)
    }

    pub(in crate::report) fn severity(&self) -> Severity {
        let severities = self.releases.iter().map(|one| self.report.severity(one));
        severities.max().unwrap_or(Severity::Warning)
    }

    /// Whether it hangs on no update that nobody can be sure of.
    pub(in crate::report) fn is_certain(&self) -> bool {
        self.releases.iter().all(|one| one.is_certain)
    }

    /// Whether so many risks meet that some sets were not looked for.
    pub(in crate::report) fn is_cut(&self) -> bool {
        self.channels[0].is_cut
    }

    /// What cannot be reached, in words.
    pub(in crate::report) fn what(&self) -> String {
        let several = self.releases.len() > 1;
        let (have, their) = if several { ("have", "their") } else { ("has", "its") };
        match self.first().goal {
            Goal::Any => format!("{have} no exit at all"),
            Goal::Patch => format!("cannot reach the newest patch of {their} minor"),
            Goal::Minor => {
                let minor = minor_of(self.channels()[0]).unwrap_or("the channel's minor");
                format!("cannot reach {minor}")
            }
        }
    }

    /// The smallest sets of risks that strand the releases.
    pub(in crate::report) fn sets(&self) -> Vec<Set<'a>> {
        let sets = smallest(self.first()).iter().filter(|set| !set.is_empty());
        sets.map(|set| Set { names: self.report.names(set), whom: self.report.whom(set) }).collect()
    }

    /// How many of the releases larger sets strand, too.
    pub(in crate::report) fn with_larger_sets(&self) -> usize {
        let has = |one: &&&Stranded| one.sets.len() > smallest(one).len();
        self.releases.iter().filter(has).count()
    }

    /// What helps, in words: the risks of which the end of one alone would open a way.
    pub(in crate::report) fn help(&self) -> Option<String> {
        let them = if self.releases.len() == 1 { "it is" } else { "they are" };
        match self.report.names(&self.first().freed_by).as_slice() {
            [] if self.first().cause == Cause::Risks => {
                Some("the end of no single risk would help".to_owned())
            }
            [] => None,
            some => Some(format!("{them} free again when {} ends", listed(some, "or"))),
        }
    }

    /// The names of the risks that close a door; none where it is blocked.
    pub(in crate::report) fn door_risks(&self, door: &Door) -> Vec<&'a str> {
        let graph = self.report.simulation.graph;
        graph.risk_names(&graph.reasons[door.reason.0 as usize].state)
    }

    /// A door, and the files that close it.
    pub(in crate::report) fn door(&self, door: &Door) -> (&'a str, &'a str, Vec<String>) {
        let versions = &self.channels[0].ways.versions;
        let mut files = self.report.declared_in(door.reason);
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.clone()));
        (&versions[door.from], &versions[door.to], files)
    }
}

/// Releases of a channel that are stranded alike, in order. Who has no exit at all reaches nothing
/// else either, of which nothing is said then.
fn alike(channel: &Simulated) -> Vec<Vec<&Stranded>> {
    let without_exit = channel.stranded.iter().filter(|one| one.goal == Goal::Any);
    let without_exit: HashSet<usize> = without_exit.map(|one| one.release).collect();
    let is_told = |one: &&Stranded| one.goal == Goal::Any || !without_exit.contains(&one.release);
    let mut groups: Vec<Vec<&Stranded>> = Vec::new();
    for one in channel.stranded.iter().filter(is_told) {
        match groups.iter_mut().find(|group| are_alike(group[0], one)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// Whether the same smallest sets strand two releases: of larger ones, each has its own.
fn are_alike(a: &Stranded, b: &Stranded) -> bool {
    (a.goal, a.cause, smallest(a), &a.freed_by) == (b.goal, b.cause, smallest(b), &b.freed_by)
}

/// The smallest of the sets that strand a release.
fn smallest(stranded: &Stranded) -> &[Vec<u32>] {
    let least = stranded.sets.first().map_or(0, Vec::len);
    let is_larger = |set: &Vec<u32>| set.len() > least;
    let end = stranded.sets.iter().position(is_larger).unwrap_or(stranded.sets.len());
    &stranded.sets[..end]
}
