//! The updates of a graph: for each target a list of its origins, which most architectures share.

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::analysis::{Offered, RiskNames};
use crate::domain::{Arch, Named};
use crate::graph::{Edge, Knowledge, UpdateGraph};
use crate::graph_data::GraphData;

use super::by_arch::{ByArch, bit};
use super::causes::{Causes, GraphCauses};
use super::pool::Pool;
use super::versions::Versions;

/// An update to some target: the origin's number, the cause's number, and how well it is known.
pub(super) type Incoming = (usize, usize, u8);

pub(super) const GIVEN: u8 = 0;
const PREDICTED: u8 = 1;
const UNCERTAIN: u8 = 2;
/// Probably there is no such update.
const UNLIKELY: u8 = 3;

/// How many kinds of knowledge there are.
const KINDS: usize = 4;

/// The updates to a release: the architectures as bits, the release, and the number of the list.
pub(super) type UpdatesJson = (u8, usize, usize);

/// The updates of a graph.
#[derive(Debug, Default)]
pub(super) struct GraphUpdates {
    pub lists: Vec<UpdatesJson>,
    /// The architectures and the number of each release whose origins are unknown.
    pub unknown_origins: Vec<(u8, usize)>,
}

/// The lists of all states. Each run of neighboring origins with equal updates has three numbers:
/// how many releases after the last origin it begins, how many origins it has, and what their
/// updates are.
pub(super) type Lists = Pool<Vec<usize>>;

pub(super) fn updates(
    graph: &UpdateGraph,
    data: Option<&GraphData>,
    versions: &Versions,
    causes: &mut Causes,
    lists: &mut Lists,
) -> GraphUpdates {
    let names = RiskNames::of(graph);
    let offered = Offered::of(graph, &names);
    let mut causes = GraphCauses::new(causes, graph, data, &names);
    let mut unlikely_to = vec![Vec::new(); graph.graph.node_count()];
    for (from, to) in &graph.unlikely {
        unlikely_to[to.index()].push(*from);
    }
    let mut of_targets: Vec<ByArch<Vec<Incoming>>> = vec![ByArch::default(); versions.len()];
    let mut found = GraphUpdates::default();
    for node in graph.graph.node_indices() {
        let release = graph.release(node);
        for arch in Arch::ALL.iter().copied() {
            let Some(target) = number(graph, node, arch, versions) else { continue };
            let incoming = graph.graph.edges_directed(node, Direction::Incoming);
            let known = incoming.filter_map(|edge| {
                let from = number(graph, edge.source(), arch, versions)?;
                let Edge { reason, knowledge } = *edge.weight();
                let is_taken = offered.holds(edge.source(), node, reason);
                Some((from, causes.number(reason, is_taken), kind(knowledge)))
            });
            let mut list: Vec<Incoming> = known.collect();
            let doubtful = unlikely_to[node.index()].iter();
            let doubtful = doubtful.filter_map(|from| number(graph, *from, arch, versions));
            list.extend(doubtful.map(|from| (from, 0, UNLIKELY)));
            list.sort_unstable();
            of_targets[target].add(arch, list);
            if !release.has_known_origins {
                found.unknown_origins.push((bit(arch), target));
            }
        }
    }
    let by_target = of_targets.into_iter().enumerate();
    let by_target = by_target.flat_map(|(target, of_arches)| {
        of_arches.into_bits().map(move |(arches, list)| (arches, target, list))
    });
    let numbered =
        by_target.map(|(arches, target, list)| (arches, target, lists.number(runs(&list))));
    found.lists = numbered.collect();
    found
}

/// The number of a release for an architecture. None if no shown channel has it.
fn number(graph: &UpdateGraph, node: NodeIndex, arch: Arch, versions: &Versions) -> Option<usize> {
    let release = graph.release(node);
    let is_shown = !release.is_abstract && release.is_for(arch);
    is_shown.then(|| versions.number(release, arch)).flatten()
}

fn kind(knowledge: Knowledge) -> u8 {
    match knowledge {
        Knowledge::Given => GIVEN,
        Knowledge::Predicted => PREDICTED,
        Knowledge::Uncertain => UNCERTAIN,
    }
}

pub(super) fn runs(list: &[Incoming]) -> Vec<usize> {
    let is_next = |a: &Incoming, b: &Incoming| a.0 + 1 == b.0 && (a.1, a.2) == (b.1, b.2);
    let mut numbers = Vec::new();
    let mut after = 0;
    for run in list.chunk_by(is_next) {
        let (from, cause, kind) = run[0];
        numbers.extend([from - after, run.len(), cause * KINDS + usize::from(kind)]);
        after = from + run.len();
    }
    numbers
}
