//! The steps of an update. Each begins when the previous one has ended.

use super::manifest::ManifestId;
use super::payload::Payload;
use super::slot::Slot;
use super::task_graph::{Mode, TaskGraph, TaskNodeId};
use crate::domain::Arena;

/// The steps of an update.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// For each step, the parts that are applied in parallel.
    steps: Vec<Vec<Vec<ManifestId>>>,
    /// For each manifest, its step, its part, and its index in the part.
    places: Arena<ManifestId, (usize, usize, usize)>,
}

/// The manifests of one component at one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell<'p> {
    /// The number of the step, from 1.
    pub step: usize,
    /// None if the operator cannot place the manifests.
    pub slot: Option<Slot<'p>>,
    pub manifests: Vec<ManifestId>,
}

impl Steps {
    pub(crate) fn of(payload: &Payload, mode: Mode) -> Self {
        let graph = TaskGraph::of(&payload.manifests, mode);
        let depths = depths(&graph);
        let count = depths.iter().max().map_or(0, |depth| depth + 1);
        let mut steps = vec![Vec::new(); count];
        for (id, node) in graph.nodes.entries().filter(|(_, node)| !node.tasks.is_empty()) {
            if let Some(step) = steps.get_mut(depths[id]) {
                step.push(node.tasks.clone());
            }
        }
        // Because of jobs, the nodes may not be in the order of the payload.
        for step in &mut steps {
            step.sort();
        }
        steps.retain(|step: &Vec<_>| !step.is_empty());
        let mut places = Arena::filled(payload.manifests.len(), (0, 0, 0));
        for (step, parts) in steps.iter().enumerate() {
            for (part, tasks) in parts.iter().enumerate() {
                for (at, task) in tasks.iter().enumerate() {
                    places[*task] = (step, part, at);
                }
            }
        }
        Self { steps, places }
    }

    pub(crate) fn count(&self) -> usize {
        self.steps.len()
    }

    /// Whether one manifest is applied before, in parallel with, or after another one.
    pub(super) fn order(&self, one: ManifestId, other: ManifestId) -> Order {
        match (self.places[one], self.places[other]) {
            (one, other) if one.0 == other.0 && one.1 != other.1 => Order::SideBySide,
            (one, other) if one < other => Order::Before,
            _ => Order::After,
        }
    }

    pub(crate) fn cells<'p>(&self, payload: &'p Payload) -> Vec<Cell<'p>> {
        let slot = |id: ManifestId| Slot::of(&payload.manifests[id].file);
        let mut cells: Vec<Cell<'p>> = Vec::new();
        for (step, parts) in (1..).zip(&self.steps) {
            for tasks in parts {
                let same = tasks.chunk_by(|a, b| slot(*a) == slot(*b));
                cells.extend(same.filter_map(|manifests| {
                    let slot = slot(*manifests.first()?);
                    Some(Cell { step, slot, manifests: manifests.to_vec() })
                }));
            }
        }
        cells
    }
}

/// When a manifest is applied relative to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Before,
    SideBySide,
    After,
}

/// For each node, the greatest number of nodes with manifests on a path to it.
fn depths(graph: &TaskGraph) -> Arena<TaskNodeId, usize> {
    let mut depths: Arena<TaskNodeId, usize> = Arena::filled(graph.nodes.len(), 0);
    let mut left: Arena<TaskNodeId, usize> =
        graph.nodes.iter().map(|node| node.before.len()).collect();
    let mut ready: Vec<TaskNodeId> = graph.nodes.ids().filter(|id| left[*id] == 0).collect();
    while let Some(id) = ready.pop() {
        let node = &graph.nodes[id];
        let next = depths[id] + usize::from(!node.tasks.is_empty());
        for later in &node.after {
            depths[*later] = depths[*later].max(next);
            left[*later] -= 1;
            if left[*later] == 0 {
                ready.push(*later);
            }
        }
    }
    depths
}
