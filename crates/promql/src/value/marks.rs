//! Marks for sets of labels, which can all be forgotten at once.

use super::labels_id::LabelsId;

/// Numbers for sets of labels.
// A vector has few samples, and there is one for each step, so marks are read very often. The ids
// are small, so marks need no hash table.
#[derive(Debug)]
pub(super) struct Marks {
    /// For each id, the round in which its mark was set, and the mark.
    marks: Vec<(u32, u32)>,
    round: u32,
}

impl Default for Marks {
    fn default() -> Self {
        Self { marks: Vec::new(), round: 1 }
    }
}

impl Marks {
    pub(super) fn get(&self, id: LabelsId) -> Option<u32> {
        let (round, mark) = *self.marks.get(id.index())?;
        (round == self.round).then_some(mark)
    }

    pub(super) fn set(&mut self, id: LabelsId, mark: u32) {
        if id.index() >= self.marks.len() {
            let count = (id.index() + 1).next_power_of_two().max(32);
            self.marks.resize(count, (0, 0));
        }
        self.marks[id.index()] = (self.round, mark);
    }

    /// Sets the mark of a set unless it has one. Returns its mark.
    pub(super) fn keep(&mut self, id: LabelsId, mark: u32) -> u32 {
        self.get(id).unwrap_or_else(|| {
            self.set(id, mark);
            mark
        })
    }

    /// The position of a set in a list: its own if it has one, or `next`.
    pub(super) fn place(&mut self, id: LabelsId, next: usize) -> usize {
        // There are at most as many positions as sets, and ids have 32 bits.
        self.keep(id, u32::try_from(next).unwrap_or(u32::MAX)) as usize
    }

    /// Whether the set had no mark. Marks it.
    pub(super) fn is_new(&mut self, id: LabelsId) -> bool {
        let is_new = self.get(id).is_none();
        if is_new {
            self.set(id, 0);
        }
        is_new
    }

    /// Forgets all marks.
    pub(super) fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            *self = Self::default();
        }
    }
}
