//! The types of values.

/// The type of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One number without labels.
    Scalar,
    /// One number for each of some series.
    Vector,
    /// Many numbers over time for each of some series.
    Range,
    /// A string.
    Text,
}

impl Type {
    /// Prometheus's name of the type, with its article.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "a scalar",
            Self::Vector => "an instant vector",
            Self::Range => "a range vector",
            Self::Text => "a string",
        }
    }

    /// One word for it, in signatures.
    pub(super) fn short_name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Vector => "vector",
            Self::Range => "range",
            Self::Text => "string",
        }
    }
}
