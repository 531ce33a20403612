//! A text value in a data file.

use crate::text::Span;
use crate::yaml::NodeId;

/// The text of a scalar, with its place.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, without quotes and escapes.
    pub value: String,
    /// Its place, including quotes.
    pub span: Span,
    /// Its node in the document.
    pub node: NodeId,
}
