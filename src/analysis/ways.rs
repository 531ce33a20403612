//! A channel's graph, as small as walks over it need it.

use std::collections::HashSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::graph::{DoubleKind, ReasonId, Served};

use super::names::Names;

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
    /// The updates from each, newest target first.
    pub out: Vec<Vec<Way>>,
    /// Whether each may have updates that nobody can be sure of, and that are not among them.
    pub may_have_more: Vec<bool>,
}

/// An update of a channel. There are millions of them, so of its risks it knows only the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The place of the target.
    pub to: u32,
    /// Why it is as it is.
    pub reason: ReasonId,
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
        let release = |node: &NodeIndex| &whole.release(*node).version;
        let mut out: Vec<Vec<Way>> = vec![Vec::new(); members.len()];
        let dropped: HashSet<(NodeIndex, NodeIndex)> = whole
            .doubles
            .iter()
            .filter(|double| double.kind == DoubleKind::ConditionalTwice)
            .map(|double| (double.from, double.to))
            .collect();
        // A cluster that finds no release for a conditional update takes nothing of the answer.
        let stuck: HashSet<NodeIndex> = whole.dangling.iter().map(|(from, _)| *from).collect();
        for to in members.iter().rev() {
            for update in whole.graph.edges_directed(*to, Direction::Incoming) {
                let (from, reason) = (update.source(), update.weight().reason);
                let is_way = served.holds(from)
                    && !names.closes_for_all(reason)
                    && !dropped.contains(&(from, *to))
                    && !stuck.contains(&from);
                if is_way {
                    let way = Way { to: place[to.index()], reason };
                    out[place[from.index()] as usize].push(way);
                }
            }
        }
        let mut may_have_more = vec![false; members.len()];
        for (from, to) in &whole.doubted {
            if served.holds(*from) && served.holds(*to) {
                may_have_more[place[from.index()] as usize] = true;
            }
        }
        // What nobody knows of a release may be an update to it from any older one.
        let newest_untold = members.iter().rposition(|node| !whole.release(*node).is_told);
        for may in may_have_more.iter_mut().take(newest_untold.unwrap_or(0)) {
            *may = true;
        }
        Self {
            may_have_more,
            versions: members.iter().map(|node| served.version(*node).into_owned()).collect(),
            is_general: members.iter().map(|node| release(node).pre.is_empty()).collect(),
            minors: members.iter().map(|n| (release(n).major, release(n).minor)).collect(),
            out,
        }
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

    /// From which releases some goal can be reached over ways that are open.
    pub(super) fn reaching(
        &self,
        goals: impl Fn(usize) -> bool,
        is_open: impl Fn(&Way) -> bool,
    ) -> Vec<bool> {
        let mut origins: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (from, ways) in (0..).zip(&self.out) {
            for way in ways.iter().filter(|way| is_open(way)) {
                origins[way.to as usize].push(from);
            }
        }
        let mut reaches: Vec<bool> = (0..self.len()).map(goals).collect();
        let mut next: Vec<u32> =
            (0..).zip(&reaches).filter(|(_, r)| **r).map(|(at, _)| at).collect();
        while let Some(at) = next.pop() {
            for origin in &origins[at as usize] {
                if !std::mem::replace(&mut reaches[*origin as usize], true) {
                    next.push(*origin);
                }
            }
        }
        reaches
    }
}
