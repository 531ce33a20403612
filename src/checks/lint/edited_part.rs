//! The part of a repository about which an edit may have changed what rules say.

use std::sync::OnceLock;

use crate::domain::HashSet;
use crate::graph_data::{BlockedEdge, GraphData};
use crate::text::SourceId;

/// What an edit may have changed, and what a rule looks at again.
#[derive(Debug)]
pub(super) struct Part {
    /// Its files before the edit.
    pub(super) before: HashSet<SourceId>,
    /// Its files after the edit.
    pub(super) after: HashSet<SourceId>,
    pub(super) is_of_channels: bool,
    data: OnceLock<GraphData>,
}

impl Part {
    pub(super) fn of_risks(
        risks: &HashSet<Option<&str>>,
        before: &GraphData,
        after: &GraphData,
    ) -> Self {
        let files = |data: &GraphData| {
            let edges = data.blocked_edges.iter().filter(|edge| risks.contains(&name(edge)));
            edges.map(|edge| edge.file).collect()
        };
        let (before, after) = (files(before), files(after));
        Self { before, after, is_of_channels: false, data: OnceLock::new() }
    }

    pub(super) fn of_channels(before: HashSet<SourceId>, after: HashSet<SourceId>) -> Self {
        Self { before, after, is_of_channels: true, data: OnceLock::new() }
    }

    /// The state after the edit, with only the declarations or the channels of this part.
    pub(super) fn data(&self, after: &GraphData) -> &GraphData {
        self.data.get_or_init(|| {
            if self.is_of_channels {
                after.with_channels(|channel| self.after.contains(&channel.file))
            } else {
                after.with_declarations(|edge| self.after.contains(&edge.file))
            }
        })
    }
}

/// The risk of a declaration. None for a block without a name.
pub(super) fn name(edge: &BlockedEdge) -> Option<&str> {
    edge.name.as_ref().map(|name| name.value.as_str())
}
