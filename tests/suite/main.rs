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

mod changes;
mod channels;
mod check_online;
mod cli;
mod cluster_levels;
mod cluster_objects;
mod cluster_view;
mod clusters;
mod compare;
mod coverage;
mod cutting;
mod cvo;
mod dictionary;
mod diff;
mod draft;
mod draw;
mod enhancement;
mod exits;
mod floors;
mod git_safety;
mod graph;
mod graph_task_vectors;
mod graphs;
mod hostile;
mod intents;
mod judges;
mod known_metrics;
mod lineage;
mod mco_vectors;
mod metrics;
mod metrics_server;
mod newly;
mod node_pools;
mod not_loaded;
mod oc;
mod operator;
mod path;
mod plain;
mod positions;
mod prometheus;
mod promotions;
mod promql;
mod queries;
mod query_layout;
mod query_verdicts;
mod random_clusters;
mod random_pools;
mod readme;
mod real_data;
mod repairs;
mod reports;
mod rollout;
mod rules;
mod schemas;
mod screens;
mod scripts;
#[cfg(feature = "serve")]
mod serve;
mod service;
mod settings;
#[path = "../shared/mod.rs"]
mod shared;
mod simulate;
mod sparse;
mod trees;
mod update_status;
mod values;
mod values_judge;
mod values_laws;
mod values_odd_at;
mod values_queries;
mod values_series;
mod vector_cases;
mod verdict;
mod vocabulary;
mod writing;

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
