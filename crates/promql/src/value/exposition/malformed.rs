//! The lines that could not be read.

/// The most lines that are kept. Further ones are only counted.
const MOST: usize = 100;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The byte at fault.
    pub at: usize,
    /// What belongs there.
    pub expected: String,
}

impl LineFault {
    /// A fault at a byte.
    pub fn new(at: usize, expected: impl Into<String>) -> Self {
        Self { at, expected: expected.into() }
    }
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column at fault, from 1, in characters.
    pub column: usize,
    /// What belongs there.
    pub expected: String,
}

/// The first lines that could not be read, and the number of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Malformations {
    /// The first lines, in order.
    pub first: Vec<Malformed>,
    /// The number of further lines.
    pub more: usize,
}

impl Malformations {
    /// Adds a line that could not be read.
    pub fn add(&mut self, line: usize, text: &str, fault: LineFault) {
        if self.first.len() == MOST {
            self.more += 1;
            return;
        }
        let before = text.get(..fault.at).unwrap_or_default().trim_start_matches('\u{FEFF}');
        let column = before.chars().count() + 1;
        self.first.push(Malformed { line, column, expected: fault.expected });
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.first.len() + self.more
    }
}
