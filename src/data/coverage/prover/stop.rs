//! Why the evaluation of a case ends before the last step.

/// Why a case ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// No cluster is like this case.
    Impossible,
    /// The query may fail in this case.
    CanFail,
    /// The prover cannot decide this part of the query.
    Gap(String),
}
