//! A text value in a data file.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::text::Span;
use crate::yaml::{Document, NodeId, Scalar};

/// The text of a scalar, with its place.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, without quotes and escapes.
    pub value: ScalarText,
    /// Its place, including quotes.
    pub span: Span,
    /// Its node in the document.
    pub node: NodeId,
}

/// The text of a scalar. It is in the document: a repository has each text once in memory.
#[derive(Clone)]
pub struct ScalarText {
    document: Arc<Document>,
    scalar: Scalar,
}

impl ScalarText {
    pub(super) fn of(document: &Arc<Document>, scalar: Scalar) -> Self {
        Self { document: Arc::clone(document), scalar }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.document.text_of(self.scalar)
    }
}

impl Deref for ScalarText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for ScalarText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl PartialEq<str> for ScalarText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl fmt::Display for ScalarText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Debug for ScalarText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
