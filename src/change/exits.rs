//! What a change does to exit paths: which releases it strands, and which it unblocks.

use std::collections::HashMap;

use crate::domain::{Arch, ArchSet, Arena, Minor, Severity, Version};
use crate::graph::{ChannelId, UpdateGraph};

use crate::analysis::{
    Cause, ClusterKind, FormerTargets, Goal, MemberId, Request, Simulated, Simulation, Stranded,
    without_any_exit,
};

/// What a change does to exit paths, with every conditional update removed.
#[derive(Debug)]
pub struct ExitChange<'g> {
    /// The channels before the change.
    pub before: Simulation<'g>,
    /// The channels after it, judged by what releases had to reach before.
    pub after: Simulation<'g>,
    /// The releases that the change strands, in `after`.
    pub stranded: Vec<Entry>,
    /// The releases that join a channel and have only conditional updates there, in `after`.
    pub conditional_only: Vec<Entry>,
    /// The releases that the change unblocks, in `before`.
    pub unblocked: Vec<Entry>,
}

/// A release and a goal that a change makes a difference to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The channel, by its place in the simulation.
    pub channel: usize,
    /// The stranded release, by its place in the channel's list.
    pub stranded: usize,
    /// The architectures that it is so for.
    pub architectures: ArchSet,
    /// What happens to it.
    pub effect: Effect,
    /// Whether it holds whatever is true of the uncertain updates.
    pub is_certain: bool,
    /// Whether the release has lost every exit, so that reports skip its other goals.
    pub is_implied: bool,
}

/// What a change does to a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It joins a channel that has no update from it, not even a conditional one.
    DeadEnd,
    /// Clusters that all risks affect could reach the goal, and cannot any more.
    Lost,
    /// Clusters that no `Always` risk affects could reach the goal, and now no cluster can.
    LostForAll,
    /// It joins a channel that has only conditional updates from it.
    ConditionalOnly,
    /// It could not reach the goal, and now it can.
    Unblocked,
}

/// Two sides of a change, and what is asked of them.
pub struct ExitQuestion<'g, 'q> {
    /// The graph before.
    pub before: &'g UpdateGraph,
    /// The graph after.
    pub after: &'g UpdateGraph,
    /// The channels to look at, by name.
    pub channels: &'q (dyn Fn(&str) -> bool + Sync),
    /// The architectures.
    pub architectures: &'q [Arch],
    /// Whether a release of a channel is supported.
    pub is_supported: &'q (dyn Fn(&str, &Version) -> bool + Sync),
}

impl<'g> ExitChange<'g> {
    /// What a change does to the exit paths of supported releases.
    #[must_use]
    pub fn of(question: &ExitQuestion<'g, '_>) -> Self {
        let channels = |graph: &UpdateGraph| -> Vec<ChannelId> {
            let name = |id: &ChannelId| (question.channels)(&graph.channels[*id]);
            graph.advised_channels().filter(name).collect()
        };
        let was = channels(question.before);
        let former = FormerTargets::of(question.before, &was, question.architectures);
        let simulated = |graph: &'g UpdateGraph, channels, former| {
            let request = Request::of(channels, question.architectures.to_vec());
            let request = Request { former, ..request };
            Simulation::of(graph, &request, question.is_supported)
        };
        let (before, after) = rayon::join(
            || simulated(question.before, was, None),
            || simulated(question.after, channels(question.after), Some(&former)),
        );
        let mut sides = Sides { before: Known::of(&before), reached: HashMap::new() };
        let (mut stranded, mut conditional_only) = (Vec::new(), Vec::new());
        for entry in sides.lost(&after) {
            match entry.effect {
                Effect::ConditionalOnly => conditional_only.push(entry),
                _ => stranded.push(entry),
            }
        }
        let unblocked = unblocked(&before, &Known::of(&after));
        imply(&after, &mut stranded);
        let mut change = Self { before, after, stranded, conditional_only, unblocked };
        imply(&change.before, &mut change.unblocked);
        change
    }

    /// Says of every architecture what is so for the one that was looked at.
    pub fn speak_for(&mut self, architectures: &[Arch]) {
        let all: ArchSet = architectures.iter().copied().collect();
        for side in [&mut self.before, &mut self.after] {
            side.channels.iter_mut().for_each(|channel| channel.architectures = all);
        }
        let entries = self.stranded.iter_mut().chain(&mut self.conditional_only);
        for entry in entries.chain(&mut self.unblocked) {
            entry.architectures = all;
        }
    }

    /// Whether the change makes no difference to anybody's exit path.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.stranded.is_empty() && self.unblocked.is_empty()
    }
}

impl Entry {
    /// The channel and the stranded release that it speaks of.
    #[must_use]
    pub fn of<'s>(&self, simulation: &'s Simulation<'_>) -> (&'s Simulated, &'s Stranded) {
        let channel = &simulation.channels[self.channel];
        (channel, &channel.stranded[self.stranded])
    }

    /// How bad it is. An error is what nobody can have meant: no cluster is offered an update.
    /// Risks are declared on purpose, and a block on the newest patch is, too.
    #[must_use]
    pub fn severity(&self, simulation: &Simulation<'_>) -> Severity {
        let (_, one) = self.of(simulation);
        match self.effect {
            Effect::ConditionalOnly | Effect::Unblocked => Severity::Info,
            _ if one.cause == Cause::Graph && one.goal != Goal::Patch && self.is_certain => {
                Severity::Error
            }
            _ => Severity::Warning,
        }
    }
}

/// A side of a change, by channel and architecture.
struct Known<'s> {
    simulation: &'s Simulation<'s>,
    channels: HashMap<(&'s str, Arch), Places<'s>>,
}

/// A channel's place, and those of its releases by their versions.
type Places<'s> = (usize, HashMap<&'s str, MemberId>);

impl<'s> Known<'s> {
    fn of(simulation: &'s Simulation<'_>) -> Self {
        let mut channels = HashMap::new();
        for (at, channel) in simulation.channels.iter().enumerate() {
            let name = simulation.name(channel.channel);
            for arch in channel.architectures.iter() {
                let members = channel.graph.members.entries();
                let by_version = members.map(|(at, member)| (member.version.as_str(), at));
                channels.insert((name, arch), (at, by_version.collect()));
            }
        }
        Self { simulation, channels }
    }

    /// A release of a channel: the channel's place, and its own.
    fn find(&self, channel: &str, arch: Arch, version: &str) -> Option<(usize, MemberId)> {
        let (at, versions) = self.channels.get(&(channel, arch))?;
        Some((*at, *versions.get(version)?))
    }

    /// What is said of a release that is stranded for a goal.
    fn stranded(&self, (channel, at): (usize, MemberId), goal: Goal) -> Option<&'s Stranded> {
        self.simulation.channels[channel].stranded_at(at, goal)
    }

    /// Whether there is something newer for a release to reach, and it is judged.
    fn is_asked(&self, (channel, at): (usize, MemberId)) -> bool {
        let channel = &self.simulation.channels[channel];
        channel.is_judged[at] && channel.graph.head().is_some_and(|head| at < head)
    }
}

struct Sides<'s> {
    before: Known<'s>,
    /// What was surely reached before: by channel, goal, minor of the patches, and clusters.
    reached: HashMap<(usize, Goal, Minor, ClusterKind), Arena<MemberId, bool>>,
}

impl Sides<'_> {
    /// What becomes of the releases that are stranded after a change.
    fn lost(&mut self, after: &Simulation<'_>) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (channel, found) in after.channels.iter().enumerate() {
            let name = after.name(found.channel);
            for (stranded, one) in found.stranded.iter().enumerate() {
                let version = found.graph.version(one.release);
                for arch in found.architectures.iter() {
                    let place = self.before.find(name, arch, version);
                    let own = found.graph.members[one.release].minor;
                    let Some((effect, is_certain)) = self.effect(one, place, own) else { continue };
                    add(&mut entries, (channel, stranded), arch, effect, is_certain);
                }
            }
        }
        entries
    }

    /// What happens to a release that is stranded after a change, and whether that is certain.
    fn effect(
        &mut self,
        one: &Stranded,
        before: Option<(usize, MemberId)>,
        own: Minor,
    ) -> Option<(Effect, bool)> {
        let Some(place) = before else {
            // A release that joins has lost nothing; it only matters whether it can move at all.
            return match (one.goal, one.cause) {
                (Goal::Any, Cause::Graph) => Some((Effect::DeadEnd, one.is_certain)),
                (Goal::Any, Cause::Risks) => Some((Effect::ConditionalOnly, one.is_certain)),
                _ => None,
            };
        };
        if !self.before.is_asked(place) {
            return None;
        }
        let (effect, who) = match self.before.stranded(place, one.goal) {
            None => (Effect::Lost, ClusterKind::Affected),
            Some(was) if !was.is_for_all && one.is_for_all => {
                (Effect::LostForAll, ClusterKind::Luckiest)
            }
            Some(_) => return None,
        };
        Some((effect, one.is_certain && self.surely_reached(place, one.goal, own, who)))
    }

    fn surely_reached(
        &mut self,
        (channel, at): (usize, MemberId),
        goal: Goal,
        own: Minor,
        who: ClusterKind,
    ) -> bool {
        let simulation = self.before.simulation;
        let reached = self.reached.entry((channel, goal, own, who));
        reached.or_insert_with(|| simulation.surely_reaching(channel, goal, own, who))[at]
    }
}

/// The releases that were stranded before a change and are not after it.
fn unblocked(before: &Simulation<'_>, after: &Known<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (channel, found) in before.channels.iter().enumerate() {
        let name = before.name(found.channel);
        for (stranded, one) in found.stranded.iter().enumerate() {
            let version = found.graph.version(one.release);
            for arch in found.architectures.iter() {
                // What leaves a channel, or becomes its newest, is not unblocked.
                let Some(place) = after.find(name, arch, version) else { continue };
                if after.is_asked(place) && after.stranded(place, one.goal).is_none() {
                    let is_certain = one.is_certain;
                    add(&mut entries, (channel, stranded), arch, Effect::Unblocked, is_certain);
                }
            }
        }
    }
    entries
}

/// Adds what happens for one architecture to what happens for the others.
fn add(
    entries: &mut Vec<Entry>,
    (channel, stranded): (usize, usize),
    arch: Arch,
    effect: Effect,
    is_certain: bool,
) {
    let own = entries
        .iter_mut()
        .rev()
        .take_while(|known| (known.channel, known.stranded) == (channel, stranded));
    let mut own = own.filter(|known| (known.effect, known.is_certain) == (effect, is_certain));
    if let Some(known) = own.next() {
        known.architectures.insert(arch);
        return;
    }
    let architectures = ArchSet::from_iter([arch]);
    let is_implied = false;
    entries.push(Entry { channel, stranded, architectures, effect, is_certain, is_implied });
}

/// Marks the entries of releases that have no exit at all: reports skip their other goals.
fn imply(simulation: &Simulation<'_>, entries: &mut [Entry]) {
    let key = |entry: &Entry| (entry.channel, entry.of(simulation).1.release);
    let goal = |entry: &Entry| entry.of(simulation).1.goal;
    let without = without_any_exit(entries.iter().map(|entry| (key(entry), goal(entry))));
    for entry in entries {
        entry.is_implied = goal(entry) != Goal::Any && without.contains(&key(entry));
    }
}
