//! Text that keeps its place.
//!
//! A [`Span`] is a file and a byte range. Lines and columns exist only in
//! [`Sources`], which is asked for them when something is shown to a person.

mod did_you_mean;
mod printable;
mod segments;
mod sources;
pub(crate) mod words;

pub(crate) use did_you_mean::{closest, is_slip};
pub use printable::is_printable;
pub(crate) use printable::{printable, printable_lines};
pub(crate) use segments::Segments;
pub(crate) use sources::{Position, Sources};
pub use sources::{Source, SourceId};

use std::ops::Range;

/// A byte range in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The span of `range` in `source`.
    #[must_use]
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self { source, start: range.start, end: range.end }
    }

    /// The bytes covered, as a range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A value and the place it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// What was read.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}
