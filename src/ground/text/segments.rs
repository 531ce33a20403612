//! Maps an offset in the value of a scalar to its place in the file.
//!
//! Reading a block scalar removes its indentation, and reading a quoted text removes its quotes and
//! escapes. The map has one entry for each part of the value that is contiguous in the file.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    stretches: Vec<Stretch>,
    /// The end of the value in the file. No offset is mapped beyond it.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    value_start: usize,
    source_start: usize,
}

impl Segments {
    /// An empty map for a value that ends before byte `end` of the file.
    pub fn until(end: usize) -> Self {
        Self { stretches: Vec::new(), end }
    }

    /// Maps byte `value` of the value to byte `source` of the file.
    ///
    /// Call it in ascending order. A byte that continues the last stretch needs no memory.
    pub fn push(&mut self, value: usize, source: usize) {
        let continues = self.stretches.last().is_some_and(|last| {
            value >= last.value_start && last.source_start + (value - last.value_start) == source
        });
        if !continues {
            self.stretches.push(Stretch { value_start: value, source_start: source });
        }
    }

    /// The place in the file of byte `value` of the value.
    pub fn source_offset(&self, value: usize) -> usize {
        let after = self.stretches.partition_point(|stretch| stretch.value_start <= value);
        let offset = match after.checked_sub(1).map(|i| self.stretches[i]) {
            Some(stretch) => stretch.source_start + (value - stretch.value_start),
            None => self.stretches.first().map_or(0, |stretch| stretch.source_start),
        };
        offset.min(self.end)
    }
}
