//! How bad something is.

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Style, dead weight, or something good to know.
    Info,
    /// Likely a mistake, or fragile.
    Warning,
    /// The author's intent is not served, or the service or a cluster breaks.
    Error,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
