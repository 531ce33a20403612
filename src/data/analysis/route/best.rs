//! The best routes from many releases to one.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::{Arena, HashSet, is_general};
use crate::graph::ReasonId;

use super::RouteArea;
use super::hops::{Hop, Hops};
use crate::analysis::RiskNameId;

/// The updates that lead to a release, whatever risks they have.
#[derive(Debug)]
pub(crate) struct GoalArea<'g> {
    pub area: RouteArea<'g>,
    pub to: NodeIndex,
    updates: Vec<(NodeIndex, NodeIndex, ReasonId)>,
}

/// Which risks matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteRisks {
    /// The risks that close updates.
    pub closing: Vec<RiskNameId>,
    /// The risks whose updates no route may use.
    pub refused: Vec<RiskNameId>,
}

/// The updates that routes to a release may use, for searches from many origins.
#[derive(Debug)]
pub(crate) struct BestRoutes<'g> {
    pub goal: Rc<GoalArea<'g>>,
    risks: RouteRisks,
    usual: Hops<RiskNameId>,
    with_prereleases: OnceCell<Hops<RiskNameId>>,
}

/// A route with the fewest risks, and of these one with the fewest hops.
#[derive(Debug)]
pub(crate) struct BestRoute {
    pub hops: Vec<Hop<RiskNameId>>,
    /// False if there are too many routes to know that none has fewer risks.
    pub has_fewest_risks: bool,
}

/// A best route from a release, and the updates that are as safe as those of the route.
#[derive(Debug)]
pub(crate) struct SafeUpdates {
    pub best: BestRoute,
    pub updates: Vec<(NodeIndex, NodeIndex)>,
}

impl<'g> GoalArea<'g> {
    pub(crate) fn new(area: RouteArea<'g>, to: NodeIndex) -> Self {
        let is_blocked = |reason: ReasonId| area.closed_by(reason).is_none();
        let all = area.updates().filter(|edge| !is_blocked(edge.weight().reason));
        let all: Vec<(NodeIndex, NodeIndex, ReasonId)> =
            all.map(|edge| (edge.source(), edge.target(), edge.weight().reason)).collect();
        let mut origins: Vec<Vec<NodeIndex>> = vec![Vec::new(); area.graph.graph.node_count()];
        for (from, to, _) in &all {
            origins[to.index()].push(*from);
        }
        let mut leading: HashSet<NodeIndex> = HashSet::from_iter([to]);
        let mut open = vec![to];
        while let Some(at) = open.pop() {
            let new = origins[at.index()].iter().filter(|origin| leading.insert(**origin));
            open.extend(new);
        }
        let updates = all.into_iter().filter(|(_, target, _)| leading.contains(target)).collect();
        Self { area, to, updates }
    }

    fn hops(&self, risks: &RouteRisks, by_prereleases: bool) -> Hops<RiskNameId> {
        let closed_by = |reason: ReasonId| {
            let mut closers = self.area.closed_by(reason)?;
            closers.retain(|risk| risks.closing.contains(risk));
            closers.iter().all(|risk| !risks.refused.contains(risk)).then_some(closers)
        };
        let closed_by: Arena<ReasonId, Option<Vec<RiskNameId>>> =
            self.area.graph.reasons.ids().map(closed_by).collect();
        let is_stop = |node: NodeIndex| {
            by_prereleases || node == self.to || is_general(&self.area.graph.release(node).version)
        };
        let updates = self.updates.iter().filter(|(from, to, _)| is_stop(*from) && is_stop(*to));
        Hops::new(updates.filter_map(|(from, to, reason)| {
            Some(Hop { from: *from, to: *to, closed_by: closed_by[*reason].clone()? })
        }))
    }
}

impl<'g> BestRoutes<'g> {
    pub(crate) fn new(goal: &Rc<GoalArea<'g>>, risks: RouteRisks) -> Self {
        let usual = goal.hops(&risks, false);
        Self { goal: Rc::clone(goal), risks, usual, with_prereleases: OnceCell::new() }
    }

    /// None if there is no route. Pre-releases are used only if there is no other route.
    pub(crate) fn from(&self, from: NodeIndex) -> Option<BestRoute> {
        self.chosen(from).map(|(_, route)| route)
    }

    fn chosen(&self, from: NodeIndex) -> Option<(&Hops<RiskNameId>, BestRoute)> {
        let GoalArea { area, to, .. } = &*self.goal;
        let usual = is_general(&area.graph.release(from).version)
            .then(|| best(&self.usual, from, *to))
            .flatten();
        if let Some(route) = usual {
            return Some((&self.usual, route));
        }
        let all = self.with_prereleases.get_or_init(|| self.goal.hops(&self.risks, true));
        Some((all, best(all, from, *to)?))
    }

    /// The best route, and all updates that only its risks close.
    pub(crate) fn safe_updates(&self, from: NodeIndex) -> Option<SafeUpdates> {
        let (hops, best) = self.chosen(from)?;
        let closers = best.hops.iter().flat_map(|hop| &hop.closed_by).copied();
        let closers: BTreeSet<RiskNameId> = closers.collect();
        let is_safe = |hop: &&Hop<RiskNameId>| hop.closed_by.iter().all(|id| closers.contains(id));
        let updates = hops.all().filter(is_safe).map(|hop| (hop.from, hop.to)).collect();
        Some(SafeUpdates { best, updates })
    }
}

fn best(hops: &Hops<RiskNameId>, from: NodeIndex, to: NodeIndex) -> Option<BestRoute> {
    let whole = |hops: Vec<&Hop<RiskNameId>>, has_fewest_risks| BestRoute {
        hops: hops.into_iter().cloned().collect(),
        has_fewest_risks,
    };
    if let Some(open) = hops.shortest(from, to, |hop| hop.closed_by.is_empty()) {
        return Some(whole(open, true));
    }
    let shortest = hops.shortest(from, to, |_| true)?;
    Some(match hops.safest(from, to) {
        Ok(Some(safest)) => whole(safest, true),
        Ok(None) | Err(_) => whole(shortest, false),
    })
}
