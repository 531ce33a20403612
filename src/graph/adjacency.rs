//! Compact adjacency lists. A graph may have twenty million edges.

#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// Where each node's targets begin in `targets`, and the end of the last.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// Builds the lists. Both ends of each edge must be less than `nodes`.
    #[must_use]
    pub fn of(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; nodes + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut targets = vec![0; sum as usize];
        for (from, to) in edges {
            let place = &mut next[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        }
        Self { starts, targets }
    }

    #[must_use]
    pub fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The targets of a node, in the given order of the edges.
    #[must_use]
    pub fn targets(&self, node: u32) -> &[u32] {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        &self.targets[range]
    }
}
