//! `appliesTo` in a test file: to which clusters a risk should apply, in words of maintainers.
//!
//! `read` makes a condition of it. `query` writes the condition as a query that answers exactly one
//! sample, 0 or 1, on every cluster. `comparison` holds it against the query of the risk, on every
//! cluster that the dictionary of metrics allows, and `agreement` says what comes of it.

mod agreement;
mod amount;
mod comparison;
mod condition;
mod keys;
mod query;
mod read;
mod versions;

pub(crate) use agreement::{Agreement, Disagreement, Mistake, agreement};
pub(crate) use read::{Intent, read_intent};
