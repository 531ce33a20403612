//! Searches for routes with the fewest hops or the fewest risks.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use petgraph::graph::NodeIndex;

use crate::domain::{HashMap, HashSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hop<C> {
    pub from: NodeIndex,
    pub to: NodeIndex,
    /// What closes the update, sorted. Each of these alone is enough. Empty if the update is open.
    pub closed_by: Vec<C>,
}

/// Updates by origin. `C` is what closes them: risks or declarations.
#[derive(Debug)]
pub(super) struct Hops<C> {
    out: HashMap<NodeIndex, Vec<Hop<C>>>,
}

/// The most partial routes, and the most comparisons of them, before the search for the fewest
/// closers gives up.
const MOST_PARTIAL_ROUTES: usize = 200_000;
const MOST_COMPARISONS: usize = 10_000_000;

/// There are too many routes to find the one with the fewest closers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyRoutes;

/// The most closers to try. Real graphs have far fewer in one place.
const MOST_TRIED: usize = 1_000;

impl<C: Copy + Ord> Hops<C> {
    pub(super) fn new(hops: impl Iterator<Item = Hop<C>>) -> Self {
        let mut out: HashMap<NodeIndex, Vec<Hop<C>>> = HashMap::default();
        for hop in hops {
            out.entry(hop.from).or_default().push(hop);
        }
        // Newest targets first: of equally good routes, the one over newer releases wins.
        for hops in out.values_mut() {
            hops.sort_by_key(|hop| Reverse(hop.to));
        }
        Self { out }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Hop<C>> {
        self.out.values().flatten()
    }

    fn leaving(&self, at: NodeIndex) -> &[Hop<C>] {
        self.out.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The route with the fewest hops, over allowed updates only.
    pub(super) fn shortest(
        &self,
        from: NodeIndex,
        to: NodeIndex,
        is_allowed: impl Fn(&Hop<C>) -> bool,
    ) -> Option<Vec<&Hop<C>>> {
        let mut last_hops: HashMap<NodeIndex, &Hop<C>> = HashMap::default();
        let mut next = VecDeque::from([from]);
        while let Some(at) = next.pop_front() {
            if at == to {
                return Some(trace_back(from, to, |at| last_hops.get(&at).copied()));
            }
            for hop in self.leaving(at).iter().filter(|hop| is_allowed(hop)) {
                if hop.to != from && !last_hops.contains_key(&hop.to) {
                    last_hops.insert(hop.to, hop);
                    next.push_back(hop.to);
                }
            }
        }
        None
    }

    /// The route with the fewest different closers. Among these, one with the fewest hops.
    pub(super) fn safest(
        &self,
        from: NodeIndex,
        to: NodeIndex,
    ) -> Result<Option<Vec<&Hop<C>>>, TooManyRoutes> {
        // A partial route: its end, all its closers, and its last hop with the index of the partial
        // route before that hop.
        struct PartialRoute<'h, C> {
            at: NodeIndex,
            closed_by: Vec<C>,
            by: Option<(&'h Hop<C>, usize)>,
        }
        let mut partial_routes = vec![PartialRoute { at: from, closed_by: Vec::new(), by: None }];
        let mut next = BinaryHeap::from([Reverse((0, 0, 0))]);
        let mut known: HashMap<NodeIndex, Vec<Vec<C>>> = HashMap::default();
        let mut comparisons = 0;
        while let Some(Reverse((_, hops, place))) = next.pop() {
            let (at, closed_by) =
                (partial_routes[place].at, partial_routes[place].closed_by.clone());
            if at == to {
                let mut route = Vec::new();
                let mut place = place;
                while let Some((hop, before)) = partial_routes[place].by {
                    route.push(hop);
                    place = before;
                }
                route.reverse();
                return Ok(Some(route));
            }
            let here = known.entry(at).or_default();
            comparisons += here.len();
            if comparisons > MOST_COMPARISONS {
                return Err(TooManyRoutes);
            }
            // A known route to this release with a subset of these closers is at least as good.
            if here.iter().any(|less| less.iter().all(|one| closed_by.binary_search(one).is_ok())) {
                continue;
            }
            here.push(closed_by.clone());
            for hop in self.leaving(at) {
                if partial_routes.len() >= MOST_PARTIAL_ROUTES {
                    return Err(TooManyRoutes);
                }
                let mut all = [closed_by.as_slice(), hop.closed_by.as_slice()].concat();
                all.sort_unstable();
                all.dedup();
                next.push(Reverse((all.len(), hops + 1, partial_routes.len())));
                partial_routes.push(PartialRoute {
                    at: hop.to,
                    closed_by: all,
                    by: Some((hop, place)),
                });
            }
        }
        Ok(None)
    }

    /// The closers whose removal alone opens a route, sorted. Empty if there already is an open
    /// route.
    pub(super) fn unblocked_by(&self, from: NodeIndex, to: NodeIndex) -> Vec<C> {
        // If the removal of one closer opens a route, that route leaves the reachable part over an
        // update with only this closer.
        let reached = self.reached(from, |hop| hop.closed_by.is_empty());
        if reached.contains(&to) {
            return Vec::new();
        }
        let leaving = reached.iter().flat_map(|at| self.leaving(*at));
        let alone = leaving.filter_map(|hop| match hop.closed_by.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
        let alone: BTreeSet<C> = alone.collect();
        let opens = |one: &C| {
            self.reached(from, |hop| hop.closed_by.iter().all(|own| own == one)).contains(&to)
        };
        alone.into_iter().take(MOST_TRIED).filter(opens).collect()
    }

    pub(super) fn reached(
        &self,
        from: NodeIndex,
        is_allowed: impl Fn(&Hop<C>) -> bool,
    ) -> HashSet<NodeIndex> {
        let mut reached = HashSet::from_iter([from]);
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            for hop in self.leaving(at).iter().filter(|hop| is_allowed(hop)) {
                if reached.insert(hop.to) {
                    next.push(hop.to);
                }
            }
        }
        reached
    }
}

fn trace_back<'h, C>(
    from: NodeIndex,
    to: NodeIndex,
    last_hops: impl Fn(NodeIndex) -> Option<&'h Hop<C>>,
) -> Vec<&'h Hop<C>> {
    let mut route = Vec::new();
    let mut at = to;
    while at != from {
        let Some(hop) = last_hops(at) else { break };
        route.push(hop);
        at = hop.from;
    }
    route.reverse();
    route
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use petgraph::graph::NodeIndex;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::{Hop, Hops};

    fn node(at: u32) -> NodeIndex {
        NodeIndex::from(at)
    }

    fn hop(from: u32, to: u32, closed_by: impl IntoIterator<Item = u32>) -> Hop<u32> {
        Hop { from: node(from), to: node(to), closed_by: closed_by.into_iter().collect() }
    }

    fn example() -> Hops<u32> {
        Hops::new(
            [
                hop(0, 4, [1, 2]),
                hop(0, 1, [3]),
                hop(1, 4, [3]),
                hop(1, 2, []),
                hop(2, 3, []),
                hop(5, 4, []),
                hop(2, 0, []),
            ]
            .into_iter(),
        )
    }

    fn random() -> impl Strategy<Value = Hops<u32>> {
        let closed_by = prop::collection::btree_set(0..5_u32, 0..3);
        let edges = prop::collection::vec((0..6_u32, 0..6_u32, closed_by), 0..16);
        edges.prop_map(|edges| {
            Hops::new(edges.into_iter().map(|(from, to, closed_by)| hop(from, to, closed_by)))
        })
    }

    fn config() -> ProptestConfig {
        ProptestConfig {
            cases: 300,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..ProptestConfig::default()
        }
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn no_route_has_fewer_risks(hops in random()) {
            // Tries every set of risks, smallest first, until there is a route.
            let mut sets: Vec<Vec<u32>> = (0..32_u32)
                .map(|mask| (0..5).filter(|risk| mask & (1 << risk) != 0).collect())
                .collect();
            sets.sort_by_key(Vec::len);
            let is_enough = |set: &&Vec<u32>| {
                let is_allowed = |hop: &Hop<u32>| hop.closed_by.iter().all(|risk| set.contains(risk));
                hops.shortest(node(0), node(5), is_allowed).is_some()
            };
            let least = sets.iter().find(is_enough).map(Vec::len);
            let found = hops.safest(node(0), node(5)).ok().flatten().map(|route| {
                route.iter().flat_map(|hop| hop.closed_by.iter()).collect::<BTreeSet<_>>().len()
            });
            prop_assert_eq!(found, least);
        }

        #[test]
        fn the_removal_of_each_risk_is_tried(hops in random()) {
            let is_route = |removed: Option<u32>| {
                let is_open = |hop: &Hop<u32>| hop.closed_by.iter().all(|one| Some(*one) == removed);
                hops.shortest(node(0), node(5), is_open).is_some()
            };
            let each = (0..5).filter(|risk| is_route(Some(*risk)));
            let theirs = if is_route(None) { Vec::new() } else { each.collect() };
            prop_assert_eq!(hops.unblocked_by(node(0), node(5)), theirs);
        }
    }

    #[test]
    fn a_route_with_fewer_risks_may_have_more_hops() {
        let places = |route: Option<Vec<&Hop<u32>>>| -> Option<Vec<usize>> {
            route.map(|route| route.iter().map(|hop| hop.to.index()).collect())
        };
        let hops = example();
        assert_eq!(places(hops.shortest(node(0), node(4), |_| true)), Some(vec![4]));
        assert_eq!(
            places(hops.safest(node(0), node(4)).ok().flatten()),
            Some(vec![1, 4]),
            "one risk, met twice"
        );
        assert_eq!(places(hops.shortest(node(0), node(4), |hop| hop.closed_by.is_empty())), None);
        assert_eq!(hops.safest(node(0), node(5)), Ok(None));
        assert_eq!(places(hops.safest(node(0), node(0)).ok().flatten()), Some(vec![]));
        assert_eq!(places(hops.shortest(node(2), node(4), |_| true)), Some(vec![0, 4]), "a cycle");
    }
}
