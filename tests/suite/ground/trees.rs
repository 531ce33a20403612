//! A folder and a revision are read in the same way, and reading changes nothing.

use std::fs;
use std::path::Path;

use exitpath::testing::graph_data;
use exitpath::testing::tree::{Blob, TreeError};

use crate::{Scratch, exitpath, git};

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", message]);
}

fn repository(name: &str) -> Scratch {
    let scratch = Scratch::copy_of(name, Path::new("fixtures/graph-data"));
    git(scratch.path(), &["init", "-q"]);
    commit(scratch.path(), "all");
    scratch
}

fn contents(blobs: &[Blob]) -> Vec<(String, String)> {
    blobs.iter().map(|blob| (blob.path.clone(), format!("{:?}", blob.content))).collect()
}

#[test]
fn a_revision_has_the_same_files_as_its_folder() {
    let scratch = repository("alike");
    #[cfg(unix)]
    {
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(target, scratch.path().join("channels").join(name)).unwrap();
        };
        link("stable-4.14.yaml", "inside.yaml");
        link("../../outside.yaml", "outside.yaml");
        link("loop.yaml", "loop.yaml");
        link("nowhere.yaml", "dangling.yaml");
        commit(scratch.path(), "links");
    }
    let folder = graph_data::blobs(scratch.path(), None).unwrap();
    let revision = graph_data::blobs(scratch.path(), Some("HEAD")).unwrap();
    assert_eq!(contents(&folder), contents(&revision));
    assert!(folder.iter().any(|blob| blob.path == "channels/inside.yaml" && blob.content.is_ok()));
    for unreadable in ["outside", "loop", "dangling"] {
        let path = format!("channels/{unreadable}.yaml");
        assert!(folder.iter().any(|blob| blob.path == path && blob.content.is_err()), "{path}");
    }
}

#[test]
fn rev_ignores_changes_in_the_work_tree() {
    let scratch = repository("past");
    let changed = scratch.write("channels/stable-4.14.yaml", "nonsense");
    let root = scratch.path().to_str().unwrap();
    assert_eq!(exitpath(["check", root]).status, 1);
    assert_eq!(exitpath(["check", root, "--rev", "HEAD"]).status, 0);
    assert_eq!(fs::read_to_string(changed).unwrap(), "nonsense");
}

#[test]
fn a_repository_can_be_a_subfolder_of_a_git_repository() {
    let scratch = Scratch::new("below");
    git(scratch.path(), &["init", "-q"]);
    scratch.write("data/version", "1.1.0\n");
    scratch.write("data/channels/a-1.yaml", "name: a-1\nversions: []\n");
    commit(scratch.path(), "all");
    let blobs = graph_data::blobs(&scratch.path().join("data"), Some("HEAD")).unwrap();
    let paths: Vec<&str> = blobs.iter().map(|blob| blob.path.as_str()).collect();
    assert_eq!(paths, ["channels/a-1.yaml", "version"]);
}

#[test]
fn an_unknown_revision_is_an_error() {
    let scratch = repository("unknown");
    let unknown = graph_data::blobs(scratch.path(), Some("nowhere")).unwrap_err();
    assert!(matches!(unknown, TreeError::UnknownRevision(name, _) if name == "nowhere"));
    // A name that looks like an option is not an option.
    let option = graph_data::blobs(scratch.path(), Some("--output=/tmp/x")).unwrap_err();
    assert!(matches!(option, TreeError::UnknownRevision(name, _) if name == "--output=/tmp/x"));
    let plain = Scratch::copy_of("plain", Path::new("fixtures/graph-data"));
    let none = graph_data::blobs(plain.path(), Some("HEAD")).unwrap_err();
    assert_eq!(none, TreeError::NotARepository(plain.path().to_owned()));
}
