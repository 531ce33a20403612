//! What a change does to exit paths: which releases it strands, and which it unblocks.

use std::collections::{HashMap, HashSet};

use crate::domain::Severity;
use crate::graph::{ChannelId, UpdateGraph};
use crate::version::Version;

use super::exits::{Cause, Goal, Open, Stranded, Who};
use super::former::Former;
use super::names::Removal;
use super::sets::LARGEST;
use super::simulation::{Request, Simulated, Simulation};
use super::ways::Trust;

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
    pub freed: Vec<Entry>,
}

/// A release and a goal that a change makes a difference to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The channel, by its place in the simulation.
    pub channel: usize,
    /// The stranded release, by its place in the channel's list.
    pub stranded: usize,
    /// The architectures that it is so for.
    pub architectures: Vec<String>,
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
    Freed,
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
    pub architectures: &'q [&'q str],
    /// Whether a release of a channel is supported.
    pub is_supported: &'q (dyn Fn(&str, &Version) -> bool + Sync),
}

impl<'g> ExitChange<'g> {
    /// What a change does to the exit paths of supported releases.
    #[must_use]
    pub fn of(question: &ExitQuestion<'g, '_>) -> Self {
        let channels = |graph: &UpdateGraph| -> Vec<ChannelId> {
            let name = |id: &ChannelId| (question.channels)(&graph.channels[id.0 as usize]);
            graph.advised_channels().filter(name).collect()
        };
        let was = channels(question.before);
        let former = Former::of(question.before, &was, question.architectures);
        let simulated = |graph: &'g UpdateGraph, channels, former| {
            let request = Request {
                channels,
                architectures: question.architectures.to_vec(),
                removal: Removal::default(),
                goals: Goal::ALL.to_vec(),
                largest_set: LARGEST / 2,
                former,
            };
            Simulation::of(graph, &request, question.is_supported)
        };
        let (before, after) = rayon::join(
            || simulated(question.before, was, None),
            || simulated(question.after, channels(question.after), Some(&former)),
        );
        let mut sides = Sides { before: Known::of(&before), reach: HashMap::new() };
        let (mut stranded, mut conditional_only) = (Vec::new(), Vec::new());
        for entry in sides.lost(&after) {
            match entry.effect {
                Effect::ConditionalOnly => conditional_only.push(entry),
                _ => stranded.push(entry),
            }
        }
        let freed = freed(&before, &Known::of(&after));
        imply(&after, &mut stranded);
        let mut change = Self { before, after, stranded, conditional_only, freed };
        imply(&change.before, &mut change.freed);
        change
    }

    /// Says of every architecture what is so for the one that was looked at.
    pub fn speak_for(&mut self, architectures: &[&str]) {
        let all: Vec<String> = architectures.iter().map(|&arch| arch.to_owned()).collect();
        for side in [&mut self.before, &mut self.after] {
            side.channels.iter_mut().for_each(|channel| channel.architectures.clone_from(&all));
        }
        let entries = self.stranded.iter_mut().chain(&mut self.conditional_only);
        for entry in entries.chain(&mut self.freed) {
            entry.architectures.clone_from(&all);
        }
    }

    /// Whether the change makes no difference to anybody's exit path.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.stranded.is_empty() && self.freed.is_empty()
    }
}

impl Entry {
    /// The channel and the stranded release that it speaks of.
    #[must_use]
    pub fn of<'s>(&self, simulation: &'s Simulation<'_>) -> (&'s Simulated, &'s Stranded) {
        let channel = &simulation.channels[self.channel];
        (channel, &channel.stranded[self.stranded])
    }

    /// Effect bad it is. An error is what nobody can have meant: no cluster is offered an update.
    /// Risks are declared on purpose, and a block on the newest patch is, too.
    #[must_use]
    pub fn severity(&self, simulation: &Simulation<'_>) -> Severity {
        let (_, one) = self.of(simulation);
        match self.effect {
            Effect::ConditionalOnly | Effect::Freed => Severity::Info,
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
    channels: HashMap<(&'s str, &'s str), Places<'s>>,
}

/// A channel's place, and those of its releases by their versions.
type Places<'s> = (usize, HashMap<&'s str, usize>);

impl<'s> Known<'s> {
    fn of(simulation: &'s Simulation<'_>) -> Self {
        let mut channels = HashMap::new();
        for (at, channel) in simulation.channels.iter().enumerate() {
            let name = simulation.name(channel.channel);
            for arch in &channel.architectures {
                let versions = channel.ways.versions.iter().map(String::as_str);
                channels.insert((name, arch.as_str()), (at, versions.zip(0..).collect()));
            }
        }
        Self { simulation, channels }
    }

    /// A release of a channel: the channel's place, and its own.
    fn find(&self, channel: &str, arch: &str, version: &str) -> Option<(usize, usize)> {
        let (at, versions) = self.channels.get(&(channel, arch))?;
        Some((*at, *versions.get(version)?))
    }

    /// What is said of a release that is stranded for a goal.
    fn stranded(&self, (channel, at): (usize, usize), goal: Goal) -> Option<&'s Stranded> {
        let list = &self.simulation.channels[channel].stranded;
        let found = list.binary_search_by_key(&(at, goal), |one| (one.release, one.goal));
        found.ok().map(|found| &list[found])
    }

    /// Whether there is something newer for a release to reach, and it is judged.
    fn is_asked(&self, (channel, at): (usize, usize)) -> bool {
        let channel = &self.simulation.channels[channel];
        channel.is_judged[at] && channel.ways.head().is_some_and(|head| at < head)
    }
}

/// What was reached before: by channel, goal, minor of the patches, and clusters.
type Reached = HashMap<(usize, Goal, (u64, u64), bool), Vec<bool>>;

struct Sides<'s> {
    before: Known<'s>,
    /// What was surely reached before.
    reach: Reached,
}

impl Sides<'_> {
    /// What becomes of the releases that are stranded after a change.
    fn lost(&mut self, after: &Simulation<'_>) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (channel, found) in after.channels.iter().enumerate() {
            let name = after.name(found.channel);
            for (stranded, one) in found.stranded.iter().enumerate() {
                let version = found.ways.versions[one.release].as_str();
                for arch in &found.architectures {
                    let place = self.before.find(name, arch, version);
                    let own = found.ways.minors[one.release];
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
        before: Option<(usize, usize)>,
        own: (u64, u64),
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
            None => (Effect::Lost, Who::Affected),
            Some(was) if !was.is_for_all && one.is_for_all => (Effect::LostForAll, Who::Luckiest),
            Some(_) => return None,
        };
        Some((effect, one.is_certain && self.surely_reached(place, one.goal, own, who)))
    }

    fn surely_reached(
        &mut self,
        (channel, at): (usize, usize),
        goal: Goal,
        own: (u64, u64),
        who: Who,
    ) -> bool {
        let Simulation { names, removal, channels, .. } = self.before.simulation;
        let Simulated { ways, targets, .. } = &channels[channel];
        if !ways.has_doubts() {
            return true;
        }
        let own = if goal == Goal::Patch { own } else { (0, 0) };
        let key = (channel, goal, own, who == Who::Affected);
        let reached = self.reach.entry(key).or_insert_with(|| {
            Open::of(ways, names, targets, removal).reaching(goal, own, who, Trust::Certain)
        });
        reached[at]
    }
}

/// The releases that were stranded before a change and are not after it.
fn freed(before: &Simulation<'_>, after: &Known<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (channel, found) in before.channels.iter().enumerate() {
        let name = before.name(found.channel);
        for (stranded, one) in found.stranded.iter().enumerate() {
            let version = found.ways.versions[one.release].as_str();
            for arch in &found.architectures {
                // What leaves a channel, or becomes its newest, is not unblocked.
                let Some(place) = after.find(name, arch, version) else { continue };
                if after.is_asked(place) && after.stranded(place, one.goal).is_none() {
                    let is_certain = one.is_certain;
                    add(&mut entries, (channel, stranded), arch, Effect::Freed, is_certain);
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
    arch: &str,
    effect: Effect,
    is_certain: bool,
) {
    let own = entries
        .iter_mut()
        .rev()
        .take_while(|known| (known.channel, known.stranded) == (channel, stranded));
    let mut own = own.filter(|known| (known.effect, known.is_certain) == (effect, is_certain));
    if let Some(known) = own.next() {
        known.architectures.push(arch.to_owned());
        return;
    }
    let architectures = vec![arch.to_owned()];
    let is_implied = false;
    entries.push(Entry { channel, stranded, architectures, effect, is_certain, is_implied });
}

/// Marks what a release's having no exit implies.
fn imply(simulation: &Simulation<'_>, entries: &mut [Entry]) {
    let key = |entry: &Entry| (entry.channel, entry.of(simulation).1.release);
    let without_exit = entries.iter().filter(|entry| entry.of(simulation).1.goal == Goal::Any);
    let without_exit: HashSet<(usize, usize)> = without_exit.map(key).collect();
    for entry in entries {
        let is_any = entry.of(simulation).1.goal == Goal::Any;
        entry.is_implied = !is_any && without_exit.contains(&key(entry));
    }
}
