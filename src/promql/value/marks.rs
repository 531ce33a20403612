//! A number for each set of labels, and all of them forgotten at once.

use super::labels_id::LabelsId;

/// Numbers for sets of labels.
// A vector has few samples and there is one for each step, so this is asked very often. The ids are
// small, so it needs no hashes.
#[derive(Debug)]
pub(super) struct Marks {
    /// The round in which a mark was set, and the mark.
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

    /// Sets the mark of a set that has none. Returns the one that it has.
    pub(super) fn keep(&mut self, id: LabelsId, mark: u32) -> u32 {
        self.get(id).unwrap_or_else(|| {
            self.set(id, mark);
            mark
        })
    }

    /// The place of a set in a list: the one that it has, or the next one.
    pub(super) fn place(&mut self, id: LabelsId, next: usize) -> usize {
        // There are fewer places than sets, and ids have as many bits.
        self.keep(id, u32::try_from(next).unwrap_or(u32::MAX)) as usize
    }

    /// Whether the set had no mark. Now it has one.
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
