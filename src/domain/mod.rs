//! The types that every other room speaks of.

mod severity;

pub use severity::Severity;
