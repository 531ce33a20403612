//! The picture of a channel of an operator catalog: a box for each install, and an arrow for each
//! update that OLM chooses.

use std::cmp::Ordering;

use crate::catalog::simulation::ChannelMoves;
use crate::moves::NodeId;
use crate::text::words::counted;

use super::picture::{Arrow, Bundle, Legend, Picture, ReleaseGroup, UpdateKind};
use super::words;

impl Picture {
    /// The picture of a channel. With `all_edges`, updates that are never chosen are dotted.
    pub fn of_catalog(moves: &ChannelMoves<'_>, all_edges: bool) -> Self {
        let mut nodes: Vec<NodeId> = moves.installs.ids().collect();
        nodes.sort_by(|a, b| by_version(moves, *a, *b));
        let mut place = vec![0; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            place[node.index()] = at;
        }
        let stuck: Vec<NodeId> = moves.stuck().into_iter().map(|stuck| stuck.install).collect();
        let title = format!("{}, channel {}", moves.package.name, moves.channel.name);
        let mut picture = Self {
            title: words::safe_line(&title),
            versions: nodes.iter().map(|node| moves.name(*node).to_owned()).collect(),
            mark: (!stuck.is_empty()).then_some("stuck: never updated again"),
            legend: Legend::Catalog,
            ..Self::default()
        };
        for (at, node) in nodes.iter().enumerate() {
            picture.add_to_column(&column(moves, *node));
            picture.groups.push(ReleaseGroup {
                releases: at..at + 1,
                is_marked: stuck.contains(node),
                inside: Vec::new(),
                without_updates: 0,
                without_hop: None,
            });
        }
        let mut links: Vec<(usize, UpdateKind, usize)> = Vec::new();
        for edge in moves.edges.iter().filter(|edge| edge.from != edge.to) {
            let is_taken = moves.moves.next(edge.from).contains(&edge.to);
            let kind = if is_taken { UpdateKind::Open } else { UpdateKind::Blocked };
            if is_taken || all_edges {
                links.push((place[edge.to.index()], kind, place[edge.from.index()]));
            }
        }
        links.sort_unstable();
        picture.arrows = arrows(&links);
        picture.notes = notes(&picture, moves, stuck.len(), all_edges);
        picture
    }
}

/// Neighboring origins of one target share an arrow. The links are sorted.
fn arrows(links: &[(usize, UpdateKind, usize)]) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for (to, kind, from) in links {
        if let Some(last) = arrows.last_mut()
            && (last.to, last.bundle.kind, last.from.end) == (*to, *kind, *from)
        {
            last.from.end += 1;
            last.bundle.origins.end += 1;
            last.bundle.updates += 1;
            last.bundle.pairs += 1;
            continue;
        }
        let bundle = Bundle {
            origins: *from..from + 1,
            targets: *to..to + 1,
            kind: *kind,
            risks: Vec::new(),
            is_uniform: true,
            updates: 1,
            pairs: 1,
            uncertain: 0,
        };
        arrows.push(Arrow { from: *from..from + 1, to: *to, bundle });
    }
    arrows.sort_by_key(|arrow| (arrow.to, arrow.from.start));
    arrows
}

fn by_version(moves: &ChannelMoves<'_>, a: NodeId, b: NodeId) -> Ordering {
    let (one, other) = (&moves.installs[a], &moves.installs[b]);
    let order = match (one.version, other.version) {
        (Some(one), Some(other)) => one.compare(other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    };
    order.then_with(|| one.name.cmp(other.name))
}

/// The major and minor of the version.
fn column(moves: &ChannelMoves<'_>, node: NodeId) -> String {
    moves.installs[node].version.map_or_else(
        || "no version".to_owned(),
        |version| format!("{}.{}", version.version.major(), version.version.minor()),
    )
}

fn notes(
    picture: &Picture,
    moves: &ChannelMoves<'_>,
    stuck: usize,
    all_edges: bool,
) -> Vec<String> {
    let shown: usize = picture.bundles().map(|bundle| bundle.updates).sum();
    let mut notes = vec![format!(
        "{}, {}, {stuck} stuck.",
        counted(moves.installs.len(), "install"),
        counted(shown, "update"),
    )];
    let omitted = moves.edges.iter().filter(|edge| edge.from != edge.to).count() - shown;
    if omitted > 0 && !all_edges {
        notes.push(format!("Omitted: {} that OLM never chooses.", counted(omitted, "update")));
    }
    notes
}
