//! Reads a history from git, commit by commit.

use std::collections::{HashMap, HashSet};

use crate::git::{FileChange, Git, GitError};

use super::{FOLDERS, History, Suggestions};

/// How many commits to read at a time, to limit memory.
const CHUNK: usize = 1000;

/// A history with the commits after `since` (default: all) up to `until`.
pub(super) fn extended(
    mut history: History,
    git: &Git,
    since: Option<&str>,
    until: &str,
) -> Result<History, GitError> {
    let changes = git.first_parent_changes(since, until, &FOLDERS)?;
    for chunk in changes.chunk_by(|a, b| a.commit_index / CHUNK == b.commit_index / CHUNK) {
        add(git, &mut history, chunk)?;
    }
    Ok(history)
}

/// Adds changes. They must be in order.
fn add(git: &Git, history: &mut History, changes: &[FileChange]) -> Result<(), GitError> {
    let mut seen = HashSet::new();
    let objects = changes.iter().filter(|change| seen.insert(change.object.as_str()));
    let objects: Vec<String> = objects.map(|change| change.object.clone()).collect();
    let contents = git.contents(&objects)?;
    let contents: HashMap<&str, &[u8]> =
        objects.iter().map(String::as_str).zip(contents.iter().map(Vec::as_slice)).collect();
    let mut last = None;
    for change in changes {
        let Some(stem) = change.path.strip_suffix(".yaml") else { continue };
        if last != Some(change.commit_index) {
            history.times.push(change.time);
            last = Some(change.commit_index);
        }
        let now = u32::try_from(history.times.len() - 1).unwrap_or(u32::MAX);
        let content = String::from_utf8_lossy(contents.get(&*change.object).unwrap_or(&&[][..]));
        if let Some(minor) = stem.strip_prefix("build-suggestions/") {
            let text = content.into_owned();
            history.suggestions.push(Suggestions { minor: minor.to_owned(), since: now, text });
            continue;
        }
        if !history.joined.contains_key(stem) {
            history.joined.insert(stem.to_owned(), HashMap::new());
        }
        if let Some(joined) = history.joined.get_mut(stem) {
            for version in versions(&content) {
                if !joined.contains_key(version) {
                    joined.insert(version.to_owned(), now);
                }
            }
        }
    }
    Ok(())
}

/// The items of the list `versions` of a channel's file. There are thousands of texts, too many
/// for a YAML parser, so this reads only the notation that the repository has always used.
fn versions(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let item = line.trim_start();
        let Some(item) = item.strip_prefix("- ") else {
            // A key without indentation begins another list.
            if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                inside = line.starts_with("versions:");
            }
            return None;
        };
        let item = item.split(" #").next().unwrap_or(item).trim();
        let item = item.trim_matches(['"', '\'']);
        (inside && item.starts_with(|c: char| c.is_ascii_digit())).then_some(item)
    })
}

#[cfg(test)]
mod tests {
    use super::versions;

    #[test]
    fn versions_are_told_from_tombstones() {
        let text = "name: fast\n# 4.0.0\ntombstones:\n- 4.1.1\nversions:\n- 4.1.0\n  - '4.1.2' # why\n\
                    # - 4.1.3\n- 4.1.4+amd64\nfeeder:\n  - 4.1.5\n";
        assert_eq!(versions(text).collect::<Vec<_>>(), ["4.1.0", "4.1.2", "4.1.4+amd64"]);
    }
}
