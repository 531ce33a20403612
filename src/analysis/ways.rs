//! A channel's graph, as small as walks over it need it.

use std::collections::HashSet;

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use crate::graph::{Knowledge, ReasonId, Served};

use super::names::Names;
use super::offered::Offered;

/// The releases of a channel, oldest first, and the updates between them that some cluster
/// may be offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// The releases' versions, as clusters see them.
    pub versions: Vec<String>,
    /// Whether each is generally available.
    pub is_general: Vec<bool>,
    /// Its minor: the first two numbers.
    pub minors: Vec<(u64, u64)>,
    /// Its patch: the third number.
    pub(super) patches: Vec<u64>,
    /// The updates from each, newest target first.
    pub out: Vec<Vec<Way>>,
    /// The updates of `out` that may not exist, by the places of their ends.
    uncertain: HashSet<(u32, u32)>,
    /// The updates that are not in `out` and may exist, by the places of their ends.
    doubted: HashSet<(u32, u32)>,
    /// The releases whose list of updates is unknown: any older release may lead to them.
    untold: Vec<u32>,
}

/// An update of a channel. There are millions of them, so of its risks it knows only the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The place of the target.
    pub to: u32,
    /// Why it is as it is.
    pub reason: ReasonId,
}

/// Which updates of a channel a walk goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Those that exist for sure.
    Certain,
    /// Those that exist as far as is known.
    Likely,
    /// Those that may exist, too.
    Possible,
}

impl Ways {
    /// The ways of a channel's clusters.
    #[must_use]
    pub fn of(served: &Served<'_>, names: &Names) -> Self {
        let whole = served.whole;
        let members = &served.members;
        let mut place = vec![u32::MAX; whole.graph.node_count()];
        for (at, node) in (0..).zip(members) {
            place[node.index()] = at;
        }
        let offered = Offered::of(whole, names);
        let mut ways = Self { out: vec![Vec::new(); members.len()], ..Self::default() };
        for to in members.iter().rev() {
            for update in whole.graph.edges_directed(*to, Direction::Incoming) {
                let (from, edge) = (update.source(), update.weight());
                if served.holds(from) && offered.holds(from, *to, edge.reason) {
                    let ends = (place[from.index()], place[to.index()]);
                    ways.out[ends.0 as usize].push(Way { to: ends.1, reason: edge.reason });
                    if edge.knowledge == Knowledge::Uncertain {
                        ways.uncertain.insert(ends);
                    }
                }
            }
        }
        let doubted = whole.doubted.iter();
        let doubted = doubted.filter(|(from, to)| served.holds(*from) && served.holds(*to));
        ways.doubted = doubted.map(|(from, to)| (place[from.index()], place[to.index()])).collect();
        for (at, node) in (0..).zip(members) {
            let release = whole.release(*node);
            if !release.is_told {
                ways.untold.push(at);
            }
            ways.versions.push(served.version(*node).into_owned());
            ways.is_general.push(release.version.pre.is_empty());
            ways.minors.push((release.version.major, release.version.minor));
            ways.patches.push(release.version.patch);
        }
        ways
    }

    /// How many releases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.versions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty()
    }

    /// The newest generally available release: nothing newer is there for it to reach.
    #[must_use]
    pub fn head(&self) -> Option<usize> {
        self.is_general.iter().rposition(|is_general| *is_general)
    }

    /// Whether updates that may not exist, or may exist, decide anything here.
    pub(super) fn has_doubts(&self) -> bool {
        !(self.uncertain.is_empty() && self.doubted.is_empty() && self.untold.is_empty())
    }

    /// From which releases some goal can be reached over ways that are open.
    pub(super) fn reaching(
        &self,
        goals: impl Fn(usize) -> bool,
        is_open: impl Fn(&Way) -> bool,
    ) -> Vec<bool> {
        self.reaching_with(Trust::Likely, goals, is_open)
    }

    /// The same over updates that are trusted so far.
    pub(super) fn reaching_with(
        &self,
        trust: Trust,
        goals: impl Fn(usize) -> bool,
        is_open: impl Fn(&Way) -> bool,
    ) -> Vec<bool> {
        let mut origins: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (from, ways) in (0..).zip(&self.out) {
            for way in ways.iter().filter(|way| is_open(way)) {
                if trust != Trust::Certain || !self.uncertain.contains(&(from, way.to)) {
                    origins[way.to as usize].push(from);
                }
            }
        }
        if trust == Trust::Possible {
            for (from, to) in &self.doubted {
                origins[*to as usize].push(*from);
            }
        }
        let untold: HashSet<u32> =
            self.untold.iter().copied().filter(|_| trust == Trust::Possible).collect();
        // All releases before this one may lead to an untold one.
        let mut led = 0;
        let mut reaches: Vec<bool> = (0..self.len()).map(goals).collect();
        let mut next: Vec<u32> =
            (0..).zip(&reaches).filter(|(_, r)| **r).map(|(at, _)| at).collect();
        while let Some(at) = next.pop() {
            if untold.contains(&at) {
                let more = (led..at).filter(|older| !reaches[*older as usize]);
                next.extend(more.collect::<Vec<u32>>());
                let older = &mut reaches[led.min(at) as usize..at as usize];
                older.fill(true);
                led = led.max(at);
            }
            for origin in &origins[at as usize] {
                if !std::mem::replace(&mut reaches[*origin as usize], true) {
                    next.push(*origin);
                }
            }
        }
        reaches
    }

    /// For each release, the newest one that it can reach if no risk applies.
    pub(super) fn furthest(&self) -> Vec<u32> {
        let mut origins: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (from, ways) in (0..).zip(&self.out) {
            for way in ways {
                origins[way.to as usize].push(from);
            }
        }
        let mut furthest: Vec<Option<u32>> = vec![None; self.len()];
        for end in (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).rev() {
            let mut next = vec![end];
            while let Some(at) = next.pop() {
                if furthest[at as usize].is_none() {
                    furthest[at as usize] = Some(end);
                    next.extend(&origins[at as usize]);
                }
            }
        }
        (0..).zip(furthest).map(|(at, end)| end.unwrap_or(at)).collect()
    }

    /// Whether each release has an update, of those that are open and trusted so far.
    pub(super) fn leaving_with(&self, trust: Trust, is_open: impl Fn(&Way) -> bool) -> Vec<bool> {
        let is_trusted =
            |from: u32, to: u32| trust != Trust::Certain || !self.uncertain.contains(&(from, to));
        let leaves = |(from, out): (u32, &Vec<Way>)| {
            out.iter().any(|way| is_open(way) && is_trusted(from, way.to))
        };
        let mut leaving: Vec<bool> = (0..).zip(&self.out).map(leaves).collect();
        if trust == Trust::Possible {
            for (from, _) in &self.doubted {
                leaving[*from as usize] = true;
            }
            let newest = self.untold.last().map_or(0, |newest| *newest as usize);
            leaving[..newest].fill(true);
        }
        leaving
    }
}
