//! Who is stranded by a change, and who is freed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
    /// Stranded after and not before, or now for every cluster, as they are after.
    pub stranded: Simulation<'g>,
    /// Stranded before and not after, as they were before.
    pub freed: Simulation<'g>,
}

/// A release of a channel and an architecture, and what it should reach.
type Key<'s> = (&'s str, &'s str, &'s str, Goal);

impl<'g> Exits<'g> {
    /// What a change does to the exit paths of supported releases, in the channels whose updates
    /// or members it changes.
    #[must_use]
    pub fn of(
        sides: Sides<'g>,
        comparison: &Comparison,
        architectures: &[&str],
        supported: &Supported,
    ) -> Self {
        let altered = comparison.altered.iter().flat_map(|altered| &altered.channels);
        let moved = comparison.moves.iter().flat_map(|one| one.joins.iter().chain(&one.leaves));
        let touched: BTreeSet<&str> = altered
            .chain(moved)
            .map(|channel| comparison.channels[*channel as usize].as_str())
            .collect();
        // Whom a risk affects is no matter of single updates.
        let mut texts = comparison.risks.iter().flat_map(|risk| &risk.texts);
        let is_everywhere = texts.any(|text| text.for_all.0 != text.for_all.1);
        let simulated = |graph: &'g UpdateGraph| {
            let is_touched = |id: &ChannelId| {
                is_everywhere || touched.contains(graph.channels[id.0 as usize].as_str())
            };
            let channels = graph.advised_channels().filter(is_touched);
            let request = Request {
                channels: channels.collect(),
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
        let (led_on, leads_on) = (members(&before, true), members(&after, true));
        let was_there = members(&before, false);
        // What had nowhere to go has lost nothing, and what leaves a channel is not freed. Who
        // could still escape before, and cannot now, is lost anew.
        let is_new = |key: &Key<'_>| {
            let member = (key.0, key.1, key.2);
            let is_worse = was.get(key).is_none_or(|was_for_all| !was_for_all && is[key]);
            is_worse && (led_on.contains(&member) || !was_there.contains(&member))
        };
        let is_freed =
            |key: &Key<'_>| !is.contains_key(key) && leads_on.contains(&(key.0, key.1, key.2));
        let (new, old) = (chosen(&after, &is_new), chosen(&before, &is_freed));
        Self { stranded: left(after, new), freed: left(before, old) }
    }

    /// Whether nothing becomes of anybody.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.stranded.channels.is_empty() && self.freed.channels.is_empty()
    }
}

/// Who is stranded, and whether no cluster escapes.
fn stranded<'s>(simulation: &'s Simulation<'_>) -> HashMap<Key<'s>, bool> {
    let mut all = HashMap::new();
    for channel in &simulation.channels {
        for one in &channel.stranded {
            let version = channel.ways.versions[one.release].as_str();
            let is_for_all = one.is_for_all(&simulation.names);
            for arch in &channel.architectures {
                let key = (simulation.name(channel.channel), arch.as_str(), version, one.goal);
                all.insert(key, is_for_all);
            }
        }
    }
    all
}

/// The releases of each channel and architecture; `leading`, those from which some update leads on.
fn members<'s>(
    simulation: &'s Simulation<'_>,
    leading: bool,
) -> HashSet<(&'s str, &'s str, &'s str)> {
    let of_channel = |channel: &'s Simulated| {
        let name = simulation.name(channel.channel);
        let versions = channel.ways.versions.iter().zip(&channel.ways.out);
        let wanted = versions.filter(move |(_, out)| !leading || !out.is_empty());
        wanted.map(|(version, _)| version.as_str()).flat_map(move |version| {
            channel.architectures.iter().map(move |arch| (name, arch.as_str(), version))
        })
    };
    simulation.channels.iter().flat_map(of_channel).collect()
}

/// For each channel, its stranded releases that are to be told of, by the architectures for which
/// they are.
type Chosen = Vec<BTreeMap<Vec<String>, Vec<Stranded>>>;

fn chosen(simulation: &Simulation<'_>, is_told: &dyn Fn(&Key<'_>) -> bool) -> Chosen {
    let of_channel = |channel: &Simulated| {
        let name = simulation.name(channel.channel);
        let mut chosen: BTreeMap<Vec<String>, Vec<Stranded>> = BTreeMap::new();
        for one in &channel.stranded {
            let version = channel.ways.versions[one.release].as_str();
            let is_told = |arch: &&String| is_told(&(name, arch.as_str(), version, one.goal));
            let told: Vec<String> = channel.architectures.iter().filter(is_told).cloned().collect();
            if !told.is_empty() {
                chosen.entry(told).or_default().push(one.clone());
            }
        }
        chosen
    };
    simulation.channels.iter().map(of_channel).collect()
}

/// A simulation of which only the chosen are left.
fn left(mut simulation: Simulation<'_>, chosen: Chosen) -> Simulation<'_> {
    let channels = std::mem::take(&mut simulation.channels);
    for (channel, chosen) in channels.into_iter().zip(chosen) {
        for (architectures, stranded) in chosen {
            let misread = Vec::new();
            simulation.channels.push(Simulated {
                architectures,
                stranded,
                misread,
                ..channel.clone()
            });
        }
    }
    simulation
}
