//! Routes between two releases, or the reason that no route exists.

mod area;
mod best;
mod hops;

pub(crate) use area::{Leg, RouteArea, RouteLimits};
pub(crate) use best::{BestRoute, BestRoutes, GoalArea, RouteRisks, SafeUpdates};
pub(crate) use hops::Hop;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::domain::{Named, is_general};
use crate::graph::{DeclarationId, ReasonId, State};

use super::risk_names::RiskNameId;

#[derive(Debug)]
pub(crate) struct Routes {
    /// The routes, safest first. Each has fewer hops than those before it.
    pub found: Vec<Route>,
    /// Whether there are too many routes to find the one with the fewest risks.
    pub is_incomplete: bool,
    /// The risks whose removal alone would open a route without risks.
    pub unblocked_by: Vec<RiskNameId>,
    /// The blocks whose removal alone would open a route. Empty if there is a route.
    pub unblocked_by_blocks: Vec<DeclarationId>,
    /// Why there is no route. None if there is one.
    pub no_route: Option<NoRoute>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub kind: RouteKind,
    pub hops: Vec<Hop<RiskNameId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteKind {
    Open,
    FewestRisks,
    FewestHops,
}

impl Named for RouteKind {
    const ALL: &'static [Self] = &[Self::Open, Self::FewestRisks, Self::FewestHops];

    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::FewestRisks => "fewest-risks",
            Self::FewestHops => "fewest-hops",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoRoute {
    /// Every route has a blocked update. This describes the shortest one.
    Blocked {
        first: (NodeIndex, NodeIndex),
        blocks: Vec<DeclarationId>,
    },
    Older,
    /// No channel has the origin.
    NotServed,
    NothingLeaves,
    NothingArrives,
    /// There are updates from the origin and to the target, but no connection between them.
    NotConnected,
}

impl Routes {
    /// Searches for routes. `is_only_block` says whether a declaration is the only block of its
    /// target. If there are several, the service uses the last one, and the previous one after that
    /// is removed.
    pub(crate) fn between(
        area: &RouteArea<'_>,
        from: NodeIndex,
        to: NodeIndex,
        is_only_block: impl Fn(DeclarationId) -> bool,
    ) -> Self {
        let names = area.names;
        let closed_by = |reason: ReasonId| area.closed_by(reason);
        let ends = [from, to];
        let mut hops = area.hops(ends, false, closed_by);
        let has_route = hops.shortest(from, to, |_| true).is_some();
        let by_prereleases = !has_route && may_use_prereleases(area, ends);
        if by_prereleases {
            hops = area.hops(ends, true, closed_by);
        }
        let open = hops.shortest(from, to, |hop| hop.closed_by.is_empty());
        let shortest = hops.shortest(from, to, |_| true);
        let safest = if open.is_none() { hops.safest(from, to) } else { Ok(None) };
        let is_incomplete = safest.is_err();
        let mut found: Vec<Route> = Vec::new();
        for (kind, hops) in [
            (RouteKind::Open, open),
            (RouteKind::FewestRisks, safest.unwrap_or_default()),
            (RouteKind::FewestHops, shortest),
        ] {
            let Some(hops) = hops else { continue };
            if found.iter().all(|known| known.hops.len() > hops.len()) {
                found.push(Route { kind, hops: hops.into_iter().cloned().collect() });
            }
        }
        // An update that is also blocked stays closed when its risks are removed.
        let only_risks = |reason| closed_by(reason).filter(|_| !names.hides_block(reason));
        let unblocked_by = match found.first() {
            Some(Route { kind: RouteKind::Open, .. }) => Vec::new(),
            _ => area.hops(ends, by_prereleases, only_risks).unblocked_by(from, to),
        };
        let unblocked_by_blocks = if found.is_empty() {
            let mut blocks = unblocked_by_blocks(area, ends, by_prereleases);
            blocks.retain(|block| is_only_block(*block));
            blocks
        } else {
            Vec::new()
        };
        let no_route = found.is_empty().then(|| why_none(area, ends, by_prereleases));
        Self { found, is_incomplete, unblocked_by, unblocked_by_blocks, no_route }
    }
}

/// Whether a route may use pre-releases if there is no other route. If all channels are allowed, it
/// may not: the block on the usual route is more useful to know than a route over pre-releases.
fn may_use_prereleases(area: &RouteArea<'_>, ends: [NodeIndex; 2]) -> bool {
    let is_prerelease = |node: &NodeIndex| !is_general(&area.graph.release(*node).version);
    let is_blocked = || {
        let all = area.hops(ends, false, |_| Some(Vec::<DeclarationId>::new()));
        all.shortest(ends[0], ends[1], |_| true).is_some()
    };
    area.is_one_channel() || ends.iter().any(is_prerelease) || !is_blocked()
}

/// The blocks whose removal alone would open a route, with or without risks.
fn unblocked_by_blocks(
    area: &RouteArea<'_>,
    ends: [NodeIndex; 2],
    by_prereleases: bool,
) -> Vec<DeclarationId> {
    let closed_by = |reason: ReasonId| {
        let reason = &area.graph.reasons[reason];
        match (&reason.state, reason.declarations.as_slice()) {
            (State::Open | State::Conditional(_), _) => Some(Vec::new()),
            (State::Blocked, [only]) if reason.metadata_key.is_none() => Some(vec![*only]),
            (State::Blocked, _) => None,
        }
    };
    area.hops(ends, by_prereleases, closed_by).unblocked_by(ends[0], ends[1])
}

fn why_none(area: &RouteArea<'_>, ends: [NodeIndex; 2], by_prereleases: bool) -> NoRoute {
    let graph = area.graph;
    let [from, to] = ends;
    let all = area.hops(ends, by_prereleases, |_| Some(Vec::<DeclarationId>::new()));
    if let Some(route) = all.shortest(from, to, |_| true) {
        let updates = route.iter().filter_map(|hop| graph.graph.find_edge(hop.from, hop.to));
        let blocked = || updates.clone().filter(|id| graph.reason(*id).state == State::Blocked);
        let blocks = blocked().filter_map(|id| graph.reason(id).declarations.first().copied());
        let first = blocked().next().and_then(|id| graph.graph.edge_endpoints(id));
        return NoRoute::Blocked { first: first.unwrap_or_default(), blocks: blocks.collect() };
    }
    if graph.release(to).version < graph.release(from).version {
        NoRoute::Older
    } else if !area.is_served(from) {
        NoRoute::NotServed
    } else if !area.updates().any(|edge| edge.source() == from) {
        NoRoute::NothingLeaves
    } else if !area.updates().any(|edge| edge.target() == to) {
        NoRoute::NothingArrives
    } else {
        NoRoute::NotConnected
    }
}
