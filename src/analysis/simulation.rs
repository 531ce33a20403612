//! Every channel and architecture at once.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::graph::{ChannelId, Double, Served, ServedByChannel, UpdateGraph};
use crate::version::Version;

use super::exits::{Goal, Question, Stranded, stranded};
use super::names::{Names, Removal};
use super::sets::Budget;
use super::ways::Ways;

/// What is asked of all channels.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// The channels, in the order in which they are told.
    pub channels: Vec<ChannelId>,
    /// The architectures.
    pub architectures: Vec<&'r str>,
    /// Which risks are taken to affect a cluster.
    pub removal: Removal,
    /// What releases should be able to reach.
    pub goals: Vec<Goal>,
    /// Sets of more risks than these are not looked for.
    pub largest_set: usize,
}

/// What becomes of every channel.
#[derive(Debug)]
pub struct Simulation<'g> {
    /// The whole graph.
    pub graph: &'g UpdateGraph,
    /// The names of its risks.
    pub names: Names,
    /// The channels; those of one name that answer alike for several architectures once.
    pub channels: Vec<Simulated>,
}

/// What becomes of a channel.
#[derive(Debug)]
pub struct Simulated {
    /// The channel.
    pub channel: ChannelId,
    /// The architectures that it answers alike for.
    pub architectures: Vec<String>,
    /// Its graph.
    pub ways: Ways,
    /// Which of its releases are judged.
    pub is_judged: Vec<bool>,
    /// How many open updates it has.
    pub open: usize,
    /// How many conditional ones.
    pub conditional: usize,
    /// Who is stranded, by release and goal.
    pub stranded: Vec<Stranded>,
    /// Updates that are listed more than once: their versions, and how.
    pub doubles: Vec<(String, String, Double)>,
    /// Whether the search for sets was given up: then some are missing.
    pub is_cut: bool,
}

impl<'g> Simulation<'g> {
    /// Simulates a graph with some risks taken to affect a cluster. `is_supported` tells of the
    /// releases that are judged.
    #[must_use]
    pub fn of(
        graph: &'g UpdateGraph,
        request: &Request<'_>,
        is_supported: &(dyn Fn(&Version) -> bool + Sync),
    ) -> Self {
        let names = Names::of(graph);
        let arches = request.architectures.par_iter();
        let parts: Vec<_> = arches.map(|arch| ServedByChannel::of(graph, arch)).collect();
        let channels = request.channels.par_iter();
        let channels = channels.map(|channel| {
            let mut answers: Vec<Simulated> = Vec::new();
            for part in &parts {
                let served = part.channel(*channel);
                if served.members.is_empty() {
                    continue;
                }
                let ways = Ways::of(&served, &names);
                match answers.iter_mut().find(|known| known.ways == ways) {
                    Some(known) => known.architectures.push(served.arch.to_owned()),
                    None => answers.push(simulated(&served, ways, &names, request, is_supported)),
                }
            }
            answers
        });
        Self { graph, channels: channels.flatten_iter().collect(), names }
    }

    /// The name of a channel.
    #[must_use]
    pub fn name(&self, channel: ChannelId) -> &str {
        &self.graph.channels[channel.0 as usize]
    }

    /// The other channels that a release is in and not stranded for a goal, by its version.
    #[must_use]
    pub fn ways_out(&self) -> BTreeMap<(&str, Goal), Vec<&str>> {
        let mut out: BTreeMap<(&str, Goal), Vec<&str>> = BTreeMap::new();
        for channel in &self.channels {
            let is_stranded = |at: usize, goal: Goal| {
                channel.stranded.binary_search_by_key(&(at, goal), |s| (s.release, s.goal)).is_ok()
            };
            // At the head of a channel, nothing leads on.
            let ends = channel.ways.out.iter().map(Vec::is_empty);
            for (at, is_end) in ends.enumerate().filter(|(at, _)| channel.is_judged[*at]) {
                for goal in Goal::ALL.into_iter().filter(|goal| !is_end && !is_stranded(at, *goal))
                {
                    let version = channel.ways.versions[at].as_str();
                    out.entry((version, goal)).or_default().push(self.name(channel.channel));
                }
            }
        }
        out
    }
}

fn simulated(
    served: &Served<'_>,
    ways: Ways,
    names: &Names,
    request: &Request<'_>,
    is_supported: &(dyn Fn(&Version) -> bool + Sync),
) -> Simulated {
    let whole = served.whole;
    let judge = |node| is_supported(&whole.release(node).version);
    let is_judged: Vec<bool> = served.members.iter().map(|node| judge(*node)).collect();
    let question = Question {
        minor: minor_of(&whole.channels[served.channel.0 as usize]),
        is_judged: &is_judged,
        removal: &request.removal,
        largest_set: request.largest_set,
    };
    let mut budget = Budget::default();
    let mut stranded = stranded(&ways, names, &question, &mut budget);
    stranded.retain(|one| request.goals.contains(&one.goal));
    let all = ways.out.iter().flatten();
    let conditional = all.clone().filter(|way| !names.risks(way.reason).is_empty()).count();
    let doubles = whole.doubles.iter().filter(|d| served.holds(d.from) && served.holds(d.to));
    let text = |node| served.version(node).into_owned();
    Simulated {
        channel: served.channel,
        architectures: vec![served.arch.to_owned()],
        open: all.count() - conditional,
        conditional,
        stranded,
        doubles: doubles.map(|double| (text(double.from), text(double.to), *double)).collect(),
        is_cut: budget.is_spent(),
        is_judged,
        ways,
    }
}

/// The minor in a channel's name: `stable-4.18`.
fn minor_of(channel: &str) -> Option<(u64, u64)> {
    let (_, minor) = channel.split_once('-')?;
    let (major, minor) = minor.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
