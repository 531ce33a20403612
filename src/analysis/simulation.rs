//! Every channel and architecture at once.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use crate::graph::{ChannelId, Served, ServedByChannel, UpdateGraph};
use crate::version::Version;

use super::contradictions::Contradictions;
use super::exits::{Goal, Question, Stranded, Targets, stranded};
use super::former::Former;
use super::misread::Misread;
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
    /// What releases had to reach before a change, where that is asked about.
    pub former: Option<&'r Former>,
}

/// What becomes of every channel.
#[derive(Debug)]
pub struct Simulation<'g> {
    /// The whole graph.
    pub graph: &'g UpdateGraph,
    /// Which risks were taken to affect a cluster.
    pub removal: Removal,
    /// The names of its risks.
    pub names: Names,
    /// The channels; those of one name that answer alike for several architectures once.
    pub channels: Vec<Simulated>,
    /// Which of the risks that strand releases together no cluster bears together.
    pub contradictions: Contradictions,
}

/// What becomes of a channel.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The channel.
    pub channel: ChannelId,
    /// The architectures that it answers alike for.
    pub architectures: Vec<String>,
    /// Its graph.
    pub ways: Ways,
    /// What its releases should reach.
    pub targets: Targets,
    /// Which of its releases are judged.
    pub is_judged: Vec<bool>,
    /// How many open updates it has.
    pub open: usize,
    /// How many conditional ones.
    pub conditional: usize,
    /// Who is stranded, by release and goal.
    pub stranded: Vec<Stranded>,
    /// Its updates that clusters do not take as they are written.
    pub misread: Vec<Misread>,
    /// Whether the search for sets was given up: then some are missing.
    pub is_cut: bool,
}

impl<'g> Simulation<'g> {
    /// Simulates a graph with some risks taken to affect a cluster. `is_supported` tells of a
    /// channel's releases whether they are judged.
    #[must_use]
    pub fn of(
        graph: &'g UpdateGraph,
        request: &Request<'_>,
        is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
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
                let targets = targets(&served, &ways, request);
                let is_same =
                    |known: &&mut Simulated| known.ways == ways && known.targets == targets;
                if let Some(known) = answers.iter_mut().find(is_same) {
                    known.architectures.push(served.arch.to_owned());
                    continue;
                }
                let parts = (ways, targets);
                answers.push(simulated(&served, parts, &names, request, is_supported));
            }
            answers
        });
        let channels: Vec<Simulated> = channels.flatten_iter().collect();
        let stranded = channels.iter().flat_map(|channel| &channel.stranded);
        let sets = stranded.flat_map(|stranded| &stranded.sets);
        let contradictions = Contradictions::within(graph, &names, sets);
        Self { graph, removal: request.removal.clone(), names, channels, contradictions }
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

impl Simulated {
    /// Its stranded releases, as a person is to read of them: a release without any exit reaches
    /// nothing else either, so its other goals are left out.
    pub fn told(&self) -> impl Iterator<Item = &Stranded> {
        let without_exit = self.stranded.iter().filter(|one| one.goal == Goal::Any);
        let without_exit: HashSet<usize> = without_exit.map(|one| one.release).collect();
        let is_told =
            move |one: &&Stranded| one.goal == Goal::Any || !without_exit.contains(&one.release);
        self.stranded.iter().filter(is_told)
    }

    /// How many supported releases are judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        let pairs = self.is_judged.iter().zip(&self.ways.is_general);
        pairs.filter(|(is_judged, is_general)| **is_judged && **is_general).count()
    }
}

/// What the releases of a channel should reach.
fn targets(served: &Served<'_>, ways: &Ways, request: &Request<'_>) -> Targets {
    let name = &served.whole.channels[served.channel.0 as usize];
    let former = request.former.map(|former| former.oldest_patches(name, served.arch, ways));
    Targets { minor: minor_of(name), oldest_patch: former.unwrap_or_default() }
}

fn simulated(
    served: &Served<'_>,
    (ways, targets): (Ways, Targets),
    names: &Names,
    request: &Request<'_>,
    is_supported: &(dyn Fn(&str, &Version) -> bool + Sync),
) -> Simulated {
    let whole = served.whole;
    let name = &whole.channels[served.channel.0 as usize];
    let judge = |node| is_supported(name, &whole.release(node).version);
    let is_judged: Vec<bool> = served.members.iter().map(|node| judge(*node)).collect();
    let question = Question {
        targets: &targets,
        is_judged: &is_judged,
        removal: &request.removal,
        largest_set: request.largest_set,
    };
    let mut budget = Budget::default();
    let mut stranded = stranded(&ways, names, &question, &mut budget);
    stranded.retain(|one| request.goals.contains(&one.goal));
    let all = ways.out.iter().flatten();
    let conditional = all.clone().filter(|way| !names.risks(way.reason).is_empty()).count();
    Simulated {
        channel: served.channel,
        architectures: vec![served.arch.to_owned()],
        open: all.count() - conditional,
        conditional,
        stranded,
        misread: Misread::of(served),
        is_cut: budget.is_spent(),
        is_judged,
        targets,
        ways,
    }
}

/// The minor in a channel's name: `stable-4.18`.
pub(super) fn minor_of(channel: &str) -> Option<(u64, u64)> {
    let (_, minor) = channel.split_once('-')?;
    let (major, minor) = minor.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
