//! Reads a history from git, commit by commit.

use crate::domain::{HashMap, HashSet};
use crate::git::{Commit, FileChange, Git, GitError};

use crate::text::MAX_FILE;

use super::{FOLDERS, History, Suggestions};

/// The folder of the ranges.
const RANGES: &str = "build-suggestions/";
/// How many bytes of files to keep in memory at a time.
const MOST_BYTES: u64 = 64 << 20;

/// Extends a history by later commits.
pub(super) fn extended(
    mut history: History,
    git: &Git,
    commits: &[Commit],
) -> Result<History, GitError> {
    let mut changes = git.changes(commits, &FOLDERS)?;
    changes.retain(|change| {
        // Ranges on a branch are not used to build releases.
        let is_proposed_range = !change.is_on_mainline && change.path.starts_with(RANGES);
        change.path.strip_suffix(".yaml").is_some() && !is_proposed_range
    });
    let sizes = sizes(git, &changes)?;
    // A file over the limit is not a data file, and counts as an empty one.
    let size = |change: &FileChange| {
        sizes.get(&change.object).copied().filter(|size| *size <= MAX_FILE).unwrap_or(0)
    };
    let (mut rest, mut last_commit) = (changes.as_slice(), None);
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|change| {
            let is_first = bytes == 0;
            bytes += size(change);
            is_first || bytes <= MOST_BYTES
        });
        let count = fits.count().max(1);
        let (batch, others) = rest.split_at(count);
        add(git, &mut history, &mut last_commit, batch, &|change| size(change) > 0)?;
        rest = others;
    }
    Ok(history)
}

fn sizes(git: &Git, changes: &[FileChange]) -> Result<HashMap<String, u64>, GitError> {
    let objects: HashSet<&String> = changes.iter().map(|change| &change.object).collect();
    let mut objects: Vec<String> = objects.into_iter().cloned().collect();
    objects.sort_unstable();
    let sizes = git.sizes(&objects)?;
    Ok(objects.into_iter().zip(sizes).collect())
}

/// Adds changes. They must be in order.
fn add(
    git: &Git,
    history: &mut History,
    last_commit: &mut Option<usize>,
    changes: &[FileChange],
    is_read: &dyn Fn(&FileChange) -> bool,
) -> Result<(), GitError> {
    let mut seen = HashSet::default();
    let objects = changes.iter().filter(|change| is_read(change));
    let objects = objects.filter(|change| seen.insert(change.object.as_str()));
    let objects: Vec<String> = objects.map(|change| change.object.clone()).collect();
    let contents = git.contents(&objects)?;
    let contents: HashMap<&str, &[u8]> =
        objects.iter().map(String::as_str).zip(contents.iter().map(Vec::as_slice)).collect();
    for change in changes {
        let Some(stem) = change.path.strip_suffix(".yaml") else { continue };
        let content = String::from_utf8_lossy(contents.get(&*change.object).unwrap_or(&&[][..]));
        if !change.is_on_mainline {
            history.propose(&content, change.time);
            continue;
        }
        if *last_commit != Some(change.commit_index) {
            history.times.push(change.time);
            *last_commit = Some(change.commit_index);
        }
        let now = u32::try_from(history.times.len() - 1).unwrap_or(u32::MAX);
        match stem.strip_prefix(RANGES) {
            Some(minor) => {
                let (minor, text) = (minor.to_owned(), content.into_owned());
                history.suggestions.push(Suggestions { minor, since: now, text });
            }
            None => history.join(stem, &content, now),
        }
    }
    Ok(())
}

impl History {
    /// Adds the releases of a channel's file.
    fn join(&mut self, channel: &str, content: &str, now: u32) {
        if !self.joined.contains_key(channel) {
            self.joined.insert(channel.to_owned(), HashMap::default());
        }
        let Some(joined) = self.joined.get_mut(channel) else { return };
        for version in versions(content) {
            if !joined.contains_key(version) {
                joined.insert(version.into(), now);
            }
        }
    }

    /// Adds the releases of a channel's file in a commit off the mainline.
    fn propose(&mut self, content: &str, time: i64) {
        for version in versions(content) {
            match self.proposed.get_mut(version) {
                Some(known) => *known = time.min(*known),
                None => {
                    self.proposed.insert(version.into(), time);
                }
            }
        }
    }
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
    fn only_the_list_of_versions_is_read() {
        let text = "name: fast\n# 4.0.0\ntombstones:\n- 4.1.1\nversions:\n- 4.1.0\n  - '4.1.2' # why\n\
                    # - 4.1.3\n- 4.1.4+amd64\nfeeder:\n  - 4.1.5\n";
        assert_eq!(versions(text).collect::<Vec<_>>(), ["4.1.0", "4.1.2", "4.1.4+amd64"]);
    }
}
