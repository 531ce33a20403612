//! A text of a data file.

use crate::text::Span;
use crate::yaml::NodeId;

/// The text of a scalar, and where it is.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, without quotes and escapes.
    pub value: String,
    /// Its place, with its quotes.
    pub span: Span,
    /// Its node in the document.
    pub node: NodeId,
}
