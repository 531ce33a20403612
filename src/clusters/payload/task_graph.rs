//! Which manifests wait for which: the graph that the operator makes of a payload.

use super::manifest::{Manifest, ManifestId};
use super::stages::{Chunk, ParallelChunks, all_at_once, by_level};
use crate::domain::{Arena, ids};

ids! {
    /// A node of the graph.
    TaskNodeId;
}

/// The purpose for which the operator applies a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Installs a cluster.
    Initializing,
    /// Updates a cluster.
    Updating,
    /// Keeps a cluster in its present state.
    Reconciling,
}

/// Manifests that are applied one after the other, after those of other nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskNode {
    pub tasks: Chunk,
    /// The nodes that it waits for.
    pub before: Vec<TaskNodeId>,
    /// The nodes that wait for it.
    pub after: Vec<TaskNodeId>,
}

/// Which manifests wait for which.
#[derive(Clone, Debug, Default)]
pub struct TaskGraph {
    pub nodes: Arena<TaskNodeId, TaskNode>,
}

impl TaskGraph {
    /// The graph of a payload.
    pub fn of(manifests: &Arena<ManifestId, Manifest>, mode: Mode) -> Self {
        Self::with_stages(manifests, |ids| match mode {
            Mode::Updating => by_level(manifests, ids),
            Mode::Initializing | Mode::Reconciling => all_at_once(manifests, ids),
        })
    }

    /// The graph in which nothing is parallel to a job, and everything else is in stages.
    pub fn with_stages(
        manifests: &Arena<ManifestId, Manifest>,
        stages: impl Fn(&[ManifestId]) -> Vec<ParallelChunks>,
    ) -> Self {
        let mut graph = Self::default();
        graph.nodes.push(TaskNode::default());
        graph.split_at_jobs(manifests);
        for id in graph.nodes.ids() {
            let stages = stages(&graph.nodes[id].tasks);
            if stages.iter().map(Vec::len).sum::<usize>() > 1 {
                graph.spread(id, stages);
            }
        }
        graph
    }

    /// Gives each job a node of its own, which waits for everything before the job, and for which
    /// everything after the job waits.
    fn split_at_jobs(&mut self, manifests: &Arena<ManifestId, Manifest>) {
        let mut here = TaskNodeId::at(0);
        let mut waiting = Chunk::new();
        for id in manifests.ids() {
            if !manifests[id].is_job() {
                waiting.push(id);
                continue;
            }
            self.nodes[here].tasks = vec![id];
            let first = std::mem::take(&mut waiting);
            if !first.is_empty() {
                self.put_before(here, first);
            }
            if id.index() + 1 < manifests.len() {
                here = self.add(Chunk::new(), &[here]);
            }
        }
        if !waiting.is_empty() {
            self.nodes[here].tasks = waiting;
        }
    }

    fn put_before(&mut self, id: TaskNodeId, tasks: Chunk) {
        let before = std::mem::take(&mut self.nodes[id].before);
        let new = self.nodes.push(TaskNode { tasks, before, after: vec![id] });
        for earlier in self.nodes[new].before.clone() {
            replace(&mut self.nodes[earlier].after, id, new);
        }
        self.nodes[id].before = vec![new];
    }

    /// Replaces the manifests of a node by stages. The node stays as their common start.
    fn spread(&mut self, id: TaskNodeId, stages: Vec<ParallelChunks>) {
        self.nodes[id].tasks.clear();
        let waiting = std::mem::take(&mut self.nodes[id].after);
        let mut last = vec![id];
        for stage in stages {
            if last.len() > 1 && stage.len() > 1 {
                last = vec![self.add(Chunk::new(), &last)];
            }
            last = stage.into_iter().map(|chunk| self.add(chunk, &last)).collect();
        }
        if waiting.is_empty() {
            return;
        }
        if last.len() > 1 {
            last = vec![self.add(Chunk::new(), &last)];
        }
        for end in last {
            for later in &waiting {
                replace(&mut self.nodes[*later].before, id, end);
            }
            self.nodes[end].after.clone_from(&waiting);
        }
    }

    fn add(&mut self, tasks: Chunk, before: &[TaskNodeId]) -> TaskNodeId {
        let new = self.nodes.push(TaskNode { tasks, before: before.to_vec(), after: vec![] });
        for earlier in before {
            self.nodes[*earlier].after.push(new);
        }
        new
    }
}

fn replace(ids: &mut [TaskNodeId], old: TaskNodeId, new: TaskNodeId) {
    ids.iter_mut().filter(|id| **id == old).for_each(|id| *id = new);
}
