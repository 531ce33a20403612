//! Declarations that share a pattern.

use crate::domain::HashMap;
use crate::graph_data::BlockedEdge;

use super::Patterns;

/// Declarations of one risk (or blocks) with the same pattern: their places among all, in the order of
/// files.
pub(crate) type Group = Vec<usize>;

/// The declarations by risk and pattern, without patterns that are empty or do not compile.
pub(in crate::graph_data) fn groups(edges: &[BlockedEdge], patterns: &Patterns) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
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
    groups
}
