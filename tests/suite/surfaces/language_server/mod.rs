//! `exitpath lsp`, held by a scripted client.

mod catalogs;
mod client;
mod completion;
mod edits;
mod methods;
mod protocol;

use std::path::Path;

use crate::{Scratch, git};

/// A repository with one commit.
fn repository() -> Scratch {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graph-data");
    let repository = Scratch::copy_of("language-server", &fixture);
    git(repository.path(), &["init", "--quiet"]);
    git(repository.path(), &["add", "."]);
    git(repository.path(), &["commit", "--quiet", "-m", "first"]);
    repository
}

/// A risk of the repository, and its text.
const RISK: &str = "blocked-edges/4.14.1-VSphereNodesLoseTheirNames.yaml";

fn text_of(repository: &Scratch, path: &str) -> String {
    std::fs::read_to_string(repository.path().join(path)).unwrap()
}
