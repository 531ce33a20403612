//! `exitpath init` shows what the pages show, and writes only what is not there.

use std::fs;
use std::path::Path;

use crate::{Scratch, exitpath};

fn repository() -> Scratch {
    Scratch::copy_of("init", Path::new("fixtures/graph-data"))
}

/// The text of a place, without the line with its name.
fn shown(place: &str) -> String {
    let run = exitpath(["init", place]);
    assert_eq!(run.status, 0, "{}", run.err);
    let (title, text) = run.out.split_once('\n').unwrap();
    let titled = ["#", "--"].map(|comment| format!("{comment} {place}: "));
    assert!(titled.iter().any(|start| title.starts_with(start)), "{title}");
    text.to_owned()
}

/// The blocks of a page, without what is between them.
fn blocks(page: &str) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let parts: Vec<&str> = text.split("```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    inside.map(|block| block.split_once('\n').unwrap().1.to_owned()).collect()
}

#[test]
fn the_pages_have_the_same_texts() {
    for (place, page) in [
        ("pre-commit", "docs/pre-commit.md"),
        ("prow", "docs/prow.md"),
        ("helix", "docs/editor.md"),
        ("neovim", "docs/editor.md"),
    ] {
        let text = shown(place);
        assert!(blocks(page).contains(&text), "{page} does not show:\n{text}");
    }
    // The page names the action by its commit, which only a release has.
    let action = shown("github").replace("@v0.1.0", "@COMMIT # v0.1.0");
    assert!(blocks("docs/github-actions.md").contains(&action), "{action}");
}

#[test]
fn files_are_written_once() {
    let repository = repository();
    let root = repository.path().to_str().unwrap();
    fs::remove_file(repository.path().join("exitpath.toml")).unwrap();
    let places = ["pre-commit", "github", "settings", "helix", "github"];
    let write = || ["init"].into_iter().chain(places).chain(["--write", "--repo", root]);
    let run = exitpath(write());
    let written = "wrote .pre-commit-config.yaml\nwrote .github/workflows/exitpath.yml\n\
                   wrote exitpath.toml\nwrote .helix/languages.toml\n";
    assert_eq!((run.status, run.out.as_str()), (0, written), "{}", run.err);
    for (place, path) in [("pre-commit", ".pre-commit-config.yaml"), ("settings", "exitpath.toml")]
    {
        let text = fs::read_to_string(repository.path().join(path)).unwrap();
        assert_eq!(text, shown(place));
    }
    assert_eq!(exitpath(["check", root, "--quiet"]).status, 0, "the settings are valid");
    let again = exitpath(write());
    let known = written.lines().map(|line| {
        format!("exitpath: {} already has this text\n", line.trim_start_matches("wrote "))
    });
    let expected = (0, "", known.collect::<String>());
    assert_eq!((again.status, again.out.as_str(), again.err), expected);
}

#[test]
fn nothing_is_written_over_another_text() {
    let repository = repository();
    let root = repository.path().to_str().unwrap();
    let run = exitpath(["init", "pre-commit", "settings", "--write", "--repo", root]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("exitpath.toml has another text; nothing is written"), "{}", run.err);
    assert!(!repository.path().join(".pre-commit-config.yaml").exists());
    let run = exitpath(["init", "prow", "--write", "--repo", root]);
    assert!(run.err.contains("`prow` has no file in the repository"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    let (repository, outside) = (repository(), Scratch::new("init-outside"));
    std::os::unix::fs::symlink(outside.path(), repository.path().join(".github")).unwrap();
    let root = repository.path().to_str().unwrap();
    let run = exitpath(["init", "github", "--write", "--repo", root]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("is not a folder"), "{}", run.err);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}
