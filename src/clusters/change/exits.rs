//! Finds the releases that a change strands, and those that it unblocks.

use crate::domain::{Arch, ArchSet, Arena, HashMap, Minor, Severity, Version};
use crate::graph::{ChannelId, UpdateGraph};

use crate::analysis::{
    Cause, ClusterKind, FormerTargets, Goal, MemberId, SimulatedChannel, SimulatedChannelId,
    Simulation, SimulationRequest, Stranded, StrandedId, without_any_exit,
};

/// What a change does to exit paths if all conditional updates are removed.
#[derive(Debug)]
pub struct ExitChange<'g> {
    /// The simulation before the change.
    pub before: Simulation<'g>,
    /// The simulation after the change. Releases have to reach what they had to reach before.
    pub after: Simulation<'g>,
    /// The newly stranded releases. The ids are of `after`.
    pub stranded: Vec<ExitEntry>,
    /// The releases that join a channel and have only conditional updates in it. The ids are of
    /// `after`.
    pub conditional_only: Vec<ExitEntry>,
    /// The unblocked releases. The ids are of `before`.
    pub unblocked: Vec<ExitEntry>,
}

/// A release and a goal with a changed result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitEntry {
    /// The channel.
    pub channel: SimulatedChannelId,
    /// The stranded release and its goal.
    pub stranded: StrandedId,
    /// The architectures with this result.
    pub architectures: ArchSet,
    /// What happens to the release.
    pub effect: Effect,
    /// Whether the result is the same whichever uncertain updates exist.
    pub is_certain: bool,
    /// Whether another entry says that the release has no exit at all. Reports skip this one.
    pub is_implied: bool,
}

/// What a change does to a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It joins a channel in which it has no updates, not even conditional ones.
    DeadEnd,
    /// Clusters that all risks affect could reach the goal, and no longer can.
    Lost,
    /// Clusters affected only by `Always` risks could reach the goal, and now no cluster can.
    LostForAll,
    /// It joins a channel in which it has only conditional updates.
    ConditionalOnly,
    /// It could not reach the goal, and now it can.
    Unblocked,
}

/// The parameters of the comparison of exit paths.
pub struct ExitQuestion<'g, 'q> {
    /// The graph before the change.
    pub before: &'g UpdateGraph,
    /// The graph after the change.
    pub after: &'g UpdateGraph,
    /// Decides by its name whether to consider a channel.
    pub channels: &'q (dyn Fn(&str) -> bool + Sync),
    /// The architectures.
    pub architectures: &'q [Arch],
    /// Which releases of which channels are supported.
    pub is_supported: &'q (dyn Fn(&str, &Version) -> bool + Sync),
}

impl<'g> ExitChange<'g> {
    /// Compares the exit paths of supported releases.
    pub fn of(question: &ExitQuestion<'g, '_>) -> Self {
        let channels = |graph: &UpdateGraph| -> Vec<ChannelId> {
            let name = |id: &ChannelId| (question.channels)(&graph.channels[*id]);
            graph.advised_channels().filter(name).collect()
        };
        let was = channels(question.before);
        let former = FormerTargets::of(question.before, &was, question.architectures);
        let simulated = |graph: &'g UpdateGraph, channels, former| {
            let request = SimulationRequest::of(channels, question.architectures.to_vec());
            let request = SimulationRequest { former, ..request };
            Simulation::of(graph, &request, question.is_supported)
        };
        let (before, after) = rayon::join(
            || simulated(question.before, was, None),
            || simulated(question.after, channels(question.after), Some(&former)),
        );
        let mut losses =
            LossFinder { before: IndexedSimulation::of(&before), reached: HashMap::default() };
        let (mut stranded, mut conditional_only) = (Vec::new(), Vec::new());
        for entry in losses.find(&after) {
            match entry.effect {
                Effect::ConditionalOnly => conditional_only.push(entry),
                _ => stranded.push(entry),
            }
        }
        let unblocked = unblocked(&before, &IndexedSimulation::of(&after));
        mark_implied(&after, &mut stranded);
        let mut change = Self { before, after, stranded, conditional_only, unblocked };
        mark_implied(&change.before, &mut change.unblocked);
        change
    }

    /// Applies the results of the one simulated architecture to these architectures.
    pub fn apply_to(&mut self, architectures: &[Arch]) {
        let all: ArchSet = architectures.iter().copied().collect();
        for side in [&mut self.before, &mut self.after] {
            side.channels.iter_mut().for_each(|channel| channel.architectures = all);
        }
        let entries = self.stranded.iter_mut().chain(&mut self.conditional_only);
        for entry in entries.chain(&mut self.unblocked) {
            entry.architectures = all;
        }
    }

    /// Whether the change strands and unblocks no releases.
    pub fn is_idle(&self) -> bool {
        self.stranded.is_empty() && self.unblocked.is_empty()
    }
}

impl ExitEntry {
    /// The channel and the stranded release of this entry.
    pub fn of<'s>(&self, simulation: &'s Simulation<'_>) -> (&'s SimulatedChannel, &'s Stranded) {
        let channel = &simulation.channels[self.channel];
        (channel, &channel.stranded[self.stranded])
    }

    /// The severity. It is an error only if the author cannot have wanted it: no cluster has an
    /// update. Risks, and a block on the newest patch, are declared on purpose.
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

/// A simulation, indexed by channel name and architecture.
struct IndexedSimulation<'s> {
    simulation: &'s Simulation<'s>,
    channels: HashMap<(&'s str, Arch), IndexedChannel<'s>>,
}

/// A channel, and its releases by version.
type IndexedChannel<'s> = (SimulatedChannelId, HashMap<&'s str, MemberId>);

/// A release in a channel.
#[derive(Clone, Copy)]
struct ChannelMember {
    channel: SimulatedChannelId,
    member: MemberId,
}

impl<'s> IndexedSimulation<'s> {
    fn of(simulation: &'s Simulation<'_>) -> Self {
        let mut channels = HashMap::default();
        for (id, channel) in simulation.channels.entries() {
            let name = simulation.name(channel.channel);
            for arch in channel.architectures.iter() {
                let members = channel.graph.members.entries();
                let by_version =
                    members.map(|(member_id, member)| (member.version.as_str(), member_id));
                channels.insert((name, arch), (id, by_version.collect()));
            }
        }
        Self { simulation, channels }
    }

    fn find(&self, channel: &str, arch: Arch, version: &str) -> Option<ChannelMember> {
        let (channel, versions) = self.channels.get(&(channel, arch))?;
        Some(ChannelMember { channel: *channel, member: *versions.get(version)? })
    }

    fn stranded(&self, place: ChannelMember, goal: Goal) -> Option<&'s Stranded> {
        self.simulation.channels[place.channel].stranded_at(place.member, goal)
    }

    /// Whether a release is checked, and there is a newer release to reach.
    fn has_to_reach(&self, place: ChannelMember) -> bool {
        let channel = &self.simulation.channels[place.channel];
        channel.is_checked[place.member] && channel.graph.is_behind(place.member)
    }
}

struct LossFinder<'s> {
    before: IndexedSimulation<'s>,
    /// Which releases certainly reached a goal before the change, by channel, goal, minor for the
    /// goal `patch`, and kind of clusters.
    reached: HashMap<(SimulatedChannelId, Goal, Minor, ClusterKind), Arena<MemberId, bool>>,
}

impl LossFinder<'_> {
    /// The entries of releases that are stranded after the change and were not before.
    fn find(&mut self, after: &Simulation<'_>) -> Vec<ExitEntry> {
        let mut entries = Vec::new();
        for (channel, found) in after.channels.entries() {
            let name = after.name(found.channel);
            for (stranded, one) in found.stranded.entries() {
                let version = found.graph.version(one.release);
                for arch in found.architectures.iter() {
                    let place = self.before.find(name, arch, version);
                    let own = found.graph.members[one.release].minor;
                    let Some((effect, is_certain)) = self.effect(one, place, own) else { continue };
                    add(&mut entries, channel, stranded, arch, effect, is_certain);
                }
            }
        }
        entries
    }

    /// What happens to a release that is stranded after the change, and whether that is certain.
    /// None if it was stranded before, or if it is not checked.
    fn effect(
        &mut self,
        one: &Stranded,
        before: Option<ChannelMember>,
        own: Minor,
    ) -> Option<(Effect, bool)> {
        let Some(place) = before else {
            // A release that joins a channel had no path before. Only report whether it has an
            // update.
            return match (one.goal, one.cause) {
                (Goal::Any, Cause::Graph) => Some((Effect::DeadEnd, one.is_certain)),
                (Goal::Any, Cause::Risks) => Some((Effect::ConditionalOnly, one.is_certain)),
                _ => None,
            };
        };
        if !self.before.has_to_reach(place) {
            return None;
        }
        let (effect, who) = match self.before.stranded(place, one.goal) {
            None => (Effect::Lost, ClusterKind::Affected),
            Some(was) if !was.is_for_all && one.is_for_all => {
                (Effect::LostForAll, ClusterKind::LeastAffected)
            }
            Some(_) => return None,
        };
        Some((effect, one.is_certain && self.surely_reached(place, one.goal, own, who)))
    }

    fn surely_reached(
        &mut self,
        place: ChannelMember,
        goal: Goal,
        own: Minor,
        who: ClusterKind,
    ) -> bool {
        let ChannelMember { channel, member } = place;
        let simulation = self.before.simulation;
        let reached = self.reached.entry((channel, goal, own, who));
        reached.or_insert_with(|| simulation.surely_reaching(channel, goal, own, who))[member]
    }
}

/// The releases that are stranded before the change and not after it.
fn unblocked(before: &Simulation<'_>, after: &IndexedSimulation<'_>) -> Vec<ExitEntry> {
    let mut entries = Vec::new();
    for (channel, found) in before.channels.entries() {
        let name = before.name(found.channel);
        for (stranded, one) in found.stranded.entries() {
            let version = found.graph.version(one.release);
            for arch in found.architectures.iter() {
                // A release that leaves the channel or becomes its newest is not unblocked.
                let Some(place) = after.find(name, arch, version) else { continue };
                if after.has_to_reach(place) && after.stranded(place, one.goal).is_none() {
                    let is_certain = one.is_certain;
                    add(&mut entries, channel, stranded, arch, Effect::Unblocked, is_certain);
                }
            }
        }
    }
    entries
}

/// Adds an entry for one architecture, or adds the architecture to an equal entry.
fn add(
    entries: &mut Vec<ExitEntry>,
    channel: SimulatedChannelId,
    stranded: StrandedId,
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
    entries.push(ExitEntry { channel, stranded, architectures, effect, is_certain, is_implied });
}

/// Marks the other entries of releases that have no exit at all. Reports skip them.
fn mark_implied(simulation: &Simulation<'_>, entries: &mut [ExitEntry]) {
    let key = |entry: &ExitEntry| (entry.channel, entry.of(simulation).1.release);
    let goal = |entry: &ExitEntry| entry.of(simulation).1.goal;
    let without = without_any_exit(entries.iter().map(|entry| (key(entry), goal(entry))));
    for entry in entries {
        entry.is_implied = goal(entry) != Goal::Any && without.contains(&key(entry));
    }
}
