//! From an offset in a scalar's value back to the file it was written in.
//!
//! A query in a block scalar loses its indentation when it is read, a quoted
//! text its quotes and escapes. The map remembers, for each stretch of the
//! value that stands in the file unbroken, where that stretch begins.

/// Where the stretches of a value stand in their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    stretches: Vec<Stretch>,
    /// The byte after the value's last in the file: nothing of it stands beyond.
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    value: usize,
    source: usize,
}

impl Segments {
    /// No stretch yet, of a value that ends before the file's byte `end`.
    #[must_use]
    pub fn until(end: usize) -> Self {
        Self { stretches: Vec::new(), end }
    }

    /// Records that the value's byte `value` stands at the file's byte `source`.
    ///
    /// Bytes are recorded in rising order; one that merely continues the
    /// stretch before it costs nothing.
    pub fn push(&mut self, value: usize, source: usize) {
        let continues = self.stretches.last().is_some_and(|last| {
            value >= last.value && last.source + (value - last.value) == source
        });
        if !continues {
            self.stretches.push(Stretch { value, source });
        }
    }

    /// The file's byte at which the value's byte `value` stands.
    #[must_use]
    pub fn source_offset(&self, value: usize) -> usize {
        let after = self.stretches.partition_point(|stretch| stretch.value <= value);
        let offset = match after.checked_sub(1).map(|i| self.stretches[i]) {
            Some(stretch) => stretch.source + (value - stretch.value),
            None => self.stretches.first().map_or(0, |stretch| stretch.source),
        };
        offset.min(self.end)
    }
}
