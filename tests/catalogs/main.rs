//! Tests of operator catalogs, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
#![allow(clippy::print_stderr, reason = "a skipped test says so, and vectors are counted")]
#![allow(clippy::format_push_string, reason = "tests write small texts")]

mod bridge;
mod commands;
mod fail_forward;
mod generated;
mod hostile;
mod inputs;
mod metadata;
mod moves;
mod objections;
mod past;
mod resolvers;
mod rewriting;
mod substitution;
mod vectors;
mod verdicts;
