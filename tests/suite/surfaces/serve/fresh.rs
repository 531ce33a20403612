//! An edit is served at once, and a broken one never.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::{Served, get, graph_of, text_of};
use crate::{Scratch, git};

fn repository() -> Scratch {
    let scratch = Scratch::copy_of("fresh", Path::new("fixtures/graph-data"));
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-qm", "one"]);
    scratch
}

const RISK: &str = "to: 4.14.2\nfrom: 4[.]14[.]1.*\nurl: https://example.com\nname: Added\n\
                    message: Added for a test.\nmatchingRules:\n- type: Always\n";

#[test]
fn an_edit_is_served() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path())]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path);
    assert!(!before.text().contains("Added"));
    scratch.write("blocked-edges/4.14.2-Added.yaml", RISK);
    served.wait_for("the data changed: served after ");
    let after = served.get(&path);
    assert!(after.text().contains("Added"));
    assert_ne!(after.header("etag"), before.header("etag"));
    let metrics = served.get("/metrics");
    assert!(metrics.text().contains("cincinnati_gb_graph_upstream_scrapes_total 2\n"));
}

/// What a service keeps between two edits does not matter for what it serves.
#[test]
fn edits_are_served_as_by_a_new_service() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path())]);
    let path = graph_of("stable-4.14", "amd64");
    let stable = fs::read_to_string(scratch.path().join("channels/stable-4.14.yaml")).unwrap();
    let shorter = stable.rsplit_once("\n- ").unwrap().0;
    let candidate = "internal-channels/candidate.yaml";
    let longer = fs::read_to_string(scratch.path().join(candidate)).unwrap() + "- 4.14.77\n";
    let edits = [
        ("blocked-edges/4.14.2-Added.yaml", RISK.to_owned()),
        ("blocked-edges/4.14.2-Added.yaml", RISK.replace("4[.]14[.]1.*", ".*")),
        ("channels/stable-4.14.yaml", format!("{shorter}\n")),
        (candidate, longer),
        ("channels/stable-4.14.yaml", format!("{stable}- 4.14.77\n")),
    ];
    let mut answers = BTreeSet::new();
    for (file, text) in edits {
        scratch.write(file, text);
        answers.insert(answer_of_both(&served, scratch.path(), &path));
    }
    // The fourth edit changes no answer for this channel.
    assert_eq!(answers.len(), 4, "{answers:#?}");
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-qm", "two"]);
    answer_of_both(&served, scratch.path(), &path);
}

/// Waits until a service answers as a new one does.
fn answer_of_both(served: &Served, repository: &Path, path: &str) -> String {
    let expected = Served::start([text_of(repository)]).get(path).text().to_owned();
    for _ in 0..600 {
        if served.get(path).text() == expected {
            return expected;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("served is {}, not {expected}: {:#?}", served.get(path).text(), served.log());
}

#[test]
fn a_broken_edit_keeps_the_last_good_graph() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path())]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path).body;
    assert_eq!(served.get("/readyz").text(), "");
    let good = fs::read_to_string(scratch.path().join("channels/stable-4.14.yaml")).unwrap();
    scratch.write("channels/stable-4.14.yaml", "name: stable-4.14\nversions: {");
    let line = served.wait_for("the last good graph stays: channels/stable-4.14.yaml");
    assert!(line.contains("the service does not load it"), "{line}");
    assert_eq!(served.get(&path).body, before);
    let ready = served.get("/readyz");
    assert_eq!(ready.status, 200);
    assert!(
        ready.text().starts_with("an older graph is served: channels/stable-4.14.yaml"),
        "{ready:?}"
    );
    let metrics = served.get("/metrics");
    for line in ["exitpath_serves_older_graph 1\n", "cincinnati_gb_graph_upstream_errors_total 1\n"]
    {
        assert!(metrics.text().contains(line), "{line}");
    }
    scratch.write("channels/stable-4.14.yaml", good);
    served.wait_for("the data changed: served after ");
    assert_eq!(served.get(&path).body, before);
    assert_eq!(served.get("/readyz").text(), "");
    assert!(served.get("/metrics").text().contains("exitpath_serves_older_graph 0\n"));
}

/// While a folder is replaced, as `git checkout` does it, nothing is lost.
#[test]
fn a_folder_that_is_gone_keeps_the_last_good_graph() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path()), "--status", "127.0.0.1:0"]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path).body;
    fs::rename(scratch.path().join("version"), scratch.path().join("elsewhere")).unwrap();
    served.wait_for("the last good graph stays: version is missing");
    assert_eq!(served.get(&path).body, before);
    assert!(get(served.status.unwrap(), "/readyz", &[]).text().contains("version is missing"));
    fs::rename(scratch.path().join("elsewhere"), scratch.path().join("version")).unwrap();
    served.wait_for("the data changed: served after ");
    fs::rename(scratch.path().join("channels"), scratch.path().join("hidden")).unwrap();
    fs::rename(scratch.path().join("hidden"), scratch.path().join("channels")).unwrap();
    // The new folder is followed, too.
    scratch.write("blocked-edges/4.14.2-Added.yaml", RISK);
    let has_it = || served.get(&path).text().contains("Added");
    for _ in 0..600 {
        if has_it() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the edit is not served: {:#?}", served.log());
}

/// Without its blocks, a graph would offer everything.
#[test]
fn a_folder_that_is_missing_keeps_the_last_good_graph() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path())]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path).body;
    for folder in ["blocked-edges", "channels"] {
        let (here, there) = (scratch.path().join(folder), scratch.path().join("moved"));
        fs::rename(&here, &there).unwrap();
        served.wait_for(&format!("the last good graph stays: {folder} is missing"));
        assert_eq!(served.get(&path).body, before);
        fs::rename(&there, &here).unwrap();
        served.wait_for("the data changed: served after ");
    }
}

#[test]
fn a_repository_that_is_broken_from_the_start_is_served_as_production_would() {
    let scratch = repository();
    scratch.write("blocked-edges/4.14.9-Broken.yaml", "to: 4.14.9\nfrom: [\n");
    let served = Served::start([text_of(scratch.path())]);
    served.wait_for("blocked-edges/4.14.9-Broken.yaml");
    assert_eq!(served.get(&graph_of("stable-4.14", "amd64")).status, 200);
    // Another edit is good, although the old mistake is still there.
    scratch.write("blocked-edges/4.14.2-Added.yaml", RISK);
    served.wait_for("the data changed: served after ");
    assert!(served.get(&graph_of("stable-4.14", "amd64")).text().contains("Added"));
}

/// A repository whose data is in a subfolder, and a linked work tree of it.
fn linked() -> (Scratch, PathBuf) {
    let scratch = Scratch::new("linked");
    for file in crate::files_below(Path::new("fixtures/graph-data")) {
        let path = file.strip_prefix("fixtures/graph-data").unwrap().to_str().unwrap();
        scratch.write(&format!("main/data/{path}"), fs::read(&file).unwrap());
    }
    let main = scratch.path().join("main");
    git(&main, &["init", "-q"]);
    git(&main, &["add", "."]);
    git(&main, &["commit", "-qm", "one"]);
    git(&main, &["worktree", "add", "-q", "--detach", "../other"]);
    let other = scratch.path().join("other");
    (scratch, other)
}

/// While git has its lock, the files can be half of a checkout. The lock of a linked work tree is
/// in the other one.
#[test]
fn nothing_is_served_while_git_changes_the_files() {
    let (scratch, other) = linked();
    let served = Served::start([text_of(&other.join("data"))]);
    let path = graph_of("stable-4.14", "amd64");
    let lock = scratch.path().join("main/.git/worktrees/other/index.lock");
    fs::write(&lock, "").unwrap();
    fs::write(other.join("data/blocked-edges/4.14.2-Added.yaml"), RISK).unwrap();
    let line = served.wait_for("not served yet: git is changing the files: ");
    assert!(line.contains("main/.git/worktrees/other/index.lock exists"), "{line}");
    assert!(!served.get(&path).text().contains("Added"));
    assert!(served.get("/readyz").text().contains("git is changing the files"));
    fs::remove_file(&lock).unwrap();
    served.wait_for("the data changed: served after ");
    assert!(served.get(&path).text().contains("Added"));
    assert_eq!(served.get("/readyz").text(), "");
}

/// A commit that only renames files removes them all before it creates the first.
#[test]
fn half_of_a_checkout_is_never_served() {
    let (_scratch, other) = linked();
    let edges = other.join("data/blocked-edges");
    for number in 0..400 {
        let risk = RISK.replace("Added", &format!("Added{number}"));
        fs::write(edges.join(format!("4.14.2-Added{number}.yaml")), risk).unwrap();
    }
    git(&other, &["add", "."]);
    git(&other, &["commit", "-qm", "many"]);
    for number in 0..400 {
        let old = edges.join(format!("4.14.2-Added{number}.yaml"));
        fs::rename(old, edges.join(format!("4.14.2-Renamed{number}.yaml"))).unwrap();
    }
    git(&other, &["add", "."]);
    git(&other, &["commit", "-qm", "renamed"]);
    let served = Served::start([text_of(&other.join("data"))]);
    let path = graph_of("stable-4.14", "amd64");
    let risks = || served.get(&path).text().matches("\"name\":\"Added").count();
    assert!(risks() >= 400);
    let expected = risks();
    thread::scope(|scope| {
        let checkouts = scope.spawn(|| {
            for _ in 0..10 {
                git(&other, &["checkout", "-q", "--detach", "HEAD~1"]);
                thread::sleep(Duration::from_millis(50));
                git(&other, &["checkout", "-q", "--detach", "@{1}"]);
                thread::sleep(Duration::from_millis(50));
            }
        });
        while !checkouts.is_finished() {
            assert_eq!(risks(), expected, "{:#?}", served.log());
        }
    });
}

/// Whoever deletes many files may not be done.
#[test]
fn a_great_loss_is_looked_at_twice() {
    let scratch = repository();
    let served = Served::start([text_of(scratch.path())]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path).body;
    let edges = scratch.path().join("blocked-edges");
    let mut gone = Vec::new();
    for entry in fs::read_dir(&edges).unwrap() {
        let file = entry.unwrap().path();
        gone.push((fs::read(&file).unwrap(), file));
    }
    for (_, file) in &gone[1..] {
        fs::remove_file(file).unwrap();
    }
    served.wait_for("not served yet: it lost ");
    assert_eq!(served.get(&path).body, before);
    assert!(served.get("/readyz").text().contains("it lost "));
    for (text, file) in &gone {
        fs::write(file, text).unwrap();
    }
    served.wait_for("the data changed: served after ");
    assert_eq!(served.get(&path).body, before);
    for (_, file) in &gone[1..] {
        fs::remove_file(file).unwrap();
    }
    served.wait_for("not served yet: it lost ");
    served.wait_for("the data changed: served after ");
    assert_ne!(served.get(&path).body, before);
}
