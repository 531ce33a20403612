//! What git knows of earlier revisions of a catalog.

use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::shared::scratch::{Scratch, git};

/// A git repository.
struct Repository(Scratch);

impl Repository {
    fn new(name: &str) -> Self {
        let repository = Self(Scratch::new(name));
        repository.git(&["init", "-q"]);
        repository
    }

    fn git(&self, arguments: &[&str]) {
        git(&self.0, arguments);
    }

    /// Commits files, all others removed.
    fn commit(&self, files: &[(&str, &str)]) {
        self.git(&["rm", "-rqf", "--ignore-unmatch", "."]);
        for (path, text) in files {
            self.0.write(path, text);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "change"]);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_exitpath"));
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// The names of stuck installs in the only channel.
    fn stuck(&self, more: &[&str]) -> Vec<String> {
        let run =
            self.run(&[&["catalog", "simulate", "catalog", "--format", "json"], more].concat());
        let words = String::from_utf8_lossy(&run.stderr);
        let report: Json = serde_json::from_slice(&run.stdout).expect(&words);
        let stuck = report["packages"][0]["channels"][0]["stuck"].as_array().unwrap();
        stuck.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// A catalog of one package with some entries that have no edges to each other. The last is the
/// head.
fn catalog(versions: &[&str]) -> String {
    let mut text = "schema: olm.package\nname: example\ndefaultChannel: stable\n".to_owned();
    text += "---\nschema: olm.channel\npackage: example\nname: stable\nentries:\n";
    for version in versions {
        writeln!(text, "- name: example.v{version}").unwrap();
    }
    for version in versions {
        write!(
            text,
            "---\nschema: olm.bundle\npackage: example\nname: example.v{version}\nimage: \
             example.com/a:{version}\nproperties:\n- type: olm.package\n  value: {{packageName: \
             example, version: {version}}}\n"
        )
        .unwrap();
    }
    text
}

#[test]
fn an_ignored_file_was_never_published() {
    let repository = Repository::new("past-ignored");
    let (old, now) = (catalog(&["1.0.0"]), catalog(&["2.0.0"]));
    let hidden = [("catalog/.indexignore", "draft.yaml\n"), ("catalog/draft.yaml", old.as_str())];
    repository.commit(&[&hidden[..], &[("catalog/now.yaml", &now)]].concat());
    assert_eq!(repository.stuck(&["--base", "HEAD"]), Vec::<String>::new());
    assert_eq!(repository.stuck(&["--history"]), Vec::<String>::new());
    // Without the pattern, opm serves the same file.
    repository.commit(&[("catalog/draft.yaml", &old)]);
    repository.commit(&[("catalog/now.yaml", &now)]);
    assert_eq!(repository.stuck(&["--history"]), ["example.v1.0.0"]);
}

const ANNOTATIONS: &str = "annotations:
  operators.operatorframework.io.bundle.package.v1: example
  operators.operatorframework.io.bundle.channels.v1: stable
";

fn csv(version: &str) -> String {
    format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  \
         name: example.v{version}\nspec:\n  version: {version}\n"
    )
}

#[test]
fn deleted_folders_of_bundles_were_published() {
    let repository = Repository::new("past-bundles");
    let (first, second) = (csv("1.0.0"), csv("2.0.0"));
    let of_first = [
        ("catalog/1.0.0/manifests/csv.yaml", first.as_str()),
        ("catalog/1.0.0/metadata/annotations.yaml", ANNOTATIONS),
    ];
    let of_second = [
        ("catalog/2.0.0/manifests/csv.yaml", second.as_str()),
        ("catalog/2.0.0/metadata/annotations.yaml", ANNOTATIONS),
    ];
    repository.commit(&of_first);
    repository.commit(&of_second);
    assert_eq!(repository.stuck(&[]), Vec::<String>::new());
    assert_eq!(repository.stuck(&["--history"]), ["example.v1.0.0"]);
    assert_eq!(repository.stuck(&["--base", "HEAD~1"]), ["example.v1.0.0"]);
}

#[test]
fn a_package_that_is_removed_with_all_others_is_reported() {
    let repository = Repository::new("past-package");
    repository.commit(&[("catalog/catalog.yaml", &catalog(&["1.0.0"]))]);
    std::fs::write(repository.0.join("catalog/catalog.yaml"), "schema: example.notes\n").unwrap();
    let run =
        repository.run(&["catalog", "check", "catalog", "--base", "HEAD", "--format", "json"]);
    let report: Json = serde_json::from_slice(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let removed = findings.iter().find(|finding| finding["rule"] == "channel-removed").unwrap();
    assert_eq!(removed["path"], "catalog/catalog.yaml");
    let message = removed["message"].as_str().unwrap();
    assert!(message.starts_with("package `example` with 1 channel is removed"), "{message}");
}

#[test]
#[cfg(unix)]
fn few_git_processes_read_many_files() {
    use std::os::unix::fs::PermissionsExt;
    let repository = Repository::new("past-many");
    let names: Vec<(String, String)> = (0..200)
        .map(|at| {
            let text = catalog(&["1.0.0"]).replace("example", &format!("example-{at}"));
            (format!("catalog/{at}.yaml"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    repository.commit(&files);
    // A git that counts how often it runs.
    let bin = repository.0.join(".git/bin");
    std::fs::create_dir_all(&bin).unwrap();
    let path = std::env::var("PATH").unwrap();
    let real = std::env::split_paths(&path).map(|folder| folder.join("git"));
    let real = real.into_iter().find(|git| git.is_file()).unwrap();
    let log = repository.0.join(".git/runs");
    let script =
        format!("#!/bin/sh\necho run >> '{}'\nexec '{}' \"$@\"\n", log.display(), real.display());
    std::fs::write(bin.join("git"), script).unwrap();
    std::fs::set_permissions(bin.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let runs = |arguments: &[&str]| {
        let _ = std::fs::remove_file(&log);
        let folders = std::iter::once(bin.clone()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).unwrap();
        let run = repository.command().args(arguments).env("PATH", path).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        std::fs::read_to_string(&log).unwrap().lines().count()
    };
    assert!(runs(&["catalog", "check", "catalog", "--rev", "HEAD"]) < 12);
    assert!(runs(&["catalog", "simulate", "catalog", "--history"]) < 16);
    // Each file is a catalog of its own.
    let each = files.iter().map(|(path, _)| *path);
    let arguments: Vec<&str> =
        ["catalog", "check", "--rev", "HEAD"].into_iter().chain(each).collect();
    assert!(runs(&arguments) < 12);
}

#[test]
fn a_file_without_content_is_named_and_the_others_count() {
    let repository = Repository::new("missing");
    repository.commit(&[("catalog/catalog.yaml", &catalog(&["1.0.0"]))]);
    repository.commit(&[("catalog/catalog.yaml", &catalog(&["1.0.0", "1.1.0"]))]);
    repository.commit(&[("catalog/catalog.yaml", &catalog(&["1.2.0"]))]);
    let git = |arguments: &[&str]| {
        let mut git = crate::shared::scratch::git_command();
        let output = git.args(arguments).current_dir(&repository.0).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let object = git(&["rev-parse", "HEAD~2:catalog/catalog.yaml"]);
    let (folder, file) = object.split_at(2);
    std::fs::remove_file(repository.0.join(format!(".git/objects/{folder}/{file}"))).unwrap();
    let run = repository.run(&["catalog", "simulate", "catalog", "--history"]);
    let words = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(words.contains("lacks earlier contents of catalog/catalog.yaml"), "{words}");
    assert_eq!(run.status.code(), Some(1), "{words}");
}
