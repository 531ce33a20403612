//! A sparse checkout leaves files out of the work tree. They still belong to the repository.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Run, Scratch, exitpath, git};

const ALL: &str = "fixtures/graph-data";
const LEFT_OUT: &str = "channels/stable-4.14.yaml";

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", message]);
}

/// A repository with two commits.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::copy_of(name, Path::new(ALL));
    let last = "blocked-edges/4.15.0-EtcdSlowStart.yaml";
    let text = fs::read_to_string(scratch.path().join(last)).unwrap();
    fs::remove_file(scratch.path().join(last)).unwrap();
    git(scratch.path(), &["init", "-q"]);
    commit(scratch.path(), "one");
    scratch.write(last, text);
    commit(scratch.path(), "two");
    scratch
}

fn make_sparse(folder: &Path) {
    git(folder, &["sparse-checkout", "set", "blocked-edges", "internal-channels"]);
    assert!(!folder.join(LEFT_OUT).exists(), "the checkout is sparse");
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let root = folder.to_str().unwrap();
    let repo = ["--repo", root, "--no-cache"];
    exitpath([&arguments[..1], &repo[..], &arguments[1..]].concat())
}

const COMMANDS: [&[&str]; 8] = [
    &["check", "--format", "json"],
    &["check", "--format", "json", "--base", "HEAD"],
    &["check", "--format", "json", "--base", "HEAD~1"],
    &["check", "--format", "json", "--rev", "HEAD"],
    &["graph", "--format", "edges"],
    &["simulate", "--supported", "*", "--format", "json"],
    &["diff", "HEAD", "--exit-code"],
    &["path", "4.14.0", "4.15.1", "--channel", "stable-4.15"],
];

#[test]
fn a_sparse_checkout_gives_the_same_answers() {
    let scratch = repository("sparse");
    let answers = || COMMANDS.map(|arguments| run(scratch.path(), arguments));
    let whole = answers();
    make_sparse(scratch.path());
    for ((arguments, whole), sparse) in COMMANDS.iter().zip(whole).zip(answers()) {
        assert!(whole.status < 2, "{arguments:?}: {}", whole.err);
        assert_eq!((whole.status, whole.out), (sparse.status, sparse.out), "{arguments:?}");
        let is_noted = sparse.err.contains("exitpath: this is a sparse checkout: ");
        assert_eq!(is_noted, !arguments.contains(&"--rev"), "{arguments:?}: {}", sparse.err);
    }
}

#[test]
fn files_of_the_work_tree_come_before_the_index() {
    let scratch = repository("sparse-changed");
    make_sparse(scratch.path());
    // git leaves a file alone that is written where the checkout leaves one out.
    scratch.write(LEFT_OUT, "nonsense");
    let changed = run(scratch.path(), &["check", "--base", "HEAD"]);
    assert_eq!(changed.status, 1, "{}", changed.out);
    assert!(changed.out.contains(LEFT_OUT), "{}", changed.out);
    fs::remove_file(scratch.path().join(LEFT_OUT)).unwrap();
    // A file that the checkout does not omit is deleted.
    let gone = "blocked-edges/4.15.0-EtcdSlowStart.yaml";
    fs::remove_file(scratch.path().join(gone)).unwrap();
    let deleted = run(scratch.path(), &["diff", "HEAD", "--exit-code"]);
    assert_eq!(deleted.status, 1, "{}", deleted.out);
    // What the index no longer has is deleted, too.
    git(scratch.path(), &["checkout", "-q", gone]);
    git(scratch.path(), &["rm", "-q", "--cached", "--sparse", LEFT_OUT]);
    let removed = run(scratch.path(), &["check", "--base", "HEAD"]);
    assert!(removed.out.contains("removed-version"), "{}", removed.out);
}

#[cfg(unix)]
#[test]
fn links_that_are_left_out_are_followed() {
    let scratch = repository("sparse-links");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, scratch.path().join(name)).unwrap();
    };
    link("stable-4.14.yaml", "channels/inside.yaml");
    link("../internal-channels/fast.yaml", "channels/to-the-work-tree.yaml");
    link("../channels/stable-4.15.yaml", "internal-channels/to-the-index.yaml");
    link("../../outside.yaml", "channels/outside.yaml");
    link("nowhere.yaml", "channels/nowhere.yaml");
    commit(scratch.path(), "links");
    let whole = run(scratch.path(), &["check", "--format", "json"]);
    make_sparse(scratch.path());
    let sparse = run(scratch.path(), &["check", "--format", "json"]);
    assert_eq!((whole.status, whole.out), (sparse.status, sparse.out));
}

#[test]
fn the_data_can_be_in_a_subfolder_of_a_sparse_checkout() {
    let scratch = Scratch::new("sparse-below");
    let data = scratch.path().join("data");
    let all = Scratch::copy_of("sparse-all", Path::new(ALL));
    fs::rename(all.path(), &data).unwrap();
    git(scratch.path(), &["init", "-q"]);
    commit(scratch.path(), "all");
    let whole = run(&data, &["check", "--format", "json"]);
    git(scratch.path(), &["sparse-checkout", "set", "data/blocked-edges"]);
    assert!(!data.join(LEFT_OUT).exists());
    let sparse = run(&data, &["check", "--format", "json"]);
    assert_eq!((whole.status, whole.out), (sparse.status, sparse.out));
}

/// A clone without the contents of files, as `git clone --filter=blob:none --sparse` makes it.
fn partial_clone(scratch: &Scratch, into: &Scratch) -> PathBuf {
    git(scratch.path(), &["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", scratch.path().display());
    git(into.path(), &["clone", "-q", "--filter=blob:none", "--sparse", &from, "clone"]);
    let clone = into.path().join("clone");
    git(&clone, &["sparse-checkout", "set", "blocked-edges"]);
    clone
}

#[test]
fn a_partial_clone_without_the_contents_is_refused() {
    let (scratch, into) = (repository("sparse-whole"), Scratch::new("sparse-partial"));
    let clone = partial_clone(&scratch, &into);
    for arguments in COMMANDS {
        let refused = run(&clone, arguments);
        assert_eq!(refused.status, 2, "{arguments:?}: {} {}", refused.out, refused.err);
        assert_eq!(refused.out, "", "{arguments:?}");
        if !arguments.contains(&"--rev") {
            let help = "`git sparse-checkout disable` gets the whole repository";
            assert!(refused.err.contains(help), "{arguments:?}: {}", refused.err);
        }
    }
}

#[test]
fn fixes_leave_files_alone_that_are_left_out() {
    let from = Path::new("fixtures/rules/unknown-rule-type/bad");
    let scratch = Scratch::copy_of("sparse-fix", from);
    git(scratch.path(), &["init", "-q"]);
    commit(scratch.path(), "all");
    git(scratch.path(), &["sparse-checkout", "set", "channels"]);
    let root = scratch.path().to_str().unwrap();
    let fixed = exitpath(["check", root, "--fix", "--no-cache"]);
    assert_eq!(fixed.status, 1, "{}", fixed.err);
    assert!(fixed.out.contains("unknown-rule-type"), "{}", fixed.out);
    assert!(!scratch.path().join("blocked-edges").exists());
}
