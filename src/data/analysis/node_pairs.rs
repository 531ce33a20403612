//! The same releases in two graphs.

use petgraph::graph::NodeIndex;

use crate::domain::HashMap;

/// Where the releases of one graph are in the other.
#[derive(Debug)]
pub(crate) struct NodePairs {
    /// For each release before, the same release after. None if it is gone.
    pub(crate) after: Vec<Option<NodeIndex>>,
    /// For each release after, the same release before. None if it is new.
    pub(crate) before: Vec<Option<NodeIndex>>,
}

impl NodePairs {
    /// Finds the releases of two graphs by their versions.
    pub(crate) fn between(before: &[&str], after: &[&str]) -> Self {
        Self { after: same_in(before, after), before: same_in(after, before) }
    }

    /// Whether both graphs have the same releases in the same places.
    pub(super) fn are_in_place(&self) -> bool {
        let places = (0..self.after.len()).map(|place| Some(NodeIndex::new(place)));
        self.after.len() == self.before.len() && places.eq(self.after.iter().copied())
    }
}

/// For each release of one graph, the same release of the other.
fn same_in(one: &[&str], other: &[&str]) -> Vec<Option<NodeIndex>> {
    let mut next = 0;
    let mut by_text: Option<HashMap<&str, usize>> = None;
    let same = one.iter().map(|text| {
        // Both graphs sort their releases, so most follow each other in both.
        if other.get(next) != Some(text) {
            let by_text = by_text.get_or_insert_with(|| {
                other.iter().enumerate().map(|(place, text)| (*text, place)).collect()
            });
            next = *by_text.get(text)?;
        }
        next += 1;
        Some(NodeIndex::new(next - 1))
    });
    same.collect()
}
