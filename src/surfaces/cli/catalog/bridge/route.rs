//! The paths of a cluster to its goal: over the releases of an update graph, or over minor versions
//! only.

use std::cell::RefCell;
use std::io::Write;

use petgraph::graph::NodeIndex;

use crate::analysis::{RiskNames, Route, RouteArea, RouteLimits, Routes};
use crate::bridge::{Cluster, minors_between};
use crate::catalog::openshift_limit::next_minor;
use crate::cli::catalog_args::CatalogBridgeArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::print;
use crate::domain::{Arch, Architectures, HashMap, Minor, is_general, version};
use crate::graph_data::Consumer;
use crate::report::{ClusterHop, ClusterPath};
use crate::session::{KnownGraph, ReadRequest, Session, read_graph_file};
use crate::text::Failure;

use super::super::Stop;
use super::minor_of;

/// Where a cluster should get, and how.
#[derive(Clone)]
pub(super) enum Goal {
    Paths { to: String, minors: Vec<Minor>, paths: Vec<ClusterPath> },
    NotChecked(Failure),
}

impl Goal {
    pub(super) fn minors(&self) -> &[Minor] {
        match self {
            Self::Paths { minors, .. } => minors,
            Self::NotChecked(_) => &[],
        }
    }
}

pub(super) struct Router {
    graph: Option<Graph>,
    known: RefCell<HashMap<Option<String>, Goal>>,
}

struct Graph {
    known: KnownGraph,
    names: RiskNames,
    arch: Arch,
}

impl Router {
    pub(super) fn open(
        args: &CatalogBridgeArgs,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let arch = args.arch.unwrap_or_default();
        let known = match (&args.graph, &args.graph_repo) {
            (Some(file), _) => Some(read_graph_file(file, arch, true)?),
            (None, Some(folder)) => {
                let session = Session::open(Some(folder), &[], None)?;
                let sources = Some(args.releases.request());
                let request = ReadRequest { sources, ..ReadRequest::default() };
                let architectures = Architectures::only(&arch);
                let consumer = Consumer::Schema1_1;
                Some(KnownGraph::of_repository(&session, &request, architectures, consumer)?)
            }
            (None, None) => None,
        };
        if let Some(known) = &known {
            print::known_graph(known, common, err)?;
        }
        let graph = known.map(|known| Graph { names: RiskNames::of(&known.graph), known, arch });
        Ok(Self { graph, known: RefCell::default() })
    }

    /// Where a cluster should get. Of a fleet, some cannot be checked; a single one must be.
    pub(super) fn goal(
        &self,
        args: &CatalogBridgeArgs,
        cluster: &Cluster,
    ) -> Result<Goal, Failure> {
        if let Some(goal) = self.known.borrow().get(&cluster.version) {
            return Ok(goal.clone());
        }
        let is_fleet = args.metrics.is_some() || args.operators.len() > 1;
        let goal = match self.find(args, cluster) {
            Err(failure) if is_fleet => Goal::NotChecked(failure),
            found => found?,
        };
        self.known.borrow_mut().insert(cluster.version.clone(), goal.clone());
        Ok(goal)
    }

    fn find(&self, args: &CatalogBridgeArgs, cluster: &Cluster) -> Result<Goal, Failure> {
        let Some(version) = &cluster.version else {
            return Err(Failure::new("its version is not known"));
        };
        let from = minor_of(version)?;
        let to = args.to.clone().unwrap_or_else(|| next_minor(from).to_string());
        let goal = minor_of(&to)?;
        let is_older = match (version::parse(version), version::parse(&to)) {
            (Some(from), Some(to)) => to < from,
            _ => goal < from,
        };
        if is_older {
            return Err(Failure::new(format!("{to} is older than {version}")));
        }
        if let Some(graph) = &self.graph {
            return graph.goal(args, version, &to);
        }
        let minors = minors_between(from, goal)
            .ok_or_else(|| Failure::new(format!("no updates lead from {from} to {goal}")))?;
        let hops = (0..).zip(minors.windows(2)).filter_map(|(stage, pair)| {
            let [from, to] = pair else { return None };
            Some(ClusterHop {
                from: from.to_string(),
                to: to.to_string(),
                risks: Vec::new(),
                leaves: Some(stage),
            })
        });
        let paths = vec![ClusterPath { kind: None, hops: hops.collect() }];
        Ok(Goal::Paths { to, minors, paths })
    }
}

impl Graph {
    fn goal(&self, args: &CatalogBridgeArgs, from: &str, to: &str) -> Result<Goal, Failure> {
        let graph = &self.known.graph;
        let channel = args.graph_channel.as_ref().map(|name| {
            let names = graph.channels.iter().map(String::as_str);
            graph.channel(name).ok_or_else(|| Failure::unknown_channel(name, names))
        });
        let channels = channel.transpose()?.map(|channel| vec![channel]);
        let limits = RouteLimits { arch: self.arch, channels, ..RouteLimits::default() };
        let area = RouteArea::of(graph, &self.names, limits);
        let releases = || area.releases().map(|node| area.version(node));
        if version::parse(from).is_none() {
            return Err(Failure::new(format!("{from} is not a release of the update graph"))
                .hint("name the release, as in `--from 4.16.20`"));
        }
        let start = area.release(from).ok_or_else(|| Failure::unknown_release(from, releases()))?;
        let ends = match version::parse(to) {
            Some(_) => {
                vec![area.release(to).ok_or_else(|| Failure::unknown_release(to, releases()))?]
            }
            None => newest_of_minor(&area, minor_of(to)?),
        };
        let found = ends.iter().map(|end| Routes::between(&area, start, *end, |_| false).found);
        let found = found.into_iter().find(|routes| !routes.is_empty()).unwrap_or_default();
        let Some(end) = found.first().map(|route| end(&area, route, start)) else {
            return Err(Failure::new(format!("the update graph has no path from {from} to {to}"))
                .hint("`exitpath path` says why"));
        };
        let minors_of = |route| minors(&area, start, route);
        let minors = found.first().map(minors_of).unwrap_or_default();
        // Operators are checked for one sequence of minor versions: that of the safest route.
        let paths = found.iter().filter(|route| minors_of(route) == minors);
        let paths = paths.map(|route| path(&area, route, &minors)).collect();
        Ok(Goal::Paths { to: end, minors, paths })
    }
}

fn end(area: &RouteArea<'_>, route: &Route, start: NodeIndex) -> String {
    area.version(route.hops.last().map_or(start, |hop| hop.to)).to_owned()
}

/// The releases of a minor version, the newest first.
fn newest_of_minor(area: &RouteArea<'_>, minor: Minor) -> Vec<NodeIndex> {
    let version = |node: &NodeIndex| &area.graph.release(*node).version;
    let is_of_minor =
        |node: &NodeIndex| Minor::of(version(node)) == minor && is_general(version(node));
    let mut releases: Vec<NodeIndex> = area.releases().filter(is_of_minor).collect();
    releases.sort_by(|a, b| version(b).cmp(version(a)));
    releases
}

fn minor(area: &RouteArea<'_>, node: NodeIndex) -> Minor {
    Minor::of(&area.graph.release(node).version)
}

/// The minor versions of the releases on a route.
fn minors(area: &RouteArea<'_>, start: NodeIndex, route: &Route) -> Vec<Minor> {
    let nodes = std::iter::once(start).chain(route.hops.iter().map(|hop| hop.to));
    let mut minors: Vec<Minor> = nodes.map(|node| minor(area, node)).collect();
    minors.dedup();
    minors
}

fn path(area: &RouteArea<'_>, route: &Route, minors: &[Minor]) -> ClusterPath {
    let hops = route.hops.iter().map(|hop| {
        let (from, to) = (minor(area, hop.from), minor(area, hop.to));
        ClusterHop {
            from: area.version(hop.from).to_owned(),
            to: area.version(hop.to).to_owned(),
            risks: hop.closed_by.iter().map(|id| area.names.name(*id).to_owned()).collect(),
            leaves: (from != to).then(|| minors.iter().position(|known| *known == from)).flatten(),
        }
    });
    ClusterPath { kind: Some(route.kind), hops: hops.collect() }
}
