//! What is wrong with a series that a user wrote.

/// The text at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultyPart {
    /// The name and the labels.
    Series,
    /// The values.
    Values,
}

/// The position of the fault, and what belongs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesFault {
    /// The text at fault.
    pub part: FaultyPart,
    /// The byte at fault.
    pub at: usize,
    /// What belongs there.
    pub expected: String,
}

impl std::fmt::Display for SeriesFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}
