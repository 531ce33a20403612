//! Severities, and the severity that fails a command.

use super::Named;

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Style, data without effect, or a remark.
    Info,
    /// Probably a mistake, or fragile.
    Warning,
    /// The data does not do what its author intends, or it breaks the service or a cluster.
    Error,
}

impl Named for Severity {
    const ALL: &'static [Self] = &[Self::Error, Self::Warning, Self::Info];

    fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The lowest severity that fails a command, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// This severity, and any higher one.
    AtLeast(Severity),
    /// Nothing fails it.
    Never,
}

impl FailOn {
    /// Whether a finding of this severity fails the command.
    pub fn is_reached(self, severity: Severity) -> bool {
        self.least().is_some_and(|least| severity >= least)
    }

    /// None for [`FailOn::Never`].
    pub fn least(self) -> Option<Severity> {
        match self {
            Self::AtLeast(severity) => Some(severity),
            Self::Never => None,
        }
    }
}

impl Named for FailOn {
    const ALL: &'static [Self] = &[
        Self::AtLeast(Severity::Error),
        Self::AtLeast(Severity::Warning),
        Self::AtLeast(Severity::Info),
        Self::Never,
    ];

    fn name(self) -> &'static str {
        self.least().map_or("never", Named::name)
    }
}
