//! Which web pages may read what the service answers.

use crate::domain::Named;

/// Which web pages may read the answers in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cors {
    /// All, as at the real service.
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
