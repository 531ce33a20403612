//! Runs the git program. Only `commit` changes the repository, and nothing here the work tree.

mod command;
mod commit;
mod commits;
mod objects;
mod place;
mod process;

pub(crate) use commit::Committed;
pub(crate) use commits::Commit;
#[cfg(feature = "testing")]
pub use objects::next_content;
pub(crate) use place::Place;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::domain::HashMap;

use command::Paths;
use place::NO_REPOSITORY;
use process::TimeLimit;

#[derive(Clone, Debug)]
pub enum GitError {
    Missing(String),
    /// git does not answer, or cannot be run safely.
    Unusable(String),
    /// git returned an error, with this message.
    Failed(String),
    /// The repository cannot be trusted. `help` says what to do.
    Refused {
        why: String,
        help: Option<String>,
    },
}

/// Why git refuses a repository, in a sentence.
pub(crate) fn refusal(why: &str) -> String {
    format!("git refuses this repository: {why}")
}

/// A repository, seen from any folder in it.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    folder: PathBuf,
    place: OnceLock<Result<Place, GitError>>,
}

/// A file of a commit.
#[derive(Clone, Debug)]
pub struct TreeEntry {
    /// `100644`, `120000` for a link, `160000` for a submodule.
    pub mode: String,
    /// The object id of its content.
    pub object: String,
    /// The size in bytes. None for a submodule, and if the content is missing or not asked for.
    pub size: Option<u64>,
    /// The path relative to the folder of `Git`.
    pub path: Vec<u8>,
}

/// A file that a commit adds or changes.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// The index of the commit among the listed commits.
    pub commit_index: usize,
    /// The commit's time in seconds since 1970.
    pub time: i64,
    /// The object id of the file's new content.
    pub object: String,
    /// The path relative to the folder of `Git`.
    pub path: String,
    /// Whether the commit is on the mainline.
    pub is_on_mainline: bool,
}

/// The location of a folder in its repository, and the commit of a revision.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub commit: String,
    /// The folder's path in the repository, ending in `/`. Empty for the root.
    pub prefix: String,
    /// Whether the clone is shallow.
    pub is_shallow: bool,
}

impl Git {
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), place: OnceLock::new() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn is_repository(&self) -> Result<bool, GitError> {
        match self.place() {
            Ok(_) => Ok(true),
            Err(GitError::Failed(words)) if words == NO_REPOSITORY => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// The repository that the folder is in.
    pub(crate) fn place(&self) -> Result<&Place, GitError> {
        self.place.get_or_init(|| self.trusted_place()).as_ref().map_err(Clone::clone)
    }

    fn trusted_place(&self) -> Result<Place, GitError> {
        let place = Place::of(&self.folder)?;
        if !place.is_ours() {
            let question = command::searching(&place.top, &["rev-parse", "--git-dir"]);
            process::output(question, TimeLimit::SHORT, &[])?;
        }
        Ok(place)
    }

    /// The commit of a revision. git never takes the text as an option.
    pub(crate) fn commit(&self, revision: &str) -> Result<String, GitError> {
        Ok(self.locate(revision)?.commit)
    }

    pub(crate) fn locate(&self, revision: &str) -> Result<Location, GitError> {
        let commit = format!("{revision}^{{commit}}");
        let answer = self.ask(&[
            "rev-parse",
            "--is-shallow-repository",
            "--show-prefix",
            "--end-of-options",
            &commit,
        ])?;
        let answer = String::from_utf8_lossy(&answer);
        // git repeats `--end-of-options` in its output.
        let mut lines = answer.lines().filter(|line| *line != "--end-of-options");
        let mut next = || lines.next().unwrap_or_default().to_owned();
        let is_shallow = next() == "true";
        let (prefix, commit) = (next(), next());
        if !is_id(&commit) || lines.next().is_some() {
            return Err(GitError::Failed(format!("`{revision}` is not one commit")));
        }
        Ok(Location { commit, prefix, is_shallow })
    }

    /// When a revision was committed, in seconds since 1970.
    pub(crate) fn date(&self, revision: &str) -> Result<i64, GitError> {
        let commit = self.commit(revision)?;
        let contents = objects::contents(self, &[commit], LONGEST_MESSAGE)?;
        let text = contents.first().map(|content| String::from_utf8_lossy(content));
        let header = text.as_ref().and_then(|text| text.split("\n\n").next()).unwrap_or_default();
        let line = header.lines().find_map(|line| line.strip_prefix("committer "));
        // The line ends with the time and the time zone.
        let time = line.and_then(|line| line.rsplit(' ').nth(1)?.parse().ok());
        time.ok_or_else(|| GitError::Failed("the commit has no date".to_owned()))
    }

    /// The files under `paths` that each commit adds or changes.
    pub(crate) fn changes(
        &self,
        commits: &[Commit],
        paths: &[&str],
    ) -> Result<Vec<FileChange>, GitError> {
        Ok(changes(&self.compare_with_parents(commits, paths)?, commits))
    }

    /// The raw differences between commits and their parents.
    fn compare_with_parents(
        &self,
        commits: &[Commit],
        paths: &[&str],
    ) -> Result<Vec<u8>, GitError> {
        let mut arguments = vec!["diff-tree", "--stdin", "-r", "--root", "--raw", "--no-abbrev"];
        arguments.extend(["--no-renames", "--no-ext-diff", "--no-textconv", "--relative", "-z"]);
        arguments.push("--");
        arguments.extend(paths);
        let line = |commit: &Commit| match &commit.parent {
            Some(parent) => format!("{} {parent}", commit.id),
            None => commit.id.clone(),
        };
        let lines: Vec<String> = commits.iter().map(line).collect();
        process::output(self.command(Paths::Literal, &arguments)?, TimeLimit::LONG, &lines)
    }

    /// All files of a commit under `paths`, which are relative to the folder.
    pub(crate) fn list(&self, commit: &str, paths: &[&str]) -> Result<Vec<TreeEntry>, GitError> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "-l", commit, "--"];
        arguments.extend(paths);
        let answer = self.ask_about_commits(&arguments)?;
        Ok(tree_entries(&answer))
    }

    /// The entries directly in the folder at a commit.
    pub(crate) fn list_top(&self, commit: &str) -> Result<Vec<TreeEntry>, GitError> {
        let answer = self.ask_about_commits(&["ls-tree", "-z", "-l", commit])?;
        Ok(tree_entries(&answer))
    }

    /// The newest commit up to a commit that changes a file whose path matches a pattern. Looks at
    /// first parents only.
    pub(crate) fn last_change(&self, until: &str, glob: &str) -> Result<Option<String>, GitError> {
        let arguments = ["rev-list", "--first-parent", "--max-count=1", until, "--", glob];
        let command = self.command(Paths::Globs, &arguments)?;
        let answer = process::output(command, TimeLimit::LONG, &[])?;
        Ok(String::from_utf8_lossy(&answer).lines().next().map(str::to_owned))
    }

    /// The commits up to a commit that change anything under `paths`, newest first.
    pub(crate) fn commits_below(
        &self,
        until: &str,
        paths: &[&str],
    ) -> Result<Vec<String>, GitError> {
        let mut arguments = vec!["rev-list", "--full-history", "--topo-order", until, "--"];
        arguments.extend(paths);
        let answer = self.ask_about_commits(&arguments)?;
        Ok(String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect())
    }

    /// The files under `paths` that the index has but the work tree omits, as in a sparse checkout.
    /// Their sizes are unknown. Empty outside a repository, or if the repository has no work tree.
    pub(crate) fn omitted(&self, paths: &[&str]) -> Result<Vec<TreeEntry>, GitError> {
        let mut arguments = vec!["ls-files", "-t", "--stage", "-z", "--"];
        arguments.extend(paths);
        let answer = match self.ask(&arguments) {
            Ok(answer) => answer,
            Err(GitError::Failed(words)) if has_no_work_tree(&words) => return Ok(Vec::new()),
            Err(other) => return Err(other),
        };
        Ok(answer.split(|b| *b == 0).filter_map(omitted_entry).collect())
    }

    /// The contents of objects, in the given order. The caller must make sure that they are not too
    /// large.
    pub(crate) fn contents(&self, objects: &[String]) -> Result<Vec<Vec<u8>>, GitError> {
        objects::contents(self, objects, u64::MAX)
    }

    /// Calls `read` with each object's content, in the given order. No content is in memory as a
    /// whole.
    pub(crate) fn read_each<T>(
        &self,
        objects: &[String],
        read: impl FnMut(&mut dyn Read) -> T,
    ) -> Result<Vec<T>, GitError> {
        objects::read_each(self, objects, read)
    }

    /// The sizes of objects in bytes, in the given order.
    pub(crate) fn sizes(&self, objects: &[String]) -> Result<Vec<u64>, GitError> {
        objects::sizes(self, objects)
    }

    /// Like [`Self::sizes`]. None for objects that this clone lacks.
    pub(crate) fn sizes_if_there(&self, objects: &[String]) -> Result<Vec<Option<u64>>, GitError> {
        objects::sizes_if_there(self, objects)
    }

    /// Local and remote branches, at most 100.
    pub(crate) fn branches(&self) -> Result<Vec<String>, GitError> {
        let format = "--format=%(refname:short)";
        let answer =
            self.ask(&["for-each-ref", "--count=100", format, "refs/heads", "refs/remotes"])?;
        Ok(String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect())
    }

    /// The messages of the commits after `since` up to `until`, newest first, with their ids. Reads
    /// a limited number of commits, and a limited length of each.
    pub(crate) fn messages(
        &self,
        since: &str,
        until: &str,
    ) -> Result<Vec<(String, String)>, GitError> {
        let range = format!("{since}..{until}");
        let count = format!("--max-count={MOST_MESSAGES}");
        let answer =
            self.ask_about_commits(&["rev-list", &count, "--end-of-options", &range, "--"])?;
        let commits: Vec<String> =
            String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect();
        let contents = objects::contents(self, &commits, LONGEST_MESSAGE)?;
        let message = |(commit, content): (String, Vec<u8>)| {
            let text = String::from_utf8_lossy(&content).into_owned();
            // An empty line ends the header of a commit.
            let message = text.split_once("\n\n").map_or("", |(_, message)| message);
            (commit, message.to_owned())
        };
        Ok(commits.into_iter().zip(contents).map(message).collect())
    }

    /// The merge base of two commits.
    pub(crate) fn merge_base(&self, a: &str, b: &str) -> Result<String, GitError> {
        let answer = self.ask_about_commits(&["merge-base", a, b])?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// Runs a command that needs a few files, or a commit.
    fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        process::output(self.command(Paths::Literal, arguments)?, TimeLimit::SHORT, &[])
    }

    /// Runs a command that needs the history, or a whole tree.
    fn ask_about_commits(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        process::output(self.command(Paths::Literal, arguments)?, TimeLimit::LONG, &[])
    }

    fn command(&self, paths: Paths, arguments: &[&str]) -> Result<Command, GitError> {
        Ok(command::command(&self.folder, self.place()?, paths, arguments))
    }
}

/// The changes in the output of `diff-tree -z` for the commits in the output of `rev-list`.
#[cfg(feature = "testing")]
pub fn file_changes(commits: &str, output: &[u8]) -> Vec<FileChange> {
    changes(output, &commits::commits(commits))
}

/// The changes in the output of `diff-tree -z`: after each commit's id, a raw line and a path for
/// each file.
fn changes(output: &[u8], commits: &[Commit]) -> Vec<FileChange> {
    let index_of: HashMap<&str, usize> =
        commits.iter().map(|commit| &*commit.id).zip(0..).collect();
    let mut changes = Vec::new();
    let mut commit_index = 0;
    let mut fields = output.split(|b| *b == 0);
    while let Some(field) = fields.next() {
        let Some(raw) = field.strip_prefix(b":") else {
            let id = String::from_utf8_lossy(field);
            commit_index = index_of.get(&*id).copied().unwrap_or(commit_index);
            continue;
        };
        let path = fields.next().unwrap_or_default();
        let raw = String::from_utf8_lossy(raw);
        // Old mode, new mode, old object, new object, status.
        let mut raw = raw.split(' ');
        let is_file = raw.nth(1).is_some_and(|mode| mode.starts_with("100"));
        let Some(object) = raw.nth(1).filter(|_| is_file) else { continue };
        let commit = commits.get(commit_index);
        changes.push(FileChange {
            commit_index,
            time: commit.map_or(0, |commit| commit.time),
            object: object.to_owned(),
            path: String::from_utf8_lossy(path).into_owned(),
            is_on_mainline: commit.is_some_and(|commit| commit.is_on_mainline),
        });
    }
    changes
}

fn is_id(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The files in the output of `ls-tree -z -l`.
pub fn tree_entries(output: &[u8]) -> Vec<TreeEntry> {
    output.split(|b| *b == 0).filter_map(tree_entry).collect()
}

fn tree_entry(line: &[u8]) -> Option<TreeEntry> {
    let tab = line.iter().position(|b| *b == b'\t')?;
    let head = String::from_utf8_lossy(&line[..tab]);
    let mut fields = head.split_ascii_whitespace();
    let mode = fields.next()?.to_owned();
    let object = fields.nth(1)?.to_owned();
    let size = fields.next()?.parse().ok();
    Some(TreeEntry { mode, object, size, path: line[tab + 1..].to_owned() })
}

fn has_no_work_tree(words: &str) -> bool {
    words.starts_with(NO_REPOSITORY)
        || words.starts_with("this operation must be run in a work tree")
}

/// Reads `S MODE OBJECT STAGE`, a tab, and the path. Other letters than `S` mark files that are in
/// the work tree.
fn omitted_entry(line: &[u8]) -> Option<TreeEntry> {
    let tab = line.iter().position(|b| *b == b'\t')?;
    let head = String::from_utf8_lossy(&line[..tab]);
    let mut fields = head.strip_prefix("S ")?.split(' ');
    let (mode, object) = (fields.next()?.to_owned(), fields.next()?.to_owned());
    Some(TreeEntry { mode, object, size: None, path: line[tab + 1..].to_owned() })
}

/// The most commit messages to read.
const MOST_MESSAGES: usize = 1_000;
/// The most bytes of a commit to read.
const LONGEST_MESSAGE: u64 = 64 << 10;
