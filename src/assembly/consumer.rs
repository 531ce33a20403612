//! What the receiver of a graph supports.

use crate::domain::Named;

/// The schema that a service or client supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consumer {
    /// A service that supports risks.
    #[default]
    Schema1_1,
    /// A service that treats every risk as a block.
    Schema1_0,
}

impl Named for Consumer {
    const ALL: &'static [Self] = &[Self::Schema1_0, Self::Schema1_1];

    fn name(self) -> &'static str {
        match self {
            Self::Schema1_0 => "1.0.0",
            Self::Schema1_1 => "1.1.0",
        }
    }
}
