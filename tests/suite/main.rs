//! All integration tests, in one binary.
//!
//! Expected output is next to its input. `EXITPATH_BLESS=1 cargo test` rewrites it; read the
//! difference before you commit it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
#![allow(clippy::print_stderr, reason = "a test that fails shows how")]

mod checks;
mod clusters;
mod data;
mod floors;
mod ground;
#[path = "../shared/mod.rs"]
mod shared;
mod surfaces;
mod vocabulary;

use checks::real_data;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use shared::fake_prometheus;
use shared::golden::golden;
use shared::run::{Run, exitpath, exitpath_in};
use shared::scratch::{Scratch, files_below, git};

/// The config of random tests. The cases are the same on every run, unless `EXITPATH_SEED` sets
/// another seed.
fn cases(cases: u32) -> ProptestConfig {
    let seed = std::env::var("EXITPATH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    }
}
