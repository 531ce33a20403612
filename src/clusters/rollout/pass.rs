//! One pass over a payload: what is applied, and what stops the pass.

use std::collections::BTreeSet;

use super::update_error::{Effect, UpdateError};
use crate::domain::Arena;
use crate::payload::{ManifestId, TaskGraph, TaskNodeId};

/// The result of a pass.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    pub attempted: Vec<ManifestId>,
    pub done: Vec<ManifestId>,
    pub failures: Vec<(ManifestId, UpdateError)>,
    pub is_complete: bool,
}

impl Pass {
    /// Applies all manifests that it can. A failure stops its node of the graph and all nodes that
    /// wait for it. The others continue.
    pub fn run(
        graph: &TaskGraph,
        mut apply: impl FnMut(ManifestId) -> Result<(), UpdateError>,
    ) -> Self {
        let mut pass = Self::default();
        let mut left: Arena<TaskNodeId, usize> =
            graph.nodes.iter().map(|node| node.before.len()).collect();
        let mut ready: BTreeSet<TaskNodeId> =
            graph.nodes.ids().filter(|id| left[*id] == 0).collect();
        let mut finished = 0;
        while let Some(id) = ready.pop_first() {
            if !pass.run_node(&graph.nodes[id].tasks, &mut apply) {
                continue;
            }
            finished += 1;
            for later in &graph.nodes[id].after {
                left[*later] -= 1;
                if left[*later] == 0 {
                    ready.insert(*later);
                }
            }
        }
        pass.is_complete = finished == graph.nodes.len();
        pass
    }

    /// Applies the manifests of a node. Returns whether it reached the end.
    fn run_node(
        &mut self,
        tasks: &[ManifestId],
        apply: &mut impl FnMut(ManifestId) -> Result<(), UpdateError>,
    ) -> bool {
        for task in tasks {
            self.attempted.push(*task);
            if let Err(failure) = apply(*task) {
                let stops = failure.effect != Effect::Report;
                self.failures.push((*task, failure));
                if stops {
                    return false;
                }
            }
            self.done.push(*task);
        }
        true
    }
}
