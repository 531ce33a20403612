//! Tests of operator catalogs, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
#![allow(clippy::print_stderr, reason = "a test that fails shows how cases differ")]
#![allow(clippy::format_push_string, reason = "tests write small texts")]

mod advice;
mod bridge;
mod commands;
mod fail_forward;
mod fixing;
mod generated;
mod hostile;
mod inputs;
mod metadata;
mod moves;
mod next_openshift;
mod objections;
mod past;
mod resolvers;
mod rewriting;
#[path = "../shared/mod.rs"]
mod shared;
mod substitution;
mod switching;
mod verdicts;
