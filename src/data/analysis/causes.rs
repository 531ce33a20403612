//! Groups stranded releases by cause.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::domain::{Arena, HashMap, HashSet, ids};

use super::by_target::ByTarget;
use super::channel_graph::MemberId;
use super::contradictions::Contradictions;
use super::risk_names::{RiskNameId, RiskNames};
use super::simulation::SimulatedChannel;
use super::stranded::{Cause, Goal, Stranded};

ids! {
    /// A stranded release of one [`Cases`].
    CaseId;
}

/// The stranded releases whose causes are wanted.
pub(crate) type Cases<'s> = Arena<CaseId, (&'s SimulatedChannel, &'s Stranded)>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StrandedBy {
    /// The graph strands them. None if there are too many different dead ends to name.
    Graph(Option<DeadEnd>),
    Risk(RiskNameId),
    /// Only sets of more risks than were searched for strand them.
    ManyRisks,
}

/// The newest release that stranded releases can reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DeadEnd {
    pub version: String,
    /// Whether it has updates. They do not help releases that need the newest patch.
    pub has_exit: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CauseGroup {
    pub by: StrandedBy,
    pub cases: Vec<CaseId>,
}

const MOST_SETS: usize = 20;

/// A small number of causes for some stranded releases. Each release has exactly one cause. The
/// cause of most releases comes first. If several risks strand a release, alone or together, its
/// cause is the one that strands the most releases. In a set, only risks for which `is_to_blame` is
/// true count, if there are any.
pub(crate) fn causes(
    stranded: &Cases<'_>,
    names: &RiskNames,
    contradictions: &Contradictions,
    is_to_blame: impl Fn(RiskNameId) -> bool,
) -> Vec<CauseGroup> {
    let blamed = |set: &Vec<RiskNameId>| -> Vec<RiskNameId> {
        let some: Vec<RiskNameId> = set.iter().copied().filter(|risk| is_to_blame(*risk)).collect();
        if some.is_empty() { set.clone() } else { some }
    };
    let dead_ends = dead_ends(stranded);
    let causes_of = |id: CaseId, one: &Stranded| -> BTreeSet<StrandedBy> {
        if one.cause == Cause::Graph {
            return BTreeSet::from([StrandedBy::Graph(dead_ends.get(&id).cloned())]);
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
    let mut cases: BTreeMap<StrandedBy, Vec<CaseId>> = BTreeMap::new();
    for (id, (_, one)) in stranded.entries() {
        for by in causes_of(id, one) {
            cases.entry(by).or_default().push(id);
        }
    }
    let version = |id: &CaseId| {
        let (channel, one) = stranded[*id];
        channel.graph.version(one.release)
    };
    // Among equals, the risk whose removal helps more comes first, then the first by name.
    let weight = |by: &StrandedBy, cases: &[CaseId]| {
        let versions: HashSet<&str> = cases.iter().map(version).collect();
        let helps = |id: &&CaseId| match by {
            StrandedBy::Risk(risk) => stranded[**id].1.unblocked_by.contains(risk),
            StrandedBy::Graph(_) | StrandedBy::ManyRisks => false,
        };
        (versions.len(), cases.iter().filter(helps).count(), cases.len())
    };
    each_under_one_cause(cases, stranded.len(), weight)
}

/// Takes the cause with the greatest weight. Then repeats this without the releases of that cause.
fn each_under_one_cause(
    mut remaining: BTreeMap<StrandedBy, Vec<CaseId>>,
    count: usize,
    weight: impl Fn(&StrandedBy, &[CaseId]) -> (usize, usize, usize),
) -> Vec<CauseGroup> {
    let ranked = |by: StrandedBy, cases: &[CaseId]| (weight(&by, cases), Reverse(by));
    let mut next: BinaryHeap<_> =
        remaining.iter().map(|(by, cases)| ranked(by.clone(), cases)).collect();
    let mut is_taken = Arena::filled(count, false);
    let mut groups = Vec::new();
    while let Some((known, Reverse(by))) = next.pop() {
        let Some(cases) = remaining.get_mut(&by) else { continue };
        cases.retain(|id| !is_taken[*id]);
        if cases.is_empty() {
            continue;
        }
        // Earlier causes take releases away from later ones, so the weight may have decreased.
        if weight(&by, cases) < known {
            next.push(ranked(by, cases));
            continue;
        }
        let cases = std::mem::take(cases);
        for id in &cases {
            is_taken[*id] = true;
        }
        groups.push(CauseGroup { by, cases });
    }
    groups
}

/// If there are more dead ends than this, they become one cause.
const MOST_DEAD_ENDS: usize = 20;

/// For each release that the graph strands, the dead end that it reaches. Empty if there are too
/// many different dead ends.
fn dead_ends(stranded: &Cases<'_>) -> HashMap<CaseId, DeadEnd> {
    let mut furthest: HashMap<(*const SimulatedChannel, bool), Arena<MemberId, MemberId>> =
        HashMap::default();
    let mut dead_ends = HashMap::default();
    let by_graph = stranded.entries().filter(|(_, (_, one))| one.cause == Cause::Graph);
    for (id, (channel, one)) in by_graph {
        let graph = &channel.graph;
        let is_within_minor = one.goal == Goal::Patch;
        let furthest = furthest.entry((std::ptr::from_ref(*channel), is_within_minor));
        let furthest = furthest.or_insert_with(|| ByTarget::of(graph).furthest(is_within_minor));
        let end = furthest[one.release];
        let has_exit = is_within_minor && !graph.out.get(end).is_empty();
        dead_ends.insert(id, DeadEnd { version: graph.version(end).to_owned(), has_exit });
    }
    let distinct: HashSet<&DeadEnd> = dead_ends.values().collect();
    if distinct.len() > MOST_DEAD_ENDS { HashMap::default() } else { dead_ends }
}
