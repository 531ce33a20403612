//! Groups of declarations. Declarations are given by their indexes, in the order of files.

use std::ops::Range;

use crate::domain::{HashMap, SharedList};

use super::blocked_edge::possible_origins;
use super::{Affected, BlockedEdge, Patterns, ReleaseId};

/// A group of declarations, by their indexes.
pub(crate) type DeclarationGroup = Vec<usize>;

/// Declarations of one risk (or blocks) with the same pattern.
#[derive(Clone, Debug)]
pub(crate) struct DeclarationsOfPattern {
    pub(crate) declarations: DeclarationGroup,
    /// The possible origins of their targets, as ranges with gaps between them.
    pub(crate) origins: Vec<Range<ReleaseId>>,
}

/// The declarations of each risk, in the order of the risks' names.
pub(super) fn by_risk(edges: &SharedList<BlockedEdge>) -> Vec<DeclarationGroup> {
    let mut by_name: HashMap<&str, DeclarationGroup> = HashMap::default();
    for (place, edge) in edges.iter().enumerate() {
        if let (Some(name), Affected::MatchingRules(_)) = (&edge.name, &edge.affected) {
            by_name.entry(&name.value).or_default().push(place);
        }
    }
    let mut by_name: Vec<(&str, DeclarationGroup)> = by_name.into_iter().collect();
    by_name.sort_unstable_by_key(|(name, _)| *name);
    by_name.into_iter().map(|(_, group)| group).collect()
}

/// The declarations by risk and pattern, without patterns that are empty or do not compile.
pub(super) fn by_pattern(
    edges: &SharedList<BlockedEdge>,
    patterns: &Patterns,
) -> Vec<DeclarationsOfPattern> {
    let mut groups: Vec<DeclarationGroup> = Vec::new();
    let mut by_text: HashMap<(Option<&str>, &str), Option<usize>> = HashMap::default();
    for (place, edge) in edges.iter().enumerate() {
        let Some(from) = &edge.from else { continue };
        let name = edge.name.as_ref().map(|name| name.value.as_str());
        let group = *by_text.entry((name, &from.value)).or_insert_with(|| {
            let is_known = !from.value.is_empty() && patterns.get(&from.value).is_some();
            is_known.then(|| {
                groups.push(Vec::new());
                groups.len() - 1
            })
        });
        if let Some(group) = group {
            groups[group].push(place);
        }
    }
    let with_origins = groups.into_iter().map(|declarations| {
        let origins = possible_origins(declarations.iter().map(|place| &edges[*place]));
        DeclarationsOfPattern { declarations, origins }
    });
    with_origins.collect()
}
