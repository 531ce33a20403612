//! The end of a case before the last step.

/// Why a case ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// No cluster is like this.
    Impossible,
    /// The query may fail here.
    CanFail,
    /// Nothing can be said of this part of the query.
    Gap(String),
}
