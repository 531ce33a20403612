//! `exitpath risk list`, `new`, `extend`, `fix`, `spread`, `rename`, and `drop`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use exitpath::testing::schema;
use serde_json::Value;

use crate::shared::scratch::git_command;
use crate::{Run, Scratch, exitpath, files_below, git};

const QUERY: &str = "\
group by (type) (cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
or
0 * group by (type) (cluster_infrastructure_provider{_id=\"\"})";

/// A file of the risk `SlowDisks`, in a notation that no program would choose.
fn slow_disks(to: &str, more: &str) -> String {
    format!(
        "# about disks\nto: {to}   # the bug\nfrom: '4[.]17[.].*'\n{more}url: \"https://issues.redhat.com/browse/OCPBUGS-7\"\n\nname: SlowDisks\nmessage: |-\n  Disks may be slow.\n\nmatchingRules:\n  - type: Always"
    )
}

/// A repository with `last` patches of two minors, and a risk on 4.18.1 and 4.18.2.
fn repository_up_to(name: &str, last: u32) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    for minor in [17, 18] {
        let versions = (0..=last).map(|patch| format!("- 4.{minor}.{patch}\n"));
        let versions: String = versions.collect();
        let channel = format!("name: candidate-4.{minor}\nversions:\n{versions}");
        scratch.write(&format!("channels/candidate-4.{minor}.yaml"), channel);
    }
    for to in ["4.18.1", "4.18.2"] {
        scratch.write(&format!("blocked-edges/{to}-SlowDisks.yaml"), slow_disks(to, ""));
    }
    scratch.write("blocked-edges/.gitkeep", "");
    scratch
}

fn repository(name: &str) -> Scratch {
    repository_up_to(name, 4)
}

fn risk(repository: &Scratch, arguments: &[&str]) -> Run {
    let (command, rest) = arguments.split_first().unwrap();
    let repo = ["risk", command, "--repo", repository.path().to_str().unwrap()];
    exitpath(repo.into_iter().chain(rest.iter().copied()))
}

/// Runs a command that must succeed, or only find something.
fn done(repository: &Scratch, arguments: &[&str]) -> Run {
    let run = risk(repository, arguments);
    assert!(run.status < 2, "{arguments:?}: {}", run.err);
    run
}

/// The error of a command that must not change any file.
fn refused(repository: &Scratch, arguments: &[&str]) -> String {
    let before = contents(repository.path());
    let run = risk(repository, arguments);
    assert_eq!(run.status, 2, "{arguments:?}: {}", run.out);
    assert_eq!(contents(repository.path()), before, "{arguments:?}");
    run.err
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = files_below(folder).into_iter();
    let files = files.filter(|file| !file.components().any(|part| part.as_os_str() == ".git"));
    files.map(|file| (file.display().to_string(), fs::read(&file).unwrap())).collect()
}

fn text(repository: &Scratch, path: &str) -> String {
    fs::read_to_string(repository.path().join(path)).unwrap()
}

#[test]
fn a_risk_is_extended_to_what_waits() {
    let repository = repository("extend-all");
    let run = done(&repository, &["extend", "SlowDisks"]);
    assert!(run.out.starts_with("wrote 2 files\n"), "{}", run.out);
    for to in ["4.18.3", "4.18.4"] {
        assert_eq!(
            text(&repository, &format!("blocked-edges/{to}-SlowDisks.yaml")),
            slow_disks(to, "")
        );
    }
    let error = refused(&repository, &["extend", "SlowDisks"]);
    assert!(error.contains("no release waits for `SlowDisks`"), "{error}");
}

#[test]
fn a_fix_goes_into_the_newest_file_before_it() {
    let repository = repository("fix");
    done(&repository, &["fix", "SlowDisks", "4.18.3"]);
    let fixed = slow_disks("4.18.2", "fixedIn: 4.18.3\n");
    assert_eq!(text(&repository, "blocked-edges/4.18.2-SlowDisks.yaml"), fixed);
    assert_eq!(text(&repository, "blocked-edges/4.18.1-SlowDisks.yaml"), slow_disks("4.18.1", ""));
    let error = refused(&repository, &["fix", "SlowDisks", "4.18.3"]);
    assert!(error.contains("says already that it is fixed in 4.18.3"), "{error}");
    let error = refused(&repository, &["fix", "SlowDisks", "4.18.1"]);
    assert!(error.contains("is declared for 4.18.1, so it is not fixed in 4.18.1"), "{error}");
    let error = refused(&repository, &["fix", "SlowDisks", "4.17.3"]);
    assert!(error.contains("is on no release of 4.17 before 4.17.3"), "{error}");
    let error = refused(&repository, &["extend", "SlowDisks", "4.18.4"]);
    assert!(error.contains("`--reopen` removes that `fixedIn`"), "{error}");
    done(&repository, &["extend", "SlowDisks", "4.18.3..4.18", "--reopen"]);
    assert_eq!(text(&repository, "blocked-edges/4.18.2-SlowDisks.yaml"), slow_disks("4.18.2", ""));
    assert_eq!(text(&repository, "blocked-edges/4.18.4-SlowDisks.yaml"), slow_disks("4.18.4", ""));
}

#[test]
fn a_new_risk_has_the_form_of_the_data() {
    let repository = repository("new");
    let arguments =
        ["--url", "https://issues.redhat.com/browse/OCPBUGS-8", "--message", "It's bad: no."];
    let arguments =
        [&["new", "BadNews", "--promql", QUERY, "--to", "4.18.2..4.18"], &arguments[..]];
    let arguments = [&arguments.concat()[..], &["--fixed-in", "4.18.4"]].concat();
    let run = done(&repository, &arguments);
    let wanted = "\
to: 4.18.3
from: 4[.](17[.][0-9]+|18[.][01])[+].*
fixedIn: 4.18.4
url: https://issues.redhat.com/browse/OCPBUGS-8
name: BadNews
message: |-
  It's bad: no.
matchingRules:
- type: PromQL
  promql:
    promql: |
      group by (type) (cluster_infrastructure_provider{_id=\"\",type=\"AWS\"})
      or
      0 * group by (type) (cluster_infrastructure_provider{_id=\"\"})
";
    assert_eq!(text(&repository, "blocked-edges/4.18.3-BadNews.yaml"), wanted);
    assert!(!text(&repository, "blocked-edges/4.18.2-BadNews.yaml").contains("fixedIn"));
    assert!(!repository.path().join("blocked-edges/4.18.4-BadNews.yaml").exists());
    for words in ["each cluster gets exactly one sample", "aws   ", "BadNews is a new risk"] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn a_template_keeps_its_own_notation() {
    let repository = repository("template");
    let template =
        repository.write("risk.txt", slow_disks("4.18.9", "").replace("SlowDisks", "Other"));
    let template = template.to_str().unwrap();
    done(&repository, &["new", "--template", template, "--to", "4.18.3,4.18.4"]);
    let wanted = slow_disks("4.18.4", "").replace("SlowDisks", "Other");
    assert_eq!(text(&repository, "blocked-edges/4.18.4-Other.yaml"), wanted);
}

#[test]
fn one_edit_spreads_to_all_files() {
    let repository = repository("spread");
    let edited = slow_disks("4.18.2", "").replace("may be slow.", "are slow.\n  # really");
    repository.write("blocked-edges/4.18.2-SlowDisks.yaml", &edited);
    done(&repository, &["spread", "SlowDisks", "--like", "4.18.2"]);
    let first = slow_disks("4.18.1", "").replace("may be slow.", "are slow.\n  # really");
    assert_eq!(text(&repository, "blocked-edges/4.18.1-SlowDisks.yaml"), first);
    assert_eq!(text(&repository, "blocked-edges/4.18.2-SlowDisks.yaml"), edited);
    let error = refused(&repository, &["spread", "SlowDisks", "--like", "4.18.2"]);
    assert!(error.contains("say this already"), "{error}");
    done(&repository, &["spread", "SlowDisks", "--from", "4.17..4.18.0", "--to", "4.18.1"]);
    let first = first.replace("'4[.]17[.].*'", "'4[.](17[.][0-9]+|18[.]0)[+].*'");
    assert_eq!(text(&repository, "blocked-edges/4.18.1-SlowDisks.yaml"), first);
    done(&repository, &["spread", "SlowDisks", "--promql", QUERY]);
    for to in ["4.18.1", "4.18.2"] {
        let text = text(&repository, &format!("blocked-edges/{to}-SlowDisks.yaml"));
        assert!(text.ends_with("type) (cluster_infrastructure_provider{_id=\"\"})\n"), "{text}");
    }
}

#[test]
fn a_fix_can_be_in_files_that_somebody_names() {
    let repository = repository("fix-to");
    done(&repository, &["fix", "SlowDisks", "4.18.3", "--to", "4.18.1..4.18.2"]);
    for to in ["4.18.1", "4.18.2"] {
        let fixed = slow_disks(to, "fixedIn: 4.18.3\n");
        assert_eq!(text(&repository, &format!("blocked-edges/{to}-SlowDisks.yaml")), fixed);
    }
    let error = refused(&repository, &["fix", "SlowDisks", "4.17.3", "--to", "4.18.1"]);
    assert!(error.contains("names 4.18.1, but no fix is of its minor version"), "{error}");
    let error = refused(&repository, &["fix", "SlowDisks", "4.18.3", "--to", "4.18.9"]);
    assert!(error.contains("is not declared for 4.18.9"), "{error}");
}

#[test]
fn a_release_can_have_a_text_of_its_own() {
    let repository = repository("extend-values");
    let other =
        slow_disks("4.18.1", "").replace("|-\n  Disks may be slow.", "'Disks may be slow.'");
    let other = other.replace("from:", "# all of 4.17\nfrom:");
    repository.write("blocked-edges/4.18.1-SlowDisks.yaml", &other);
    let message = ["--message", "Disks are slow, and that's it."];
    let extend = ["extend", "SlowDisks", "4.18.3", "--like", "4.18.1"];
    done(&repository, &[&extend[..], &message].concat());
    let copied = other.replace("4.18.1", "4.18.3");
    let wanted = copied.replace("Disks may be slow.", "Disks are slow, and that''s it.");
    assert_eq!(text(&repository, "blocked-edges/4.18.3-SlowDisks.yaml"), wanted);
    let error = refused(&repository, &["extend", "SlowDisks", "4.18.4", "--like", "4.18.9"]);
    assert!(error.contains("is not declared for 4.18.9"), "{error}");
}

/// It would be false.
#[test]
fn a_comment_about_other_origins_goes() {
    let repository = repository("comment");
    let commented = slow_disks("4.18.2", "").replace("from:", "# all of 4.17\nfrom:");
    repository.write("blocked-edges/4.18.2-SlowDisks.yaml", &commented);
    done(&repository, &["extend", "SlowDisks", "4.18.3", "--from", "4[.]17[.]0[+].*"]);
    let wanted = slow_disks("4.18.3", "").replace("4[.]17[.].*", "4[.]17[.]0[+].*");
    assert_eq!(text(&repository, "blocked-edges/4.18.3-SlowDisks.yaml"), wanted);
    let new = ["--from", "4[.]17[.]1[+].*", "--comment", "the first\nand only one"];
    done(&repository, &[&["extend", "SlowDisks", "4.18.4"], &new[..]].concat());
    let wanted = slow_disks("4.18.4", "").replace("4[.]17[.].*", "4[.]17[.]1[+].*");
    let wanted = wanted.replace("from:", "# the first\n# and only one\nfrom:");
    assert_eq!(text(&repository, "blocked-edges/4.18.4-SlowDisks.yaml"), wanted);
    assert_eq!(text(&repository, "blocked-edges/4.18.2-SlowDisks.yaml"), commented);
}

/// As messages did until 2023.
#[test]
fn messages_that_name_their_own_release_keep_naming_it() {
    let repository = repository("spread-targets");
    let naming =
        |to: &str, how: &str| slow_disks(to, "").replace("slow.", &format!("{how} in {to}."));
    repository.write("blocked-edges/4.18.1-SlowDisks.yaml", naming("4.18.1", "slow"));
    repository.write("blocked-edges/4.18.2-SlowDisks.yaml", naming("4.18.2", "very slow"));
    done(&repository, &["spread", "SlowDisks", "--like", "4.18.2"]);
    let first = text(&repository, "blocked-edges/4.18.1-SlowDisks.yaml");
    assert_eq!(first, naming("4.18.1", "very slow"));
}

#[test]
fn a_risk_takes_its_tests_along() {
    let repository = repository("rename");
    let test = "risk: SlowDisks\ntests:\n- name: everybody\n  expect: applies\n";
    repository.write("risk-tests/SlowDisks.yaml", test);
    done(&repository, &["rename", "SlowDisks", "LazyDisks"]);
    let renamed = slow_disks("4.18.1", "").replace("name: SlowDisks", "name: LazyDisks");
    assert_eq!(text(&repository, "blocked-edges/4.18.1-LazyDisks.yaml"), renamed);
    assert!(!repository.path().join("blocked-edges/4.18.1-SlowDisks.yaml").exists());
    let test = text(&repository, "risk-tests/LazyDisks.yaml");
    assert!(test.starts_with("risk: LazyDisks\n"), "{test}");
    done(&repository, &["drop", "LazyDisks", "4.18.1"]);
    assert!(repository.path().join("risk-tests/LazyDisks.yaml").exists());
    done(&repository, &["drop", "LazyDisks"]);
    let left = files_below(&repository.path().join("blocked-edges"));
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(!repository.path().join("risk-tests/LazyDisks.yaml").exists());
}

#[test]
fn a_preview_writes_nothing_and_applies() {
    let repository = repository("preview");
    git(repository.path(), &["init", "-q"]);
    let before = contents(repository.path());
    let run = done(&repository, &["extend", "SlowDisks", "--fixed-in", "4.18.4", "--diff"]);
    let dry = done(&repository, &["extend", "SlowDisks", "--dry-run"]);
    assert!(dry.out.starts_with("nothing is written yet: 2 files would change\n"), "{}", dry.out);
    assert_eq!(contents(repository.path()), before);
    let patch = repository.write("patch", &run.out);
    git(repository.path(), &["apply", patch.to_str().unwrap()]);
    let wanted = slow_disks("4.18.3", "fixedIn: 4.18.4\n");
    assert_eq!(text(&repository, "blocked-edges/4.18.3-SlowDisks.yaml"), wanted);
    let rename = done(&repository, &["rename", "SlowDisks", "LazyDisks", "--diff"]);
    let patch = repository.write("patch", &rename.out);
    git(repository.path(), &["apply", patch.to_str().unwrap()]);
    assert!(!repository.path().join("blocked-edges/4.18.3-SlowDisks.yaml").exists());
    assert!(repository.path().join("blocked-edges/4.18.3-LazyDisks.yaml").exists());
}

#[test]
fn json_reports_have_schemas() {
    let repository = repository("json");
    let as_json = |arguments: &[&str], schema: &schema::Schema| {
        let run = done(&repository, &[arguments, &["--format", "json"]].concat());
        let report: Value = serde_json::from_str(&run.out).unwrap();
        assert!(schema.validator().is_valid(&report), "{report}");
        report
    };
    let report = as_json(&["extend", "SlowDisks", "--dry-run"], &schema::EDITS);
    assert_eq!(report["files"][0]["path"], "blocked-edges/4.18.3-SlowDisks.yaml");
    assert_eq!(report["files"][1]["text"], slow_disks("4.18.4", ""));
    assert_eq!(report["written"], false);
    assert_eq!(report["subject"], "blocked-edges/*-SlowDisks: Extend to 4.18.3 and 4.18.4");
    let arguments = [
        "new",
        "Another",
        "--url",
        "https://a.example/b",
        "--message",
        "No.",
        "--always",
        "--to",
        "4.18.4",
    ];
    let report = as_json(&[&arguments[..], &["--dry-run"]].concat(), &schema::EDITS);
    assert!(schema::RISK.validator().is_valid(&report["risk"]), "{report}");
    assert!(schema::CHECK_REPORT.validator().is_valid(&report["check"]), "{report}");
    let list = as_json(&["list"], &schema::RISK_LIST);
    let minor = &list["risks"][0]["minors"][0];
    assert_eq!(minor["state"], "waits");
    assert_eq!(minor["waiting"], serde_json::json!(["4.18.3", "4.18.4"]));
}

#[test]
fn what_cannot_be_done_is_refused_in_a_line() {
    let repository = repository("refused");
    let new = ["new", "--url", "https://a.example/b", "--message", "No.", "--always"];
    let declared =
        |name: &str, to: &str| refused(&repository, &[&new[..], &[name, "--to", to]].concat());
    let cases = [
        (refused(&repository, &["extend", "SlowDisk"]), "there is no risk `SlowDisk`"),
        (
            refused(&repository, &["extend", "SlowDisks", "4.18.99"]),
            "there is no release `4.18.99`",
        ),
        (refused(&repository, &["extend", "SlowDisks", "4.18.2"]), "already declared for 4.18.2"),
        (
            refused(&repository, &["extend", "SlowDisks", "4.28"]),
            "no channel has a release of 4.28",
        ),
        (refused(&repository, &["drop", "SlowDisks", "4.18.3"]), "is not declared for 4.18.3"),
        (refused(&repository, &["rename", "SlowDisks", "slow"]), "cannot be the name of a risk"),
        (refused(&repository, &["rename", "SlowDisks", "SlowDisks"]), "there is already a risk"),
        (
            refused(&repository, &["new", "Other"]),
            "a new risk needs `--url`, `--message`, `--promql` or `--always`, and `--to`",
        ),
        (declared("SlowDisks", "4.18.3"), "there is already a risk `SlowDisks`"),
        (declared("Slow_Disks", "4.18.3"), "nearly the name of another risk, `SlowDisks`"),
        (declared("Other", "4.19.3"), "there is no release `4.19.3`"),
    ];
    for (error, words) in cases {
        assert!(error.contains(words), "{words}: {error}");
        assert!(error.lines().count() <= 2, "{error}");
    }
}

#[test]
fn files_that_only_a_person_can_edit_stay() {
    let last = "blocked-edges/4.18.2-SlowDisks.yaml";
    let cases = [
        (slow_disks("4.18.2", "").replace('\n', "\r\n"), "it has CRLF line endings"),
        ("{to: 4.18.2, from: '.*', url: 'https://a.example/b', name: SlowDisks, message: No, matchingRules: [{type: Always}]}\n".to_owned(), "its keys do not begin its lines"),
        (slow_disks("4.18.2", "to: 4.18.2\n"), "the service does not load it"),
        (slow_disks("4.18.2", "- x\n"), "the service does not load it"),
        (slow_disks("4.18.2", "name: Other\n"), "the service does not load it"),
        (String::new(), "the service does not load it"),
        (slow_disks("4.18.2", "").replace("SlowDisks", "Slowdisks"), "some files spell `SlowDisks` as `Slowdisks`"),
    ];
    for (text, why) in cases {
        let repository = repository("people");
        repository.write(last, text);
        let error = refused(&repository, &["extend", "SlowDisks", "4.18.4"]);
        assert!(error.contains(why), "{why}: {error}");
    }
    let repository = repository("taken");
    repository.write("blocked-edges/4.18.1-LazyDisks.yaml", "to: 4.18.1\nfrom: 4[.]16[.]x\n");
    let error = refused(&repository, &["rename", "SlowDisks", "LazyDisks"]);
    assert!(
        error.contains("there is already a file blocked-edges/4.18.1-LazyDisks.yaml"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_failure_in_the_middle_undoes_everything() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let repository = repository("read-only");
    let second = repository.path().join("blocked-edges/4.18.2-SlowDisks.yaml");
    fs::set_permissions(&second, fs::Permissions::from_mode(0o444)).unwrap();
    let error = refused(&repository, &["spread", "SlowDisks", "--url", "https://a.example/b"]);
    assert!(error.contains("it is read-only"), "{error}");
    let linked = repository_up_to("linked", 4);
    let elsewhere = linked.path().join("elsewhere");
    fs::rename(linked.path().join("blocked-edges"), &elsewhere).unwrap();
    symlink("elsewhere", linked.path().join("blocked-edges")).unwrap();
    let run = risk(&linked, &["extend", "SlowDisks", "4.18.3"]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(!elsewhere.join("4.18.3-SlowDisks.yaml").exists());
}

/// A repository with one commit.
fn committed(name: &str) -> Scratch {
    let repository = repository(name);
    let folder = repository.path();
    git(folder, &["init", "-q"]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", "first"]);
    for (key, value) in [("user.name", "t"), ("user.email", "t@example.com")] {
        git(folder, &["config", key, value]);
    }
    repository
}

fn asked_git(folder: &Path, arguments: &[&str]) -> String {
    let output = git_command().arg("-C").arg(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_commit_has_the_files_and_nothing_else() {
    let repository = committed("commit");
    let folder = repository.path();
    repository.write("staged.txt", "staged\n");
    git(folder, &["add", "staged.txt"]);
    // Neither a hook nor a filter runs, and what is staged elsewhere stays staged.
    repository.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch \"$0.ran\"\nexit 1\n");
    git(folder, &["config", "filter.evil.clean", "touch filtered; cat"]);
    repository.write(".git/info/attributes", "*.yaml filter=evil\n");
    let run =
        done(&repository, &["extend", "SlowDisks", "--commit", "--because", "It is still open."]);
    assert!(
        !folder.join("filtered").exists() && !folder.join(".git/hooks/pre-commit.ran").exists()
    );
    assert!(run.out.starts_with("committed 2 files as "), "{}", run.out);
    let message = asked_git(folder, &["log", "-1", "--format=%B"]);
    let subject = "blocked-edges/*-SlowDisks: Extend to 4.18.3 and 4.18.4";
    assert_eq!(message.trim(), format!("{subject}\n\nIt is still open."));
    let files = asked_git(folder, &["show", "--name-status", "--format=", "HEAD"]);
    assert_eq!(
        files,
        "A\tblocked-edges/4.18.3-SlowDisks.yaml\nA\tblocked-edges/4.18.4-SlowDisks.yaml\n"
    );
    assert_eq!(asked_git(folder, &["diff", "--cached", "--name-only"]), "staged.txt\n");
    done(&repository, &["drop", "SlowDisks", "4.18.1", "--commit"]);
    let files = asked_git(folder, &["show", "--name-status", "--format=", "HEAD"]);
    assert_eq!(files, "D\tblocked-edges/4.18.1-SlowDisks.yaml\n");
    assert!(asked_git(folder, &["fsck", "--strict"]).is_empty());
}

#[test]
fn the_data_can_be_in_a_folder_of_a_repository() {
    let outer = Scratch::new("outer");
    let data = repository("inner");
    done(&data, &["extend", "SlowDisks"]);
    let inner = outer.path().join("data");
    fs::rename(data.path(), &inner).unwrap();
    let folder = outer.path();
    git(folder, &["init", "-q"]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", "first"]);
    git(folder, &["config", "user.name", "t"]);
    git(folder, &["config", "user.email", "t@example.com"]);
    let rename = ["risk", "rename", "SlowDisks", "LazyDisks", "--commit", "--repo"];
    let run = exitpath(rename.into_iter().chain([inner.to_str().unwrap()]));
    assert!(run.out.starts_with("committed 8 files as "), "{}{}", run.out, run.err);
    let files = asked_git(folder, &["show", "--name-status", "--format=", "--no-renames", "HEAD"]);
    assert!(files.contains("A\tdata/blocked-edges/4.18.1-LazyDisks.yaml\n"), "{files}");
    assert_eq!(asked_git(folder, &["status", "--porcelain"]), "");
}

#[test]
fn a_commit_that_git_refuses_changes_nothing() {
    let repository = committed("locked");
    repository.write(".git/index.lock", "");
    let error = refused(&repository, &["drop", "SlowDisks", "--commit"]);
    assert!(error.contains("another git process uses the repository"), "{error}");
}

#[test]
fn a_commit_needs_clean_files() {
    let repository = committed("dirty");
    let folder = repository.path();
    let path = "blocked-edges/4.18.2-SlowDisks.yaml";
    repository.write(path, slow_disks("4.18.2", "# mine\n"));
    let fix = ["fix", "SlowDisks", "4.18.3", "--commit"];
    let words = format!("{path} has changes that are not committed");
    assert!(refused(&repository, &fix).contains(&words));
    git(folder, &["add", path]);
    assert!(refused(&repository, &fix).contains(&words));
    // Staged, and changed back.
    repository.write(path, slow_disks("4.18.2", ""));
    assert!(refused(&repository, &fix).contains(&words));
    git(folder, &["reset", "-q", "--hard"]);
    done(&repository, &fix);
    let nowhere = self::repository("no-git");
    assert!(refused(&nowhere, &fix).contains("cannot commit"));
}

#[test]
fn a_merge_comes_first() {
    let repository = committed("merge");
    let folder = repository.path();
    git(folder, &["checkout", "-qb", "side"]);
    repository.write("side", "1\n");
    git(folder, &["add", "side"]);
    git(folder, &["commit", "-qm", "side"]);
    git(folder, &["checkout", "-q", "-"]);
    git(folder, &["merge", "-q", "--no-commit", "--no-ff", "side"]);
    let error = refused(&repository, &["extend", "SlowDisks"]);
    assert!(error.contains("a merge is in progress"), "{error}");
}

#[test]
fn a_rebase_comes_first() {
    let repository = committed("rebase");
    let folder = repository.path();
    for (branch, content) in [("side", "1\n"), ("-", "2\n")] {
        let flags: &[&str] = if branch == "-" { &["-q"] } else { &["-qb"] };
        git(folder, &[&["checkout"], flags, &[branch]].concat());
        repository.write("side", content);
        git(folder, &["add", "side"]);
        git(folder, &["commit", "-qm", content]);
    }
    let rebase = git_command().arg("-C").arg(folder).args(["rebase", "side"]).output().unwrap();
    assert!(!rebase.status.success());
    let error = refused(&repository, &["extend", "SlowDisks", "--commit"]);
    assert!(error.contains("a rebase is in progress"), "{error}");
}

/// The risk waited before it got another name.
#[test]
fn a_risk_that_waits_can_be_renamed_in_a_commit() {
    let repository = committed("rename-waiting");
    let run = done(&repository, &["rename", "SlowDisks", "SlowVolumes", "--commit"]);
    assert_eq!(run.status, 0, "{}", run.out);
    let log = asked_git(repository.path(), &["log", "-1", "--format=%s"]);
    assert!(log.contains("SlowVolumes"), "{log}");
}

#[test]
fn a_shallow_clone_has_no_dates_of_risks() {
    let repository = committed("exposure");
    git(repository.path(), &["commit", "-q", "--allow-empty", "-m", "second"]);
    let clone = Scratch::new("exposure-clone");
    let from = format!("file://{}", repository.path().display());
    git(clone.path(), &["clone", "-q", "--depth", "1", &from, "clone"]);
    let folder = clone.path().join("clone");
    let run = exitpath(["risk", "exposure", "--repo", folder.to_str().unwrap()]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.err.contains("the clone is shallow"), "{}", run.err);
    assert!(run.err.contains("git fetch --unshallow"), "{}", run.err);
}

/// All files or none, whenever a signal comes. `EXITPATH_INTERRUPTS` sets how often.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_half_done() {
    let last = 42;
    let whole = usize::try_from(last).unwrap() - 2;
    let extend = |repository: &Scratch| {
        Command::new(env!("CARGO_BIN_EXE_exitpath"))
            .args(["risk", "extend", "SlowDisks", "4.18.3..4.18", "--repo"])
            .arg(repository.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let first = repository_up_to("interrupts", last);
    let start = Instant::now();
    extend(&first).wait().unwrap();
    let usual = start.elapsed();
    let trials = std::env::var("EXITPATH_INTERRUPTS").ok().and_then(|n| n.parse().ok());
    let trials = trials.unwrap_or(24_u32);
    let mut seen = [0; 2];
    for trial in 0..trials {
        let repository = repository_up_to("interrupts", last);
        let mut child = extend(&repository);
        // From the start to a bit after the usual end.
        sleep(usual * trial * 11 / (trials * 10));
        let signal = ["-INT", "-TERM"][usize::try_from(trial % 2).unwrap()];
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
        child.wait().unwrap();
        let files = files_below(&repository.path().join("blocked-edges"));
        let new = files.len() - 3;
        assert!(new == 0 || new == whole, "{new} of {whole} files: {files:?}");
        seen[usize::from(new == whole)] += 1;
    }
    assert!(seen[0] > 0, "{seen:?}");
}

#[test]
fn what_waits_is_what_the_rule_says() {
    let repository = repository("waits");
    let run = done(&repository, &["list", "--waiting"]);
    let wanted = "\
SlowDisks
  4.18: 4.18.1 and 4.18.2; 4.18.3 and 4.18.4 wait

1 risk: releases wait for 1 risk
";
    assert_eq!(run.out, wanted);
    let root = repository.path().to_str().unwrap();
    let check = exitpath(["check", root, "--no-graph", "--select", "risk-not-extended"]);
    assert!(check.out.contains("also declare it for 4.18.3 and 4.18.4"), "{}", check.out);
    done(&repository, &["extend", "SlowDisks", "4.18.3", "--fixed-in", "4.18.4"]);
    let run = done(&repository, &["list"]);
    assert!(run.out.contains("4.18: 4.18.1–4.18.3; fixed in 4.18.4"), "{}", run.out);
    let check = exitpath(["check", root, "--no-graph", "--select", "risk-not-extended"]);
    assert_eq!(check.status, 0, "{}", check.out);
}
