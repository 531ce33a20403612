//! How many instructions the main commands take, beside those of the last release. Counts hardly
//! depend on the machine; times do.
//!
//! `cargo bench --bench instructions`; `-- --write` stores the counts as those of the last release. It
//! needs git and valgrind (`VALGRIND` can name it). The repository is generated; with
//! `EXITPATH_REAL_DATA`, the real one is measured, too.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and stops when it cannot"
)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "callgrind/mod.rs"]
mod callgrind;
#[path = "usual_repository/mod.rs"]
mod usual_repository;

/// Millions of instructions by repository and command.
type Counts = BTreeMap<(String, String), f64>;

const COMMANDS: [&[&str]; 6] = [
    &["check", "--no-graph"],
    &["check"],
    &["simulate"],
    &["check", "--base", "HEAD~1"],
    &["diff", "HEAD~1"],
    &["graph", "--format", "json"],
];
/// The counts of the last release.
const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions/released.txt");
const HEAD: &str = "\
# Millions of instructions of the last release, as `cargo bench --bench instructions -- --write` writes them.
";
/// From this part more on, a command has become slower.
const MOST: f64 = 0.05;

fn main() {
    let mut repositories = vec![("generated", generated())];
    repositories.extend(real().map(|folder| ("real", folder)));
    let released = released();
    println!("{:<32} {:>8} {:>13} {:>9}", "million instructions", "now", "last release", "change");
    let mut counts = Counts::new();
    for (name, folder) in &repositories {
        for command in COMMANDS {
            let Some(count) = instructions(folder, command) else {
                println!("skipped: there is no valgrind to count instructions with");
                return;
            };
            let key = ((*name).to_owned(), command.join(" "));
            println!("{}", row(&key, count, released.get(&key).copied()));
            counts.insert(key, count);
        }
    }
    if std::env::args().any(|argument| argument == "--write") {
        write(&counts);
    }
}

fn row((repository, command): &(String, String), now: f64, released: Option<f64>) -> String {
    let mut row = format!("{:<32} {now:>8.1}", format!("{repository}: {command}"));
    let Some(released) = released else { return row };
    let change = now / released - 1.0;
    let _ = write!(row, " {released:>13.1} {:>+7.1} %", change * 100.0);
    if change > MOST {
        let _ = write!(row, "  slower than the last release");
        if std::env::var_os("GITHUB_ACTIONS").is_some() {
            println!(
                "::warning title=Slower::`{command}` takes {:.0} % more instructions",
                change * 100.0
            );
        }
    }
    row
}

/// A repository with two commits. The second declares a risk for another release and promotes it.
fn generated() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-instructions");
    usual_repository::generate(&folder, 1);
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder, "2026-01-01T00:00:00Z");
    let channel = folder.join("channels/stable-4.20.yaml");
    let text = fs::read_to_string(&channel).unwrap();
    fs::write(&channel, text + "- 4.20.99\n").unwrap();
    let risk = fs::read_to_string(folder.join("blocked-edges/4.4.0-ExampleRisk2.yaml")).unwrap();
    let copy = folder.join("blocked-edges/4.4.99-ExampleRisk2.yaml");
    fs::write(copy, risk.replace("to: 4.4.0", "to: 4.4.99")).unwrap();
    commit(&folder, "2026-01-02T00:00:00Z");
    folder
}

fn real() -> Option<PathBuf> {
    let bundle = PathBuf::from(std::env::var_os("EXITPATH_REAL_DATA")?).join("graph-data.bundle");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-real");
    let _ = fs::remove_dir_all(&folder);
    let mut clone = Command::new("git");
    // The bundle has no HEAD that git could check out.
    clone.args(["clone", "--quiet", "--branch=master"]).arg(bundle).arg(&folder);
    clone.status().is_ok_and(|status| status.success()).then_some(folder)
}

fn commit(folder: &Path, time: &str) {
    git(folder, &["add", "--all"]);
    let mut commit = Command::new("git");
    for setting in ["user.name=t", "user.email=t@example.com", "commit.gpgsign=false"] {
        commit.args(["-c", setting]);
    }
    commit.args(["commit", "--quiet", "--message=change"]).current_dir(folder);
    commit.env("GIT_AUTHOR_DATE", time).env("GIT_COMMITTER_DATE", time);
    assert!(commit.status().unwrap().success());
}

fn git(folder: &Path, arguments: &[&str]) {
    assert!(Command::new("git").args(arguments).current_dir(folder).status().unwrap().success());
}

/// The instructions of a command, in millions. A run before fills the cache.
fn instructions(folder: &Path, arguments: &[&str]) -> Option<f64> {
    let program = env!("CARGO_BIN_EXE_exitpath");
    let prepare = |command: &mut Command| {
        command.args(arguments).arg("--quiet").current_dir(folder);
    };
    let mut first = Command::new(program);
    prepare(&mut first);
    let status = first.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    // 1: there are findings. A failure would be counted as a fast command.
    assert!(matches!(status.code(), Some(0 | 1)), "{arguments:?} fails: {status}");
    let count = callgrind::instructions(|command| prepare(command.arg(program)));
    Some(count? / 1e6)
}

fn released() -> Counts {
    let text = fs::read_to_string(RELEASED).unwrap_or_default();
    let counts = text.lines().filter_map(|line| {
        let (key, count) = line.split_once('\t')?;
        let (repository, command) = key.split_once(": ")?;
        Some(((repository.to_owned(), command.to_owned()), count.parse().ok()?))
    });
    counts.collect()
}

fn write(counts: &Counts) {
    let mut text = HEAD.to_owned();
    for ((repository, command), count) in counts {
        let _ = writeln!(text, "{repository}: {command}\t{count:.1}");
    }
    fs::write(RELEASED, text).unwrap();
}
