//! The regular expressions of matchers: Go's, anchored at both ends.
//!
//! Prometheus uses RE2's syntax, which differs from that of the crate `regex`.
//! `go_syntax` rewrites it, and refuses what Go refuses.

mod error;
mod go_syntax;
mod known;
mod pattern;

pub(crate) use pattern::{alternatives, compiled, endings};
pub use pattern::{anchored, matches};
pub(crate) use pattern::{matches_empty, names_several, values};
