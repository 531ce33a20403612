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
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod changes;
mod channels;
mod check_online;
mod cli;
mod cluster_levels;
mod cluster_view;
mod clusters;
mod compare;
mod coverage;
mod cutting;
mod cvo;
mod dictionary;
mod diff;
mod draw;
mod enhancement;
mod exits;
mod fake_prometheus;
mod floors;
mod git_safety;
mod graph;
mod graph_task_vectors;
mod graphs;
mod hostile;
mod judges;
mod lineage;
mod mco_vectors;
mod metrics;
mod metrics_server;
mod newly;
mod node_pools;
mod oc;
mod path;
mod plain;
mod positions;
mod prometheus;
mod promotions;
mod promql;
mod queries;
mod query_layout;
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
mod simulate;
mod sparse;
mod trees;
mod values;
mod values_judge;
mod values_laws;
mod values_odd_at;
mod values_queries;
mod values_series;
mod writing;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use exitpath::{Terminal, run};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};

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

#[derive(Debug)]
struct Run {
    status: u8,
    out: String,
    err: String,
}

/// Runs a command line in this process.
fn exitpath<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Run {
    exitpath_in(Terminal::default(), arguments)
}

fn exitpath_in<A: Into<OsString>>(
    terminal: Terminal,
    arguments: impl IntoIterator<Item = A>,
) -> Run {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments =
        [OsString::from("exitpath")].into_iter().chain(arguments.into_iter().map(Into::into));
    let status = run(arguments, terminal, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run { status, out: text(out), err: text(err) }
}

/// Compares `actual` with the file, or rewrites the file.
fn golden(path: impl AsRef<Path>, actual: &str) {
    let path = path.as_ref();
    if std::env::var_os("EXITPATH_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} is stale; EXITPATH_BLESS=1 rewrites it. Now:\n{actual}",
        path.display()
    );
}

/// An empty folder that is deleted when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        // Tests run in parallel, and may use the same name.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("exitpath-{name}-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn copy_of(name: &str, from: &Path) -> Self {
        let scratch = Self::new(name);
        for file in files_below(from) {
            let relative = file.strip_prefix(from).unwrap().to_str().unwrap().to_owned();
            scratch.write(&relative, fs::read(&file).unwrap());
        }
        scratch
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs git in a folder.
fn git(folder: &Path, arguments: &[&str]) {
    let identity =
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
    let output =
        Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {words}");
}

/// Every file below a folder, sorted.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
