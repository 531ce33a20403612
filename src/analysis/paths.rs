//! Ways between two releases: with the fewest hops, or with the fewest risks on the way.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

/// An update that may be a part of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The release that it leads from.
    pub from: u32,
    /// The release that it leads to.
    pub to: u32,
    /// The names of its risks, in order; none for an open one.
    pub risks: Vec<u32>,
}

/// Updates by their origins.
#[derive(Debug)]
pub struct Steps {
    out: HashMap<u32, Vec<Step>>,
}

/// So many ways are begun before the search for the fewest risks is given up: then the way
/// found has few risks, and perhaps not the fewest.
const MOST: usize = 200_000;

impl Steps {
    /// Updates to walk over.
    #[must_use]
    pub fn new(steps: impl Iterator<Item = Step>) -> Self {
        let mut out: HashMap<u32, Vec<Step>> = HashMap::new();
        for step in steps {
            out.entry(step.from).or_default().push(step);
        }
        // The newest targets are tried first, so of equal ways the one over newer releases wins.
        for steps in out.values_mut() {
            steps.sort_by_key(|step| Reverse(step.to));
        }
        Self { out }
    }

    /// The way with the fewest hops, over updates that are allowed.
    #[must_use]
    pub fn shortest(
        &self,
        from: u32,
        to: u32,
        is_allowed: impl Fn(&Step) -> bool,
    ) -> Option<Vec<&Step>> {
        let mut came_by: HashMap<u32, &Step> = HashMap::new();
        let mut next = VecDeque::from([from]);
        while let Some(at) = next.pop_front() {
            if at == to {
                return Some(way_back(from, to, |at| came_by.get(&at).copied()));
            }
            for step in self.out.get(&at).into_iter().flatten().filter(|step| is_allowed(step)) {
                if step.to != from && !came_by.contains_key(&step.to) {
                    came_by.insert(step.to, step);
                    next.push_back(step.to);
                }
            }
        }
        None
    }

    /// The way with the fewest different risks; of such, one with the fewest hops.
    #[must_use]
    pub fn safest(&self, from: u32, to: u32) -> Option<Vec<&Step>> {
        // A way so far: its risks, and the step and the way that it goes on from.
        struct Begun<'s> {
            at: u32,
            risks: Vec<u32>,
            by: Option<(&'s Step, usize)>,
        }
        let mut begun = vec![Begun { at: from, risks: Vec::new(), by: None }];
        let mut next = BinaryHeap::from([Reverse((0, 0, 0))]);
        let mut known: HashMap<u32, Vec<Vec<u32>>> = HashMap::new();
        while let Some(Reverse((_, hops, place))) = next.pop() {
            let (at, risks) = (begun[place].at, begun[place].risks.clone());
            if at == to {
                let mut way = Vec::new();
                let mut place = place;
                while let Some((step, before)) = begun[place].by {
                    way.push(step);
                    place = before;
                }
                way.reverse();
                return Some(way);
            }
            let here = known.entry(at).or_default();
            // Who came here with no risk more is not to be outdone.
            if here.iter().any(|less| less.iter().all(|risk| risks.binary_search(risk).is_ok())) {
                continue;
            }
            here.push(risks.clone());
            for step in self.out.get(&at).into_iter().flatten() {
                if begun.len() >= MOST {
                    return self.shortest(from, to, |_| true);
                }
                let mut all = [risks.as_slice(), step.risks.as_slice()].concat();
                all.sort_unstable();
                all.dedup();
                next.push(Reverse((all.len(), hops + 1, begun.len())));
                begun.push(Begun { at: step.to, risks: all, by: Some((step, place)) });
            }
        }
        None
    }
}

/// So many risks are tried at most: no graph that people look at has as many in one place.
const MOST_TRIED: usize = 1_000;

impl Steps {
    /// The risks of which the end of one alone would open a way without any, in order; none
    /// where there is one already.
    #[must_use]
    pub fn freed_by(&self, from: u32, to: u32) -> Vec<u32> {
        // A way that only one risk closes leaves by that risk what is reached without any.
        let reached = self.reached(from, |step| step.risks.is_empty());
        if reached.contains(&to) {
            return Vec::new();
        }
        let leaving = reached.iter().filter_map(|at| self.out.get(at)).flatten();
        let alone = leaving.filter_map(|step| match step.risks.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
        let alone: BTreeSet<u32> = alone.collect();
        let opens = |risk: &u32| {
            self.reached(from, |step| step.risks.iter().all(|own| own == risk)).contains(&to)
        };
        alone.into_iter().take(MOST_TRIED).filter(opens).collect()
    }

    /// Where one can come to over updates that are allowed.
    fn reached(&self, from: u32, is_allowed: impl Fn(&Step) -> bool) -> HashSet<u32> {
        let mut reached = HashSet::from([from]);
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            for step in self.out.get(&at).into_iter().flatten().filter(|step| is_allowed(step)) {
                if reached.insert(step.to) {
                    next.push(step.to);
                }
            }
        }
        reached
    }
}

fn way_back<'s>(from: u32, to: u32, came_by: impl Fn(u32) -> Option<&'s Step>) -> Vec<&'s Step> {
    let mut way = Vec::new();
    let mut at = to;
    while at != from {
        let Some(step) = came_by(at) else { break };
        way.push(step);
        at = step.from;
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::{Step, Steps};

    fn steps() -> Steps {
        let step = |from, to, risks: &[u32]| Step { from, to, risks: risks.to_vec() };
        Steps::new(
            [
                step(0, 4, &[1, 2]),
                step(0, 1, &[3]),
                step(1, 4, &[3]),
                step(1, 2, &[]),
                step(2, 3, &[]),
                step(5, 4, &[]),
                step(2, 0, &[]),
            ]
            .into_iter(),
        )
    }

    fn places(way: Option<Vec<&Step>>) -> Option<Vec<u32>> {
        way.map(|way| way.iter().map(|step| step.to).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn no_way_has_fewer_risks(
            edges in prop::collection::vec((0..6_u32, 0..6_u32, prop::collection::btree_set(0..5_u32, 0..3)), 0..16)
        ) {
            let steps = edges.iter().map(|(from, to, risks)| Step {
                from: *from, to: *to, risks: risks.iter().copied().collect(),
            });
            let steps = Steps::new(steps);
            // Every set of risks, the smaller first: the first over which there is a way.
            let mut sets: Vec<Vec<u32>> = (0..32_u32)
                .map(|mask| (0..5).filter(|risk| mask & (1 << risk) != 0).collect())
                .collect();
            sets.sort_by_key(Vec::len);
            let is_enough = |set: &&Vec<u32>| {
                steps.shortest(0, 5, |step| step.risks.iter().all(|risk| set.contains(risk))).is_some()
            };
            let least = sets.iter().find(is_enough).map(Vec::len);
            let found = steps.safest(0, 5).map(|way| {
                way.iter().flat_map(|step| step.risks.iter()).collect::<BTreeSet<_>>().len()
            });
            prop_assert_eq!(found, least);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn the_end_of_each_risk_is_tried(
            edges in prop::collection::vec((0..6_u32, 0..6_u32, prop::collection::btree_set(0..5_u32, 0..3)), 0..16)
        ) {
            let steps = edges.iter().map(|(from, to, risks)| Step {
                from: *from, to: *to, risks: risks.iter().copied().collect(),
            });
            let steps = Steps::new(steps);
            let is_way = |ended: Option<u32>| {
                let is_open = |step: &Step| step.risks.iter().all(|risk| Some(*risk) == ended);
                steps.shortest(0, 5, is_open).is_some()
            };
            let each = (0..5).filter(|risk| is_way(Some(*risk)));
            let theirs = if is_way(None) { Vec::new() } else { each.collect() };
            prop_assert_eq!(steps.freed_by(0, 5), theirs);
        }
    }

    #[test]
    fn a_way_with_fewer_risks_may_have_more_hops() {
        assert_eq!(places(steps().shortest(0, 4, |_| true)), Some(vec![4]));
        assert_eq!(places(steps().safest(0, 4)), Some(vec![1, 4]), "one risk, met twice");
        assert_eq!(places(steps().shortest(0, 4, |step| step.risks.is_empty())), None);
        assert_eq!(places(steps().safest(0, 5)), None);
        assert_eq!(places(steps().safest(0, 0)), Some(vec![]));
        assert_eq!(places(steps().shortest(2, 4, |_| true)), Some(vec![0, 4]), "round a circle");
    }
}
