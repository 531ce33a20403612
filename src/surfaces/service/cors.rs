//! Which web pages may read the answers of the service.

use crate::domain::Named;

/// Which web pages may read the answers in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cors {
    /// All web pages, as with the real service.
    Any,
    Nobody,
}

impl Named for Cors {
    const ALL: &'static [Self] = &[Self::Any, Self::Nobody];

    fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Nobody => "none",
        }
    }
}
