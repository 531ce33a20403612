//! A checked folder can be a hostile git repository, and git can be configured by anybody: neither
//! runs a program nor changes an answer.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::shared::skipped;
use crate::{Scratch, git};

const EDGE: &str = "to: 4.1.1\nfrom: .*\n";

/// A repository with two commits.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    scratch.write("channels/stable-4.1.yaml", "name: stable-4.1\nversions:\n- 4.1.0\n- 4.1.1\n");
    git(scratch.path(), &["init", "-q"]);
    commit(&scratch, "one");
    scratch.write("blocked-edges/4.1.1.yaml", EDGE);
    commit(&scratch, "two");
    scratch
}

fn commit(scratch: &Scratch, message: &str) {
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", message]);
}

/// Runs the program itself: the environment of a process is part of the test.
fn run<K: AsRef<OsStr>, V: AsRef<OsStr>>(
    folder: &Path,
    arguments: &[&str],
    environment: &[(K, V)],
) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
    command.current_dir(folder).args(arguments);
    for (name, value) in environment {
        command.env(name, value);
    }
    command.output().unwrap()
}

fn plain(folder: &Path, arguments: &[&str]) -> Output {
    run::<&str, &str>(folder, arguments, &[])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const COMMANDS: [&[&str]; 5] = [
    &["check"],
    &["check", "--base", "HEAD~1"],
    &["check", "--rev", "HEAD", "--no-cache"],
    &["diff", "HEAD~1", "--no-cache"],
    &["simulate", "--supported", "*", "--no-cache"],
];

/// Makes programs that leave a mark when they run, and returns the path of the mark.
#[cfg(unix)]
fn trap(scratch: &Scratch) -> (String, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let mark = scratch.path().join("mark");
    let program = scratch.path().join("trap");
    fs::write(&program, format!("#!/bin/sh\necho ran >> '{}'\n", mark.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.to_str().unwrap().to_owned(), mark)
}

/// Puts a commit with a signature on top. Who verifies it runs the configured program.
#[cfg(unix)]
fn add_signed_commit(folder: &Path) {
    let answer = |arguments: &[&str]| {
        let run = crate::shared::scratch::git_command()
            .arg("-C")
            .arg(folder)
            .args(arguments)
            .output()
            .unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", text(&run.stderr));
        text(&run.stdout).trim().to_owned()
    };
    let (tree, parent) = (answer(&["rev-parse", "HEAD^{tree}"]), answer(&["rev-parse", "HEAD"]));
    let file = folder.join("signed");
    let commit = format!(
        "tree {tree}\nparent {parent}\nauthor t <t> 1700000000 +0000\n\
         committer t <t> 1700000000 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n \
         -----END PGP SIGNATURE-----\n\nsigned\n"
    );
    fs::write(&file, commit).unwrap();
    let id = answer(&["hash-object", "-t", "commit", "-w", "signed"]);
    fs::remove_file(file).unwrap();
    answer(&["update-ref", "HEAD", &id]);
}

#[cfg(unix)]
#[test]
fn settings_of_the_repository_run_nothing() {
    let scratch = repository("git-settings");
    let outside = Scratch::new("git-settings-trap");
    let (program, mark) = trap(&outside);
    add_signed_commit(scratch.path());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "diff.external",
        "gpg.program",
        "gpg.ssh.program",
        "core.alternateRefsCommand",
        "core.askPass",
        "filter.trap.clean",
        "filter.trap.smudge",
        "filter.trap.process",
        "diff.trap.textconv",
        "diff.trap.command",
    ] {
        git(scratch.path(), &["config", key, &program]);
    }
    git(scratch.path(), &["config", "log.showSignature", "true"]);
    fs::write(scratch.path().join(".gitattributes"), "* filter=trap diff=trap\n").unwrap();
    scratch.write("blocked-edges/4.1.1.yaml", format!("{EDGE}# changed\n"));
    for arguments in COMMANDS {
        let run = plain(scratch.path(), arguments);
        assert_ne!(run.status.code(), None, "{arguments:?}");
        assert!(!mark.exists(), "{arguments:?} ran a program of the repository");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_bare_repository_is_not_asked() {
    let outer = repository("git-embedded");
    let outside = Scratch::new("git-embedded-trap");
    let (program, mark) = trap(&outside);
    // A data folder that git takes for a bare repository.
    let inner = outer.path().join("inner");
    git(outer.path(), &["clone", "-q", "--bare", ".", "inner"]);
    add_signed_commit(&inner);
    fs::write(inner.join("version"), "1.1.0\n").unwrap();
    fs::create_dir_all(inner.join("channels")).unwrap();
    fs::create_dir_all(inner.join("blocked-edges")).unwrap();
    fs::write(inner.join("blocked-edges/4.1.1.yaml"), EDGE).unwrap();
    fs::write(inner.join("channels/stable-4.1.yaml"), "name: stable-4.1\nversions:\n- 4.1.1\n")
        .unwrap();
    for (key, value) in [("gpg.program", program.as_str()), ("log.showSignature", "true")] {
        git(&inner, &["config", key, value]);
    }
    for arguments in COMMANDS {
        let run = plain(&inner, arguments);
        assert!(!mark.exists(), "{arguments:?} ran a program of the repository");
        let asks_git = arguments.iter().any(|word| ["--base", "--rev", "diff"].contains(word));
        if asks_git {
            let err = text(&run.stderr);
            assert_eq!(run.status.code(), Some(2), "{arguments:?}: {err}");
            assert!(err.contains("cannot use bare repository"), "{arguments:?}: {err}");
            assert!(err.contains("check a clone of it"), "{arguments:?}: {err}");
        }
    }
}

/// The id of an object.
fn id_of(folder: &Path, object: &str) -> String {
    let mut git = crate::shared::scratch::git_command();
    let run = git.arg("-C").arg(folder).args(["rev-parse", object]).output().unwrap();
    text(&run.stdout).trim().to_owned()
}

/// As in a partial clone, whose missing objects git fetches with a program that the repository
/// names.
#[cfg(unix)]
#[test]
fn what_a_clone_lacks_is_not_fetched() {
    let scratch = repository("git-partial");
    let outside = Scratch::new("git-partial-trap");
    let (program, mark) = trap(&outside);
    let settings = [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &format!("ext::{program}")),
        ("protocol.ext.allow", "always"),
    ];
    for (key, value) in settings {
        git(scratch.path(), &["config", key, value]);
    }
    let id = id_of(scratch.path(), "HEAD:blocked-edges/4.1.1.yaml");
    fs::remove_file(scratch.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..])))
        .unwrap();
    for arguments in COMMANDS {
        plain(scratch.path(), arguments);
        assert!(!mark.exists(), "{arguments:?} ran a program of the repository");
    }
}

/// A graft gives a commit other parents, so the history would be another one.
#[test]
fn grafts_do_not_change_the_history() {
    let scratch = repository("git-grafts");
    let outputs = || {
        COMMANDS.map(|arguments| {
            let run = plain(scratch.path(), arguments);
            (run.status.code(), text(&run.stdout), text(&run.stderr))
        })
    };
    let before = outputs();
    let head = id_of(scratch.path(), "HEAD");
    scratch.write(".git/info/grafts", format!("{head}\n"));
    assert_eq!(before, outputs());
}

#[test]
fn the_environment_does_not_name_another_repository() {
    let (own, other) = (repository("git-own"), repository("git-other"));
    other.write("blocked-edges/4.1.0.yaml", "to: 4.1.0\nfrom: (\n");
    commit(&other, "a mistake");
    let folder = |name: &str| other.path().join(name).into_os_string();
    let environment = [
        ("GIT_DIR", folder(".git")),
        ("GIT_WORK_TREE", other.path().as_os_str().to_owned()),
        ("GIT_INDEX_FILE", folder(".git/index")),
        ("GIT_OBJECT_DIRECTORY", folder(".git/objects")),
    ];
    for arguments in COMMANDS {
        let alone = plain(own.path(), arguments);
        let within = run(own.path(), arguments, &environment);
        assert_eq!(text(&alone.stdout), text(&within.stdout), "{arguments:?}");
        assert_eq!(alone.status.code(), within.status.code(), "{arguments:?}");
    }
}

#[test]
fn the_users_settings_do_not_change_the_history() {
    let scratch = repository("git-user");
    let home = Scratch::new("git-user-home");
    let plain_home = Scratch::new("git-user-plain");
    home.write(
        ".gitconfig",
        "[log]\n\tdiffMerges = off\n\tshowRoot = false\n\tshowSignature = true\n\
         [i18n]\n\tlogOutputEncoding = UTF-16\n[diff]\n\tnoprefix = true\n\trenames = false\n\
         [core]\n\tquotePath = true\n",
    );
    for arguments in [&["graph", "--format", "edges"][..], &["simulate", "--supported", "*"]] {
        let of = |home: &Scratch| {
            let path = |folder: &str| home.path().join(folder).into_os_string();
            let environment = [
                ("HOME", home.path().as_os_str().to_owned()),
                ("XDG_CACHE_HOME", path("cache")),
                ("XDG_CONFIG_HOME", path("config")),
            ];
            let run = run(scratch.path(), arguments, &environment);
            (text(&run.stdout), text(&run.stderr), run.status.code())
        };
        assert_eq!(of(&plain_home), of(&home), "{arguments:?}");
    }
}

#[test]
fn the_work_tree_is_the_folder_that_is_asked_about() {
    let (scratch, other) = (repository("git-here"), repository("git-elsewhere"));
    other.write("blocked-edges/4.1.0.yaml", "to: 4.1.0\nfrom: (\n");
    let outputs = || {
        COMMANDS.map(|arguments| {
            let run = plain(scratch.path(), arguments);
            (run.status.code(), text(&run.stdout), text(&run.stderr))
        })
    };
    let before = outputs();
    git(scratch.path(), &["config", "core.worktree", other.path().to_str().unwrap()]);
    assert_eq!(before, outputs());
}

/// As in a container: the checkout belongs to another user. Without its history, the answer would
/// be another one.
#[cfg(unix)]
#[test]
fn a_checkout_of_another_user_is_refused_with_the_command_that_allows_it() {
    let scratch = repository("git-foreign");
    let top = scratch.path();
    if std::os::unix::fs::chown(top, Some(12345), None).is_err() {
        skipped("only root can give a folder to another user");
        return;
    }
    let folder = top.to_str().unwrap();
    for arguments in
        [&["check"][..], &["check", "--base", "HEAD~1"], &["simulate"], &["diff", "HEAD"]]
    {
        let refused = plain(top, arguments);
        let err = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("git refuses this repository: detected dubious ownership"), "{err}");
        let help = format!("if you trust it: `git config --global --add safe.directory {folder}`");
        assert!(err.contains(&help), "{err}");
        assert!(!err.contains("\\n") && !err.contains("\\t"), "{err}");
    }
    // What needs no history works.
    assert_eq!(plain(top, &["check", "--no-graph"]).status.code(), Some(0));
    let home = Scratch::new("git-foreign-home");
    home.write(".gitconfig", format!("[safe]\n\tdirectory = {folder}\n"));
    let allowed = run(top, &["check"], &[("HOME", home.path())]);
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stderr));
}

#[test]
fn a_huge_file_of_the_past_is_not_read() {
    let scratch = repository("git-huge");
    scratch.write("channels/stable-4.1.yaml", "#".repeat(5 << 20));
    commit(&scratch, "huge");
    scratch.write("channels/stable-4.1.yaml", "name: stable-4.1\nversions:\n- 4.1.0\n- 4.1.1\n");
    commit(&scratch, "small");
    let run = plain(scratch.path(), &["graph", "--format", "edges", "--no-cache"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert!(!text(&run.stderr).contains("no git history"), "{}", text(&run.stderr));
}

/// Branches whose names begin with `-`, as a push can create them.
#[test]
fn a_revision_is_never_an_option() {
    let scratch = repository("git-options");
    let names = ["-x", "--output=mark", "--all", "--end-of-options", "--upload-pack=touch mark"];
    let names = names.map(|name| name.replace(' ', "-"));
    for name in &names {
        git(scratch.path(), &["update-ref", &format!("refs/heads/{name}"), "HEAD~1"]);
    }
    let outputs = |name: &str| {
        let range = format!("{name}..{name}");
        let (base, revision) = (format!("--base={name}"), format!("--rev={name}"));
        let commands: [&[&str]; 6] = [
            &["check", "--format", "json", &base],
            &["check", "--format", "json", &revision],
            &["graph", "--format", "edges", &revision],
            &["diff", "--format", "edges", "--exit-code", "--", name],
            &["diff", "--format", "edges", "--exit-code", "--", name, "HEAD"],
            &["diff", "--format", "edges", "--exit-code", "--", &range],
        ];
        commands.map(|arguments| {
            let run = plain(scratch.path(), arguments);
            (run.status.code(), text(&run.stdout).replace(name, "NAME"), text(&run.stderr))
        })
    };
    let plain_outputs = outputs("HEAD~1");
    assert_eq!(plain_outputs[3].0, Some(1), "{:?}", plain_outputs[3]);
    for name in &names {
        for (expected, actual) in plain_outputs.iter().zip(outputs(name)) {
            assert_eq!(*expected, actual, "{name}");
        }
    }
    // Without a branch, such a name is a revision that does not exist.
    for name in ["-y", "--output=mark", "--git-dir", "--help", "-", "--"] {
        for name in [name.to_owned(), format!("{name}y")] {
            if names.contains(&name) {
                continue;
            }
            for flag in ["--base", "--rev"] {
                let run = plain(scratch.path(), &["check", &format!("{flag}={name}")]);
                let err = text(&run.stderr);
                assert_eq!(run.status.code(), Some(2), "{flag}={name}: {err}");
                let what = format!("there is no revision `{name}` in this repository");
                assert!(err.contains(&what), "{flag}={name}: {err}");
            }
        }
    }
    assert!(!scratch.path().join("mark").exists());
}

/// A value that follows its flag after a space can begin with `-`, too.
#[test]
fn a_value_that_looks_like_an_option_is_a_revision() {
    let scratch = repository("git-dash");
    git(scratch.path(), &["update-ref", "refs/heads/-x", "HEAD"]);
    for arguments in [["check", "--base", "-x"], ["check", "--rev", "-x"], ["graph", "--rev", "-x"]]
    {
        let run = plain(scratch.path(), &arguments);
        assert_eq!(run.status.code(), Some(0), "{arguments:?}: {}", text(&run.stderr));
    }
}

/// git waits for a pipe until somebody writes into it.
#[cfg(unix)]
#[test]
fn a_pipe_among_the_files_of_git_is_refused() {
    let scratch = repository("git-pipe");
    let make_pipe = |path: &Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let index = scratch.path().join(".git/index");
    fs::rename(&index, scratch.path().join("kept")).unwrap();
    make_pipe(&index);
    let run = plain(scratch.path(), &["check", "--base", "HEAD~1"]);
    let err = text(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{err}");
    assert!(err.contains("index is not a regular file"), "{err}");
    fs::rename(scratch.path().join("kept"), &index).unwrap();

    // The configuration can include any file.
    let included = scratch.path().join("included");
    make_pipe(&included);
    git(scratch.path(), &["config", "core.x", "y"]);
    let config = scratch.path().join(".git/config");
    let include = format!("[include]\n\tpath = {}\n", included.display());
    fs::write(&config, fs::read_to_string(&config).unwrap() + &include).unwrap();
    let run = plain(scratch.path(), &["check", "--base", "HEAD~1"]);
    let err = text(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{err}");
    assert!(err.contains("git failed: it did not answer within 10 seconds"), "{err}");
}

/// Ten objects are enough for a tree with more paths than any disk can hold.
#[test]
fn a_tree_of_countless_paths_is_refused() {
    let scratch = repository("git-bomb");
    let ask = |arguments: &[&str], input: &str| {
        use std::io::Write;
        let mut git = crate::shared::scratch::git_command();
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        git.arg("-C").arg(scratch.path()).args(identity).args(arguments);
        let pipe = std::process::Stdio::piped;
        let mut git = git.stdin(pipe()).stdout(pipe()).spawn().unwrap();
        git.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        text(&git.wait_with_output().unwrap().stdout).trim().to_owned()
    };
    let mut id = ask(&["hash-object", "-w", "--stdin"], EDGE);
    let mut kind = "100644 blob";
    for _ in 0..10 {
        let entries = (0..10).map(|number| format!("{kind} {id}\t{number}.yaml\n"));
        id = ask(&["mktree"], &entries.collect::<String>());
        kind = "040000 tree";
    }
    let version = id_of(scratch.path(), "HEAD:version");
    let channels = id_of(scratch.path(), "HEAD:channels");
    let root = format!(
        "100644 blob {version}\tversion\n040000 tree {channels}\tchannels\n\
         040000 tree {id}\tblocked-edges\n"
    );
    let tree = ask(&["mktree"], &root);
    let commit = ask(&["commit-tree", "-p", "HEAD", "-m", "bomb", &tree], "");
    git(scratch.path(), &["update-ref", "refs/heads/bomb", &commit]);
    for arguments in [&["check", "--rev", "bomb"][..], &["diff", "HEAD", "bomb", "--no-cache"]] {
        let run = plain(scratch.path(), arguments);
        let err = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("its answer is longer than 64 MiB"), "{arguments:?}: {err}");
    }
}

/// As a git from before this protection: what matters is not its version but what it does.
#[cfg(unix)]
#[test]
fn a_git_that_ignores_what_protects_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = repository("git-old");
    let programs = Scratch::new("git-old-programs");
    let path = std::env::var("PATH").unwrap();
    let script = format!("#!/bin/sh\nunset GIT_ALLOW_PROTOCOL\nPATH='{path}' exec git \"$@\"\n");
    let program = programs.write("git", script);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{path}", programs.path().display());
    for arguments in COMMANDS {
        let run = run(scratch.path(), arguments, &[("PATH", path.as_str())]);
        let err = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains("this git does not honor GIT_ALLOW_PROTOCOL"), "{err}");
        assert!(err.contains("install git 2.30 or newer"), "{err}");
    }
}
