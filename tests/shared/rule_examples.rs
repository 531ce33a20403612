//! The examples of rules.

use std::path::{Path, absolute};
use std::process::Command;

use exitpath::testing::rules::{Check, Rule};
use serde_json::Value;

use super::fake_prometheus::FakePrometheus;
use super::run::{Run, exitpath};
use super::scratch::{Scratch, git, git_command};

/// The folder of all examples.
pub(crate) const FIXTURES: &str = "fixtures/rules";

/// Checks a rule's example, `bad` or `good`.
pub(crate) fn check_example(rule: &Rule, which: &str, options: &[&str]) -> Run {
    let example = format!("{FIXTURES}/{}/{which}", rule.name);
    // The releases of this repository's own history must not count, so each example gets a list.
    // Rules about exit paths need one with updates.
    let is_about_exits = matches!(rule.check, Check::Exits(..) | Check::UpdatesChange(_));
    let releases = if is_about_exits { "patches.json" } else { "none.json" };
    let releases = absolute(Path::new("fixtures/graphs").join(releases)).unwrap();
    let releases = ["--releases", releases.to_str().unwrap()];
    let has_no_releases = matches!(rule.check, Check::Graph(_)) || is_about_catalogs(rule);
    let options = [if has_no_releases { &[][..] } else { &releases[..] }, options].concat();
    let options = options.as_slice();
    match rule.check {
        Check::Change(_) | Check::UpdatesChange(_) => {
            check_change(&["check"], Path::new(&example), options)
        }
        Check::CatalogChange(_) => {
            let command = ["catalog", "check", "catalog"];
            check_change(&command, Path::new(&example), options)
        }
        Check::Objection(_) | Check::Catalog(_) => {
            exitpath([&["catalog", "check", &example], options].concat())
        }
        Check::Graph(_) => {
            exitpath([&["check", &format!("{example}/graph.json")], options].concat())
        }
        Check::Server(_) => {
            let server = server_of(rule);
            exitpath([&["check", &example, "--url", &server.url], options].concat())
        }
        _ => exitpath([&["check", &example], options].concat()),
    }
}

/// A server with the series that the examples of a rule are about.
pub(crate) fn server_of(rule: &Rule) -> FakePrometheus {
    FakePrometheus::of_file(&Path::new(FIXTURES).join(rule.name).join("server.series"))
}

/// Whether a rule is about catalogs of operators.
pub(crate) fn is_about_catalogs(rule: &Rule) -> bool {
    matches!(rule.check, Check::Objection(_) | Check::Catalog(_) | Check::CatalogChange(_))
}

/// Whether a rule compares two states.
pub(crate) fn is_about_changes(rule: &Rule) -> bool {
    matches!(rule.check, Check::Change(_) | Check::UpdatesChange(_) | Check::CatalogChange(_))
}

/// An example of a change is two repositories: `before` is committed, `after` is in the work tree.
/// `earlier`, if it exists, is committed before these.
fn check_change(command: &[&str], example: &Path, options: &[&str]) -> Run {
    let scratch = Scratch::copy_of("change", &example.join("after"));
    git(scratch.path(), &["init", "-q"]);
    for state in ["earlier", "before"] {
        let folder = absolute(example.join(state)).unwrap();
        if folder.exists() {
            let folder = format!("--work-tree={}", folder.display());
            git(scratch.path(), &[&folder, "add", "-A"]);
            commit(&scratch, &["-m", state]);
        }
    }
    // A change with expectations is committed, because they are in the commit message.
    let message = example.join("message.txt");
    let is_committed = message.exists();
    if is_committed {
        let message = absolute(message).unwrap();
        git(scratch.path(), &["add", "-A"]);
        commit(&scratch, &["-F", message.to_str().unwrap()]);
    }
    let base = if is_committed { "HEAD~1" } else { "HEAD" };
    // Run in the folder, so that no path contains its name.
    let output = Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args([command, &["--base", base], options].concat())
        .current_dir(scratch.path())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = u8::try_from(output.status.code().unwrap()).unwrap();
    Run { status, out: text(output.stdout), err: text(output.stderr) }
}

/// Commits at a fixed time, so that the commit always has the same id.
fn commit(scratch: &Scratch, arguments: &[&str]) {
    let moment = "2026-01-01T00:00:00Z";
    let mut git = git_command();
    git.arg("-C").arg(scratch.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
    git.args(["commit", "-q"]).args(arguments);
    git.env("GIT_AUTHOR_DATE", moment).env("GIT_COMMITTER_DATE", moment);
    assert!(git.status().unwrap().success());
}

pub(crate) fn findings_of(run: &Run) -> Vec<Value> {
    assert!(run.status < 2, "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    report["findings"].as_array().unwrap().clone()
}

pub(crate) fn findings(rule: &Rule, which: &str) -> Vec<Value> {
    findings_of(&check_example(rule, which, &["--format", "json"]))
}
