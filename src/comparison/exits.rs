//! Who is stranded by a change, and who is freed.

use std::collections::{BTreeSet, HashSet};

use crate::analysis::{Goal, Removal, Request, Simulated, Simulation, Stranded};
use crate::graph::{ChannelId, UpdateGraph};
use crate::lineage::Supported;
use crate::version::Version;

use super::Comparison;

/// Two graphs, before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'g> {
    /// Before.
    pub before: &'g UpdateGraph,
    /// After.
    pub after: &'g UpdateGraph,
}

/// Who is stranded by a change, and who is freed: simulations of which only that is left.
#[derive(Debug)]
pub struct Exits<'g> {
    /// Stranded after and not before, as they are after.
    pub stranded: Simulation<'g>,
    /// Stranded before and not after, as they were before.
    pub freed: Simulation<'g>,
}

/// A release of a channel and an architecture, and what it should reach.
type Key<'s> = (&'s str, &'s str, &'s str, Goal);

impl<'g> Exits<'g> {
    /// What a change does to the exit paths of supported releases, in the channels whose updates
    /// it changes.
    #[must_use]
    pub fn of(
        sides: Sides<'g>,
        comparison: &Comparison,
        architectures: &[&str],
        supported: &Supported,
    ) -> Self {
        let touched: BTreeSet<&str> = comparison
            .altered
            .iter()
            .flat_map(|change| &change.channels)
            .map(|channel| comparison.channels[*channel as usize].as_str())
            .collect();
        let simulated = |graph: &'g UpdateGraph| {
            let name = |id: &ChannelId| graph.channels[id.0 as usize].as_str();
            let request = Request {
                channels: graph
                    .advised_channels()
                    .filter(|id| touched.contains(name(id)))
                    .collect(),
                architectures: architectures.to_vec(),
                removal: Removal::All,
                goals: Goal::ALL.to_vec(),
                largest_set: 3,
            };
            let is_supported = |channel: &str, version: &Version| supported.holds(channel, version);
            Simulation::of(graph, &request, &is_supported)
        };
        let (before, after) = rayon::join(|| simulated(sides.before), || simulated(sides.after));
        let (was, is) = (stranded(&before), stranded(&after));
        let (led_on, leads_on) = (leading_on(&before), leading_on(&after));
        // What had nowhere to go has lost nothing, and what leaves a channel is not freed.
        let is_new = |key: &Key<'_>| !was.contains(key) && led_on.contains(&(key.0, key.1, key.2));
        let is_freed =
            |key: &Key<'_>| !is.contains(key) && leads_on.contains(&(key.0, key.1, key.2));
        let (new, old) = (chosen(&after, &is_new), chosen(&before, &is_freed));
        Self { stranded: left(after, &new), freed: left(before, &old) }
    }

    /// Whether nothing becomes of anybody.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.stranded.channels.is_empty() && self.freed.channels.is_empty()
    }
}

fn keys<'s>(
    simulation: &'s Simulation<'_>,
    channel: &'s Simulated,
    one: &'s Stranded,
) -> impl Iterator<Item = Key<'s>> {
    let name = simulation.name(channel.channel);
    let version = channel.ways.versions[one.release].as_str();
    channel.architectures.iter().map(move |arch| (name, arch.as_str(), version, one.goal))
}

fn stranded<'s>(simulation: &'s Simulation<'_>) -> HashSet<Key<'s>> {
    let channels = simulation.channels.iter();
    let all = channels.flat_map(|channel| channel.stranded.iter().map(move |one| (channel, one)));
    all.flat_map(|(channel, one)| keys(simulation, channel, one)).collect()
}

/// The releases from which some update leads on.
fn leading_on<'s>(simulation: &'s Simulation<'_>) -> HashSet<(&'s str, &'s str, &'s str)> {
    let of_channel = |channel: &'s Simulated| {
        let name = simulation.name(channel.channel);
        let versions = channel.ways.versions.iter().zip(&channel.ways.out);
        let leading =
            versions.filter(|(_, out)| !out.is_empty()).map(|(version, _)| version.as_str());
        leading.flat_map(move |version| {
            channel.architectures.iter().map(move |arch| (name, arch.as_str(), version))
        })
    };
    simulation.channels.iter().flat_map(of_channel).collect()
}

/// For each channel and each of its stranded releases, whether it is to be told of.
fn chosen(simulation: &Simulation<'_>, is_told: &dyn Fn(&Key<'_>) -> bool) -> Vec<Vec<bool>> {
    let of_channel = |channel: &Simulated| {
        let is_one = |one: &Stranded| keys(simulation, channel, one).any(|key| is_told(&key));
        channel.stranded.iter().map(is_one).collect()
    };
    simulation.channels.iter().map(of_channel).collect()
}

/// A simulation of which only the chosen are left.
fn left<'g>(mut simulation: Simulation<'g>, chosen: &[Vec<bool>]) -> Simulation<'g> {
    for (channel, chosen) in simulation.channels.iter_mut().zip(chosen) {
        let mut chosen = chosen.iter();
        channel.stranded.retain(|_| chosen.next().is_some_and(|chosen| *chosen));
        channel.misread.clear();
    }
    simulation.channels.retain(|channel| !channel.stranded.is_empty());
    simulation
}
