//! The regular expressions of matchers: Go's, anchored at both ends.
//!
//! Prometheus uses RE2's syntax, which differs from that of the crate `regex`.
//! `go_syntax` rewrites it, and refuses what Go refuses.

mod anchored;
mod compiled;
mod error;
mod go_syntax;
mod known;
mod pattern;
mod samples;
mod small;
mod together;

pub use anchored::anchored;
pub use compiled::matches;
pub use compiled::{CompiledPattern, Groups, TooLarge, ready};
pub use pattern::{alternatives, endings, matches_empty, names_several, values};
pub use samples::samples;
pub use together::together;
