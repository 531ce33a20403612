//! The best routes from many releases to one.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use crate::domain::is_general;

use super::RouteArea;
use super::hops::{Hop, Hops};
use crate::analysis::RiskNameId;

/// The updates that routes to a release may use, for searches from many origins.
#[derive(Debug)]
pub(crate) struct BestRoutes<'g> {
    pub area: RouteArea<'g>,
    pub to: NodeIndex,
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

impl<'g> BestRoutes<'g> {
    pub(crate) fn new(area: RouteArea<'g>, to: NodeIndex) -> Self {
        let usual = hops(&area, to, false);
        Self { area, to, usual, with_prereleases: OnceCell::new() }
    }

    /// None if there is no route. Pre-releases are used only if there is no other route.
    pub(crate) fn from(&self, from: NodeIndex) -> Option<BestRoute> {
        self.chosen(from).map(|(_, route)| route)
    }

    fn chosen(&self, from: NodeIndex) -> Option<(&Hops<RiskNameId>, BestRoute)> {
        let usual = is_general(&self.area.graph.release(from).version)
            .then(|| best(&self.usual, from, self.to))
            .flatten();
        if let Some(route) = usual {
            return Some((&self.usual, route));
        }
        let all = self.with_prereleases.get_or_init(|| hops(&self.area, self.to, true));
        Some((all, best(all, from, self.to)?))
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

fn hops(area: &RouteArea<'_>, to: NodeIndex, by_prereleases: bool) -> Hops<RiskNameId> {
    area.hops([to, to], by_prereleases, |reason| area.closed_by(reason))
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
