//! How clusters get to a release, and which risks they must accept for it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use petgraph::graph::NodeIndex;

use crate::analysis::{
    BestRoute, BestRoutes, GoalArea, RiskNameId, RiskNames, RouteArea, RouteLimits, RouteRisks,
    SafeUpdates,
};
use crate::domain::{Arch, Minor, Named, Version, is_general, version};
use crate::graph::{ChannelId, Release, UpdateGraph};
use crate::text::Failure;

use super::risk_answer::RiskCount;

/// Where clusters should get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FleetGoal {
    /// The newest release of the channels that clusters should use, and of their own.
    Newest,
    /// The newest release of the clusters' own channel.
    Latest,
    /// The newest release of a channel.
    Channel(String),
    /// The newest release of a minor version in the channels that clusters should use.
    Minor(Minor),
    Release(String),
}

/// How the clusters of a class get to their goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GoalAnswer {
    /// They run the goal, or something newer.
    Reached,
    Path(GoalPath),
    /// There is no path, with or without risks.
    NoPath,
    /// The goal names no release for these clusters, or no channel has the release that they run.
    NoRelease,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GoalPath {
    /// The releases on the path, in order. The last one is the goal.
    pub through: Vec<String>,
    /// The channels that the clusters need, in order.
    pub channels: Vec<String>,
    /// The risks that affect the clusters, and that must be accepted.
    pub accept: Vec<String>,
    /// The risks that the clusters cannot evaluate. Operators do not let administrators accept
    /// these. If there are some, every other path has some, too.
    pub cannot_tell: Vec<String>,
    /// Whether it is known that no other path has fewer risks.
    pub has_fewest_risks: bool,
}

impl FleetGoal {
    /// Reads `latest`, a channel, a minor version, or a release.
    pub(crate) fn parse(text: &str, graph: &UpdateGraph) -> Result<Self, Failure> {
        if text == "latest" {
            return Ok(Self::Latest);
        }
        let goal = match Minor::parse(text) {
            Some(minor) => Some(Self::Minor(minor)),
            None => version::fault(text).is_none().then(|| Self::Release(text.to_owned())),
        };
        if let Some(goal) = goal {
            let is_there = Arch::ALL.iter().any(|arch| goal.release(graph, None, *arch).is_some());
            let what = || Failure::new(format!("there is no release of {text} to get to"));
            return if is_there { Ok(goal) } else { Err(what()) };
        }
        let names = graph.channels.iter().map(String::as_str);
        let channel = graph.channel(text).map(|_| Self::Channel(text.to_owned()));
        channel.ok_or_else(|| {
            let failure = Failure::unknown_channel(text, names);
            failure.or_hint("`--to` takes a minor version, a channel, a release, or `latest`")
        })
    }

    /// The channels of routes for the clusters of a channel.
    pub(super) fn channels(&self, graph: &UpdateGraph, own: Option<ChannelId>) -> Vec<ChannelId> {
        match self {
            Self::Latest => own.into_iter().collect(),
            Self::Channel(goal) => {
                graph.advised_channels().chain(own).chain(graph.channel(goal)).collect()
            }
            Self::Newest | Self::Minor(_) | Self::Release(_) => {
                graph.advised_channels().chain(own).collect()
            }
        }
    }

    /// The updates that lead to the goal for the clusters of a channel and an architecture. None if
    /// there is no such release for them.
    pub(super) fn area<'g>(
        &self,
        graph: &'g UpdateGraph,
        names: &'g RiskNames,
        own: Option<ChannelId>,
        channels: Vec<ChannelId>,
        arch: Arch,
    ) -> Option<GoalArea<'g>> {
        let to = self.release(graph, own, arch)?;
        let limits = RouteLimits { arch, channels: Some(channels), ..RouteLimits::default() };
        Some(GoalArea::new(RouteArea::of(graph, names, limits), to))
    }

    /// The newest release that counts, general ones first.
    pub(crate) fn release(
        &self,
        graph: &UpdateGraph,
        own: Option<ChannelId>,
        arch: Arch,
    ) -> Option<NodeIndex> {
        let goal = match self {
            Self::Channel(name) => graph.channel(name),
            _ => None,
        };
        let counts = |release: &Release| match self {
            Self::Newest => {
                let counts = |id: &ChannelId| graph.is_advised(*id) || Some(*id) == own;
                release.channels.iter().any(counts)
            }
            Self::Latest => own.is_some_and(|own| release.is_in(own)),
            Self::Channel(_) => goal.is_some_and(|goal| release.is_in(goal)),
            Self::Minor(minor) => {
                Minor::of(&release.version) == *minor
                    && release.channels.iter().any(|channel| graph.is_advised(*channel))
            }
            Self::Release(version) => is_named(&release.version, version),
        };
        let nodes = graph.graph.node_indices().rev();
        let nodes = nodes.filter(|node| {
            let release = graph.release(*node);
            !release.is_abstract && release.is_for(arch) && counts(release)
        });
        let general = |node: &NodeIndex| is_general(&graph.release(*node).version);
        nodes.clone().find(general).or_else(|| nodes.clone().next())
    }
}

/// Whether a version is this one, for any architecture.
fn is_named(version: &Version, text: &str) -> bool {
    version::parse(text).is_some_and(|named| named.cmp_precedence(version).is_eq())
}

impl GoalAnswer {
    /// Whether the clusters get there without accepting a risk.
    pub(super) fn is_recommended(&self) -> bool {
        match self {
            Self::Reached => true,
            Self::Path(path) => path.is_recommended(),
            Self::NoPath | Self::NoRelease => false,
        }
    }

    pub(crate) fn path(&self) -> Option<&GoalPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Reached | Self::NoPath | Self::NoRelease => None,
        }
    }

    /// The state as one word, for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::Path(path) => path.word(),
            Self::NoPath => "no-path",
            Self::NoRelease => "no-release",
        }
    }
}

impl GoalPath {
    /// Whether all its updates are recommended.
    pub(crate) fn is_recommended(&self) -> bool {
        self.accept.is_empty() && self.cannot_tell.is_empty()
    }

    /// How the clusters take it, as one word for programs.
    pub(crate) fn word(&self) -> &'static str {
        match (self.accept.is_empty(), self.cannot_tell.is_empty()) {
            (true, true) => "recommended",
            (false, true) => "accept",
            (_, false) => "cannot-tell",
        }
    }

    /// Whether it has more risks than another path. Risks that clusters cannot evaluate count
    /// first.
    pub(crate) fn is_riskier_than(&self, other: &Self) -> bool {
        let cost = |path: &Self| (path.cannot_tell.len(), path.accept.len());
        cost(self) > cost(other)
    }
}

/// The routes to a goal for clusters with the same risks.
#[derive(Debug)]
pub(crate) struct GoalRoutes<'g> {
    /// The routes whose updates are recommended once risks are accepted.
    acceptable: BestRoutes<'g>,
    /// All routes, computed on demand.
    any: OnceCell<BestRoutes<'g>>,
    /// The risks that affect the clusters, or might.
    affecting: Vec<RiskNameId>,
    /// The risks that the clusters cannot evaluate.
    unknown: Vec<RiskNameId>,
}

impl<'g> GoalRoutes<'g> {
    /// `affecting` are the risks that affect the clusters, or might.
    pub(super) fn new(goal: &Rc<GoalArea<'g>>, affecting: &[RiskCount]) -> Self {
        let names = goal.area.names;
        let ids = |risks: &mut dyn Iterator<Item = &RiskCount>| -> Vec<RiskNameId> {
            risks.filter_map(|risk| names.id(&risk.name)).collect()
        };
        let unknown = ids(&mut affecting.iter().filter(|risk| risk.is_unknown));
        let affecting = ids(&mut affecting.iter());
        let risks = RouteRisks { closing: affecting.clone(), refused: unknown.clone() };
        let acceptable = BestRoutes::new(goal, risks);
        Self { acceptable, any: OnceCell::new(), affecting, unknown }
    }

    /// The routes with unknown risks. None if there are no such risks.
    fn any(&self) -> Option<&BestRoutes<'g>> {
        let risks = || RouteRisks { closing: self.affecting.clone(), refused: Vec::new() };
        let new = || BestRoutes::new(&self.acceptable.goal, risks());
        (!self.unknown.is_empty()).then(|| self.any.get_or_init(new))
    }

    /// How clusters with this version get to the goal.
    pub(crate) fn answer(&self, version: &str) -> GoalAnswer {
        let (routes, goal) = (&self.acceptable, &self.acceptable.goal);
        let Some(from) = goal.area.release(version) else { return GoalAnswer::NoRelease };
        let order = |node: NodeIndex| &goal.area.graph.release(node).version;
        if order(from).cmp_precedence(order(goal.to)).is_ge() {
            return GoalAnswer::Reached;
        }
        let route = routes.from(from).or_else(|| self.any()?.from(from));
        let path = |route| GoalAnswer::Path(self.path(&goal.area, &route));
        route.map_or(GoalAnswer::NoPath, path)
    }

    /// The best route from a release, the updates that are as safe as it, and the goal.
    pub(crate) fn safe_updates(&self, version: &str) -> Option<(SafeUpdates, NodeIndex)> {
        let goal = &self.acceptable.goal;
        let from = goal.area.release(version)?;
        let safe = self.acceptable.safe_updates(from);
        Some((safe.or_else(|| self.any()?.safe_updates(from))?, goal.to))
    }

    fn path(&self, area: &RouteArea<'_>, route: &BestRoute) -> GoalPath {
        let risks: BTreeSet<RiskNameId> =
            route.hops.iter().flat_map(|hop| &hop.closed_by).copied().collect();
        let (unknown, known): (Vec<RiskNameId>, Vec<RiskNameId>) =
            risks.into_iter().partition(|risk| self.unknown.contains(risk));
        let names = |risks: Vec<RiskNameId>| {
            let names: BTreeSet<&str> = risks.into_iter().map(|id| area.names.name(id)).collect();
            names.into_iter().map(str::to_owned).collect()
        };
        let legs = area.legs(&route.hops);
        GoalPath {
            through: route.hops.iter().map(|hop| area.version(hop.to).to_owned()).collect(),
            channels: legs.iter().map(|leg| area.graph.channels[leg.channel].clone()).collect(),
            accept: names(known),
            cannot_tell: names(unknown),
            has_fewest_risks: route.has_fewest_risks,
        }
    }
}
