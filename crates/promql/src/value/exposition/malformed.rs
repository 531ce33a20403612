//! The lines that could not be read.

/// The most lines that are kept. Further ones are only counted.
const MOST: usize = 100;

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
    /// Adds a line that could not be read, and what belongs at one of its bytes.
    pub fn add(&mut self, line: usize, text: &str, (at, expected): (usize, String)) {
        if self.first.len() == MOST {
            self.more += 1;
            return;
        }
        let before = text.get(..at).unwrap_or_default().trim_start_matches('\u{FEFF}');
        self.first.push(Malformed { line, column: before.chars().count() + 1, expected });
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.first.len() + self.more
    }
}
