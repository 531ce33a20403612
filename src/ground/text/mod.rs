//! Text with positions.
//!
//! A [`Span`] is a file and a byte range. Only [`Sources`] computes lines and columns, when a
//! report needs them.

mod bounded;
mod condensed;
mod did_you_mean;
mod edits;
mod failure;
mod hash;
mod printable;
mod segments;
mod sha256;
mod sources;
pub(crate) mod words;
mod xml;

pub(crate) use bounded::read_up_to;
pub(crate) use condensed::{Condensed, Condenser, Cut};
pub(crate) use did_you_mean::{
    closest, closest_channel, closest_version, is_typo_of, version_slip,
};
pub(crate) use edits::{Edit, Fix};
pub use failure::Failure;
pub(crate) use failure::system_words;
pub(crate) use hash::fnv_hash;
pub use printable::is_printable;
pub(crate) use printable::{printable, printable_json, printable_lines};
pub(crate) use segments::Segments;
pub(crate) use sha256::sha256;
pub(crate) use sources::Position;
pub use sources::{Source, SourceId, Sources};
pub(crate) use xml::xml;

use std::ops::Range;

/// The size of the largest data file that is read, in bytes. The largest real one has 30 KiB.
pub(crate) const MAX_FILE: u64 = 4 << 20;

/// A byte range in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub source: SourceId,
    pub start: usize,
    /// The end, exclusive.
    pub end: usize,
}

impl Span {
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self { source, start: range.start, end: range.end }
    }

    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A value and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    pub value: T,
    pub span: Span,
}
