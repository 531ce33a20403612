//! What the program writes, and where: no fix and no report reaches a file that nobody asked for.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use exitpath::testing::edit;

use crate::{Run, Scratch, exitpath, git};

const CHANNEL: &str = "name: stable-4.1\nversions:\n- 4.1.0\n- 4.1.1\n";
const UNFIXED: &str = "to: v4.1.1\nfrom: 4[.]1[.]0\n";
const FIXED: &str = "to: 4.1.1\nfrom: 4[.]1[.]0\n";

fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    scratch.write("channels/stable-4.1.yaml", CHANNEL);
    scratch
}

fn fix(scratch: &Scratch) -> Run {
    exitpath(["check", scratch.path().to_str().unwrap(), "--no-graph", "--fix"])
}

#[test]
fn names_that_look_the_same_are_different_files() {
    let scratch = repository("not-utf8");
    let folder = scratch.path().join("blocked-edges");
    fs::create_dir(&folder).unwrap();
    let one = folder.join(OsStr::from_bytes(b"4.1.1\xff.yaml"));
    let other = folder.join(OsStr::from_bytes(b"4.1.1\xfe.yaml"));
    let shown = folder.join("4.1.1\u{FFFD}.yaml");
    fs::write(&one, UNFIXED).unwrap();
    fs::write(&other, format!("# other\n{UNFIXED}")).unwrap();
    fs::write(&shown, format!("# shown\n{UNFIXED}")).unwrap();
    fix(&scratch);
    assert_eq!(fs::read_to_string(&one).unwrap(), FIXED);
    assert_eq!(fs::read_to_string(&other).unwrap(), format!("# other\n{FIXED}"));
    assert_eq!(fs::read_to_string(&shown).unwrap(), format!("# shown\n{FIXED}"));
}

#[test]
fn a_link_stays_a_link_and_its_target_is_fixed_once() {
    let scratch = repository("linked");
    let target = scratch.write("blocked-edges/4.1.1.yaml", UNFIXED);
    let link = scratch.path().join("blocked-edges/4.1.1-again.yaml");
    symlink("4.1.1.yaml", &link).unwrap();
    let run = fix(&scratch);
    assert!(!run.err.contains("cannot"), "{}", run.err);
    assert_eq!(fs::read_to_string(target).unwrap(), FIXED);
    assert!(link.symlink_metadata().unwrap().is_symlink());
}

#[test]
fn a_fix_keeps_permissions_and_leaves_no_draft() {
    let scratch = repository("permissions");
    let file = scratch.write("blocked-edges/4.1.1.yaml", UNFIXED);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    fix(&scratch);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_draft_is_not_written_through_a_link() {
    let scratch = Scratch::new("draft");
    let file = scratch.write("a.yaml", UNFIXED);
    let victim = scratch.write("victim", "keep");
    let draft = scratch.path().join(format!(".a.yaml.exitpath-{}", std::process::id()));
    symlink(&victim, &draft).unwrap();
    assert!(edit::replace(&file, UNFIXED, FIXED).is_err());
    assert_eq!(fs::read_to_string(victim).unwrap(), "keep");
    assert_eq!(fs::read_to_string(file).unwrap(), UNFIXED);
    assert!(draft.symlink_metadata().is_ok(), "somebody else's file is not deleted");
}

#[test]
fn a_file_that_changed_meanwhile_is_not_replaced() {
    let scratch = Scratch::new("meanwhile");
    let newer = format!("{UNFIXED}# appended\n");
    let file = scratch.write("a.yaml", &newer);
    let why = edit::replace(&file, UNFIXED, FIXED).unwrap_err().to_string();
    assert_eq!(why, "it has changed since it was read");
    assert_eq!(fs::read_to_string(&file).unwrap(), newer);
    fs::remove_file(&file).unwrap();
    symlink("elsewhere", &file).unwrap();
    assert!(edit::replace(&file, UNFIXED, FIXED).is_err());
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1, "the draft is deleted");
}

#[test]
fn reports_do_not_follow_the_links_of_a_repository() {
    let scratch = repository("outputs");
    git(scratch.path(), &["init", "-q"]);
    let outside = Scratch::new("outputs-outside");
    let victim = outside.write("victim", "keep");
    let at = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    symlink(&victim, at("report.json")).unwrap();
    symlink(outside.path(), at("folder")).unwrap();
    let root = scratch.path().to_str().unwrap();
    for file in
        [at("report.json"), at("folder/victim"), at("folder/new"), at("channels/../report.json")]
    {
        let commands: [&[&str]; 4] = [
            &["check", root, "--no-graph", "--format", "json", "--output", &file],
            &["check", root, "--no-graph", "--write-baseline", "--baseline", &file],
            &["graph", "--repo", root, "--output", &file],
            &["simulate", "--repo", root, "--supported", "*", "--output", &file],
        ];
        for command in commands {
            let run = exitpath(command);
            assert_eq!(run.status, 2, "{command:?}: {}", run.err);
            assert!(run.err.contains("symbolic link"), "{command:?}: {}", run.err);
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "keep");
        assert!(!outside.path().join("new").exists());
    }
    // The user's own links elsewhere are followed.
    let link = outside.path().join("own-link");
    symlink(&victim, &link).unwrap();
    exitpath(["check", root, "--no-graph", "--format", "json", "--output", link.to_str().unwrap()]);
    assert!(fs::read_to_string(&victim).unwrap().starts_with('{'));
}

/// The runner executes workflow commands in the output of a step, and a diff must keep every byte.
#[test]
fn a_diff_in_a_github_log_runs_no_command() {
    let scratch = repository("diff-commands");
    let command = "::error::end-of-diff-0##[error]";
    let before = format!("# x\n# {command}\n{UNFIXED}");
    let file = scratch.write("blocked-edges/4.1.1.yaml", &before);
    git(scratch.path(), &["init", "-q"]);
    let root = scratch.path().to_str().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args(["check", root, "--no-graph", "--fix", "--diff"])
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    let diff = String::from_utf8(run.stdout).unwrap();
    assert!(diff.starts_with("::stop-commands::end-of-diff-1\n--- a/"), "{diff}");
    assert!(diff.ends_with("\n::end-of-diff-1::\n"), "{diff}");
    scratch.write("fix.patch", &diff);
    git(scratch.path(), &["apply", "fix.patch"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), before.replace("v4.1.1", "4.1.1"));
}

/// A name can end a line, and begin a command of GitHub or of the terminal.
#[test]
fn a_diff_quotes_hostile_names_as_git_does() {
    let name = "blocked-edges/4.1.1\n::error::x\u{1b}[31m\"\\.yaml";
    let scratch = repository("diff-names");
    let file = scratch.write(name, UNFIXED);
    git(scratch.path(), &["init", "-q"]);
    let root = scratch.path().to_str().unwrap();
    let diff = exitpath(["check", root, "--no-graph", "--fix", "--diff"]).out;
    let head = r#"--- "a/blocked-edges/4.1.1\012::error::x\033[31m\"\\.yaml""#;
    assert!(diff.starts_with(head), "{diff}");
    scratch.write("fix.patch", &diff);
    git(scratch.path(), &["apply", "fix.patch"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), FIXED);
}

/// `git apply` needs the line as it is, and a terminal would obey it.
#[test]
fn a_diff_with_a_character_that_reorders_text_is_refused() {
    let scratch = repository("diff-override");
    scratch.write("blocked-edges/4.1.1.yaml", format!("# \u{202e}x\n{UNFIXED}"));
    let root = scratch.path().to_str().unwrap();
    let run = exitpath(["check", root, "--no-graph", "--fix", "--diff"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(
        run.err.contains(r"the difference has the character U+202E:  # \u{202e}x"),
        "{}",
        run.err
    );
    // A byte order mark changes nothing that a reader sees.
    scratch.write("blocked-edges/4.1.1.yaml", format!("\u{FEFF}{UNFIXED}"));
    let run = exitpath(["check", root, "--no-graph", "--fix", "--diff"]);
    assert!(run.out.contains("+to: 4.1.1\n"), "{}{}", run.out, run.err);
}

/// Who is killed in the middle of a fix leaves its draft behind.
#[test]
fn a_draft_that_was_left_behind_is_no_data() {
    let scratch = repository("left-behind");
    scratch.write("blocked-edges/4.1.1.yaml", FIXED);
    let root = scratch.path().to_str().unwrap();
    let check = || exitpath(["check", root, "--no-graph"]);
    let before = check();
    scratch.write("blocked-edges/.4.1.1.yaml.exitpath-4711", "to: 4.1");
    let after = check();
    assert_eq!((before.status, before.out), (after.status, after.out));
}

#[test]
fn a_file_keeps_its_owner() {
    use std::os::unix::fs::MetadataExt;
    let scratch = repository("owner");
    let file = scratch.write("blocked-edges/4.1.1.yaml", UNFIXED);
    if std::os::unix::fs::chown(&file, Some(12345), Some(12345)).is_err() {
        crate::shared::skipped("only root can give a file to another user");
        return;
    }
    fix(&scratch);
    assert_eq!(fs::read_to_string(&file).unwrap(), FIXED);
    let meta = file.metadata().unwrap();
    assert_eq!((meta.uid(), meta.gid()), (12345, 12345));
}

/// A baseline is read by the next run, so no run may see half of one.
#[test]
fn a_baseline_is_replaced_as_a_whole() {
    use std::os::unix::fs::MetadataExt;
    let scratch = repository("baseline");
    scratch.write("blocked-edges/4.1.1.yaml", UNFIXED);
    let file = scratch.write("baseline.json", "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let other_name = scratch.path().join("the-old-one");
    fs::hard_link(&file, &other_name).unwrap();
    let (root, path) = (scratch.path().to_str().unwrap(), file.to_str().unwrap());
    let run = exitpath(["check", root, "--no-graph", "--write-baseline", "--baseline", path]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(&other_name).unwrap(), "old", "it was not written to");
    assert!(fs::read_to_string(&file).unwrap().starts_with('{'));
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640);
    // What is no file cannot be replaced.
    let run =
        exitpath(["check", root, "--no-graph", "--write-baseline", "--baseline", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file(), "{}", run.err);
}
