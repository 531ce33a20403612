//! Groups stranded releases by cause.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};

use crate::domain::Arena;

use super::channel_graph::MemberId;
use super::contradictions::Contradictions;
use super::risk_names::{RiskNameId, RiskNames};
use super::simulation::SimulatedChannel;
use super::stranded::{Cause, Stranded};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StrandedBy {
    /// The newest release that they can reach is a dead end. None: there are too many to name.
    Graph(Option<String>),
    Risk(RiskNameId),
    /// Only larger sets of risks than were looked for.
    ManyRisks,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CauseGroup {
    pub by: StrandedBy,
    /// The places of the stranded releases in the given list.
    pub strands: Vec<usize>,
}

const MOST_SETS: usize = 20;

/// A small number of causes for some stranded releases. Each release has exactly one cause. The
/// cause of most releases comes first. If several risks strand a release, alone or together, its
/// cause is the one that strands the most releases. In a set, only risks for which `is_to_blame` is
/// true count, if there are any.
#[must_use]
pub(crate) fn causes(
    (names, contradictions): (&RiskNames, &Contradictions),
    stranded: &[(&SimulatedChannel, &Stranded)],
    is_to_blame: impl Fn(RiskNameId) -> bool,
) -> Vec<CauseGroup> {
    let blamed = |set: &Vec<RiskNameId>| -> Vec<RiskNameId> {
        let some: Vec<RiskNameId> = set.iter().copied().filter(|risk| is_to_blame(*risk)).collect();
        if some.is_empty() { set.clone() } else { some }
    };
    let dead_ends = dead_ends(stranded);
    let causes_of = |at: usize, one: &Stranded| -> BTreeSet<StrandedBy> {
        if one.cause == Cause::Graph {
            return BTreeSet::from([StrandedBy::Graph(dead_ends.get(&at).cloned())]);
        }
        let mut sets = one.smallest_sets(names);
        if sets.is_empty() {
            return BTreeSet::from([StrandedBy::ManyRisks]);
        }
        // Risks that never affect the same cluster do not strand it together.
        if sets.iter().any(|set| contradictions.of(set).is_none()) {
            sets.retain(|set| contradictions.of(set).is_none());
        }
        sets.into_iter().take(MOST_SETS).flat_map(blamed).map(StrandedBy::Risk).collect()
    };
    let mut strands: BTreeMap<StrandedBy, Vec<usize>> = BTreeMap::new();
    for (at, (_, one)) in stranded.iter().enumerate() {
        for by in causes_of(at, one) {
            strands.entry(by).or_default().push(at);
        }
    }
    let version = |at: &usize| {
        let (channel, one) = stranded[*at];
        channel.graph.version(one.release)
    };
    // Among equals, the risk whose removal helps more comes first, then the first by name.
    let weight = |by: &StrandedBy, strands: &[usize]| {
        let versions: HashSet<&str> = strands.iter().map(version).collect();
        let helps = |at: &&usize| match by {
            StrandedBy::Risk(risk) => stranded[**at].1.unblocked_by.contains(risk),
            StrandedBy::Graph(_) | StrandedBy::ManyRisks => false,
        };
        (versions.len(), strands.iter().filter(helps).count(), strands.len())
    };
    each_under_one_cause(strands, stranded.len(), weight)
}

/// Takes the cause with the greatest weight, then the next one without the releases of the first,
/// and so on.
fn each_under_one_cause(
    mut remaining: BTreeMap<StrandedBy, Vec<usize>>,
    count: usize,
    weight: impl Fn(&StrandedBy, &[usize]) -> (usize, usize, usize),
) -> Vec<CauseGroup> {
    let ranked = |by: StrandedBy, strands: &[usize]| (weight(&by, strands), Reverse(by));
    let mut next: BinaryHeap<_> =
        remaining.iter().map(|(by, strands)| ranked(by.clone(), strands)).collect();
    let mut is_taken = vec![false; count];
    let mut causes = Vec::new();
    while let Some((known, Reverse(by))) = next.pop() {
        let Some(strands) = remaining.get_mut(&by) else { continue };
        strands.retain(|at| !is_taken[*at]);
        if strands.is_empty() {
            continue;
        }
        // Earlier causes take releases away from later ones, so the weight may have decreased.
        if weight(&by, strands) < known {
            next.push(ranked(by, strands));
            continue;
        }
        let strands = std::mem::take(strands);
        for at in &strands {
            is_taken[*at] = true;
        }
        causes.push(CauseGroup { by, strands });
    }
    causes
}

/// If there are more dead ends than this, they are reported as one cause.
const MOST_DEAD_ENDS: usize = 20;

/// For each release that the graph strands, the dead end that it reaches, by its place in the given
/// list. Empty if there are too many different ones.
fn dead_ends(stranded: &[(&SimulatedChannel, &Stranded)]) -> HashMap<usize, String> {
    let mut furthest: HashMap<*const SimulatedChannel, Arena<MemberId, MemberId>> = HashMap::new();
    let mut dead_ends = HashMap::new();
    let by_graph = stranded.iter().enumerate().filter(|(_, (_, one))| one.cause == Cause::Graph);
    for (at, (channel, one)) in by_graph {
        let furthest = furthest.entry(std::ptr::from_ref(*channel));
        let furthest = furthest.or_insert_with(|| channel.graph.furthest());
        dead_ends.insert(at, channel.graph.version(furthest[one.release]).to_owned());
    }
    let distinct: HashSet<&String> = dead_ends.values().collect();
    if distinct.len() > MOST_DEAD_ENDS { HashMap::new() } else { dead_ends }
}
