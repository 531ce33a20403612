//! The updates of a state: for each target a list of its origins, which most architectures share.

use petgraph::Direction;
use petgraph::visit::EdgeRef;

use crate::analysis::{Offered, RiskNames};
use crate::domain::{Arch, ArchSet, Arena, Named};
use crate::graph::{Knowledge, ReasonId, UpdateGraph};

use super::causes::Causes;
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

/// The updates of a state.
#[derive(Debug, Default)]
pub(super) struct StateUpdates {
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
    names: &RiskNames,
    numbers: &Arena<ReasonId, usize>,
    versions: &Versions,
    (causes, lists): (&mut Causes, &mut Lists),
) -> StateUpdates {
    let offered = Offered::of(graph, names);
    let mut found = StateUpdates::default();
    let mut unlikely_to = vec![Vec::new(); graph.graph.node_count()];
    for (from, to) in &graph.unlikely {
        unlikely_to[to.index()].push(*from);
    }
    // The lists of each target, with the architectures that have them.
    let mut of_targets: Vec<Vec<(ArchSet, Vec<Incoming>)>> = vec![Vec::new(); versions.len()];
    for node in graph.graph.node_indices() {
        let release = graph.release(node);
        if release.is_abstract {
            continue;
        }
        for arch in Arch::ALL.iter().copied().filter(|arch| release.is_for(*arch)) {
            let Some(target) = versions.number(release, arch) else { continue };
            let incoming = graph.graph.edges_directed(node, Direction::Incoming);
            let known = incoming.filter_map(|edge| {
                let from = number(graph, edge.source(), arch, versions)?;
                let reason = edge.weight().reason;
                let is_taken = offered.holds(edge.source(), edge.target(), reason);
                let own = numbers[reason];
                let cause = if is_taken { own } else { causes.not_taken(own) };
                Some((from, cause, kind(edge.weight().knowledge)))
            });
            let mut list: Vec<Incoming> = known.collect();
            let doubtful = unlikely_to[node.index()].iter();
            let doubtful = doubtful.filter_map(|from| number(graph, *from, arch, versions));
            list.extend(doubtful.map(|from| (from, 0, UNLIKELY)));
            list.sort_unstable();
            let known = &mut of_targets[target];
            match known.iter_mut().find(|(_, same)| *same == list) {
                Some((arches, _)) => arches.insert(arch),
                None => known.push((ArchSet::from_iter([arch]), list)),
            }
            if !release.has_known_origins {
                found.unknown_origins.push((bits(ArchSet::from_iter([arch])), target));
            }
        }
    }
    for (target, known) in of_targets.into_iter().enumerate() {
        for (arches, list) in known {
            found.lists.push((bits(arches), target, lists.number(runs(&list))));
        }
    }
    found
}

/// Architectures as bits: the first one is the lowest.
pub(super) fn bits(arches: ArchSet) -> u8 {
    arches.iter().fold(0, |bits, arch| bits | 1 << arch.index())
}

fn number(
    graph: &UpdateGraph,
    node: petgraph::graph::NodeIndex,
    arch: Arch,
    versions: &Versions,
) -> Option<usize> {
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
