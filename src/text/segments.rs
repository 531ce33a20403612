//! From an offset in a scalar's value back to the file it was written in.
//!
//! A query in a block scalar loses its indentation when it is read, a quoted
//! text its quotes and escapes. The map remembers, for each stretch of the
//! value that stands in the file unbroken, where that stretch begins.

/// Where the stretches of a value stand in their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments(Vec<Segment>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    value: usize,
    source: usize,
}

impl Segments {
    /// Records that the value's byte `value` stands at the file's byte `source`.
    ///
    /// Bytes are recorded in rising order; one that merely continues the
    /// stretch before it costs nothing.
    pub fn push(&mut self, value: usize, source: usize) {
        let continues = self.0.last().is_some_and(|last| {
            value >= last.value && last.source + (value - last.value) == source
        });
        if !continues {
            self.0.push(Segment { value, source });
        }
    }

    /// The file's byte at which the value's byte `value` stands.
    #[must_use]
    pub fn source_offset(&self, value: usize) -> usize {
        let after = self.0.partition_point(|segment| segment.value <= value);
        match after.checked_sub(1).map(|i| self.0[i]) {
            Some(segment) => segment.source + (value - segment.value),
            None => self.0.first().map_or(0, |segment| segment.source),
        }
    }
}
