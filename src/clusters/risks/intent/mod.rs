//! `appliesTo` in a test file: which clusters a risk should apply to, in the words of maintainers.
//!
//! `read` turns it into a condition. `query` writes the condition as a query that answers exactly
//! one sample, 0 or 1, on every cluster. `comparison` compares it with the query of the risk, on
//! every cluster that the dictionary of metrics allows, and `agreement` reports the result.

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
