//! What strands releases, and whom: one cause for all whom it strands.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};

use super::exits::{Cause, Stranded};
use super::names::Names;
use super::simulation::Simulated;

/// What strands releases.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// The graph has no path, whatever the risks: no update leads on from the release of this
    /// version, which is as far as one gets. Without one, there are too many such releases to name.
    Graph(Option<String>),
    /// This risk, by its id; alone, or together with others.
    Risk(u32),
    /// More risks than were looked for in one set.
    ManyRisks,
}

/// What strands some of the given releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseOf {
    /// What it is.
    pub blame: Blame,
    /// The places of those that it strands, among those that were given.
    pub strands: Vec<usize>,
}

/// So many sets of a release are looked at.
const SETS: usize = 20;

/// The fewest causes for some stranded releases, each release under one of them: the cause of
/// most releases first. Where several risks strand a release, alone or together, it comes under
/// the one that strands the most others. Of a set, only risks that `is_to_blame` count, if there
/// are any.
#[must_use]
pub fn causes(
    names: &Names,
    stranded: &[(&Simulated, &Stranded)],
    is_to_blame: impl Fn(u32) -> bool,
) -> Vec<CauseOf> {
    let blamed = |set: &Vec<u32>| -> Vec<u32> {
        let some: Vec<u32> = set.iter().copied().filter(|risk| is_to_blame(*risk)).collect();
        if some.is_empty() { set.clone() } else { some }
    };
    let ends = ends(stranded);
    let of_one = |at: usize, one: &Stranded| -> BTreeSet<Blame> {
        if one.cause == Cause::Graph {
            return BTreeSet::from([Blame::Graph(ends.get(&at).cloned())]);
        }
        let sets = one.smallest_sets(names);
        if sets.is_empty() {
            return BTreeSet::from([Blame::ManyRisks]);
        }
        sets.into_iter().take(SETS).flat_map(blamed).map(Blame::Risk).collect()
    };
    let mut left: BTreeMap<Blame, Vec<usize>> = BTreeMap::new();
    for (at, (_, one)) in stranded.iter().enumerate() {
        for blame in of_one(at, one) {
            left.entry(blame).or_default().push(at);
        }
    }
    let version = |at: &usize| {
        let (channel, one) = stranded[*at];
        channel.ways.versions[one.release].as_str()
    };
    // Of equals, the one that helps more by its end comes first, and then the first by name.
    let weight = |blame: &Blame, strands: &[usize]| {
        let versions: HashSet<&str> = strands.iter().map(version).collect();
        let helps = |at: &&usize| match blame {
            Blame::Risk(risk) => stranded[**at].1.freed_by.contains(risk),
            Blame::Graph(_) | Blame::ManyRisks => false,
        };
        (versions.len(), strands.iter().filter(helps).count(), strands.len())
    };
    let ranked = |blame: Blame, strands: &[usize]| (weight(&blame, strands), Reverse(blame));
    let mut next: BinaryHeap<_> =
        left.iter().map(|(blame, strands)| ranked(blame.clone(), strands)).collect();
    let mut is_taken = vec![false; stranded.len()];
    let mut causes = Vec::new();
    while let Some((known, Reverse(blame))) = next.pop() {
        let Some(strands) = left.get_mut(&blame) else { continue };
        strands.retain(|at| !is_taken[*at]);
        if strands.is_empty() {
            continue;
        }
        // A cause loses releases to those before it, so it may have to wait.
        if weight(&blame, strands) < known {
            next.push(ranked(blame, strands));
            continue;
        }
        let strands = std::mem::take(strands);
        for at in &strands {
            is_taken[*at] = true;
        }
        causes.push(CauseOf { blame, strands });
    }
    causes
}

/// So many releases from which nothing leads on are told apart.
const ENDS: usize = 20;

/// How far the releases get that the graph strands, by their places among those that were given;
/// nothing where there are too many such ends.
fn ends(stranded: &[(&Simulated, &Stranded)]) -> HashMap<usize, String> {
    let mut furthest: HashMap<*const Simulated, Vec<u32>> = HashMap::new();
    let mut ends = HashMap::new();
    let by_graph = stranded.iter().enumerate().filter(|(_, (_, one))| one.cause == Cause::Graph);
    for (at, (channel, one)) in by_graph {
        let furthest = furthest.entry(std::ptr::from_ref(*channel));
        let furthest = furthest.or_insert_with(|| channel.ways.furthest());
        ends.insert(at, channel.ways.versions[furthest[one.release] as usize].clone());
    }
    let distinct: HashSet<&String> = ends.values().collect();
    if distinct.len() > ENDS { HashMap::new() } else { ends }
}
