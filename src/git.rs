//! Runs the git program. Never changes the repository or the work tree.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

#[derive(Debug)]
pub enum GitError {
    Missing(String),
    /// git returned an error, with this message.
    Failed(String),
}

/// A repository, seen from any folder in it.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    folder: PathBuf,
}

#[derive(Clone, Debug)]
pub(crate) struct TreeEntry {
    /// `100644`, `120000` for a link, `160000` for a submodule.
    pub mode: String,
    pub object: String,
    /// The size in bytes. None for a submodule.
    pub size: Option<u64>,
    /// The path relative to the folder of [`Git`].
    pub path: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct FileChange {
    /// The index of the commit among the listed commits, from 1.
    pub commit_index: usize,
    /// The commit's time in seconds since 1970.
    pub time: i64,
    /// The object id of the file's new content.
    pub object: String,
    /// The path relative to the folder of [`Git`].
    pub path: String,
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
    #[must_use]
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The commit of a revision. git never takes the text as an option.
    pub(crate) fn commit(&self, revision: &str) -> Result<String, GitError> {
        let commit = format!("{revision}^{{commit}}");
        let answer =
            self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    pub(crate) fn is_repository(&self) -> Result<bool, GitError> {
        match self.ask(&["rev-parse", "--git-dir"]) {
            Ok(_) => Ok(true),
            Err(GitError::Failed(words)) if words.starts_with("not a git repository") => Ok(false),
            Err(other) => Err(other),
        }
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
        Ok(Location { commit, prefix, is_shallow })
    }

    /// When a revision was committed, in seconds since 1970.
    pub(crate) fn date(&self, revision: &str) -> Result<i64, GitError> {
        let answer =
            self.ask(&["log", "-1", "--format=%ct", "--end-of-options", revision, "--"])?;
        let words = || GitError::Failed("no date".to_owned());
        String::from_utf8_lossy(&answer).trim().parse().map_err(|_| words())
    }

    /// Whether `older` is a first-parent ancestor of `newer`.
    #[must_use]
    pub(crate) fn follows(&self, older: &str, newer: &str) -> bool {
        let range = format!("{older}..{newer}");
        let Ok(answer) = self.ask(&["rev-list", "--first-parent", "--parents", &range, "--"])
        else {
            return false;
        };
        let answer = String::from_utf8_lossy(&answer);
        // The last line is the oldest commit of the range: its id, and the ids of its parents.
        answer.lines().last().is_some_and(|line| line.split(' ').nth(1) == Some(older))
    }

    /// The files under `paths` that each commit after `since` up to `until` adds or changes,
    /// relative to its first parent. Oldest commit first. Without `since`, from the beginning.
    pub(crate) fn first_parent_changes(
        &self,
        since: Option<&str>,
        until: &str,
        paths: &[&str],
    ) -> Result<Vec<FileChange>, GitError> {
        let range = since.map_or_else(|| until.to_owned(), |since| format!("{since}..{until}"));
        let mut arguments = vec!["log", "--first-parent", "-m", "--raw", "--no-abbrev"];
        arguments.extend(["--no-renames", "--relative", "-z", "--format=%x01%ct", "--reverse"]);
        arguments.extend([range.as_str(), "--"]);
        arguments.extend(paths);
        let answer = self.ask(&arguments)?;
        let (mut commit_index, mut time, mut object) = (0, 0, None);
        let mut changes = Vec::new();
        for field in answer.split(|b| *b == 0).map(String::from_utf8_lossy) {
            let field = field.trim_start_matches('\n');
            if let Some(committed) = field.strip_prefix('\u{1}') {
                commit_index += 1;
                time = committed.trim().parse().unwrap_or_default();
            } else if let Some(raw) = field.strip_prefix(':') {
                let mut fields = raw.split(' ');
                let is_file = fields.nth(1).is_some_and(|mode| mode.starts_with("100"));
                object = fields.nth(1).filter(|_| is_file).map(str::to_owned);
            } else if let Some(object) = object.take() {
                changes.push(FileChange { commit_index, time, object, path: field.to_owned() });
            }
        }
        Ok(changes)
    }

    /// All files of a commit under `paths`, which are relative to the folder.
    pub(crate) fn list(&self, commit: &str, paths: &[&str]) -> Result<Vec<TreeEntry>, GitError> {
        let mut arguments = vec!["ls-tree", "-r", "-z", "-l", commit, "--"];
        arguments.extend(paths);
        let answer = self.ask(&arguments)?;
        Ok(answer.split(|b| *b == 0).filter_map(tree_entry).collect())
    }

    pub(crate) fn contents(&self, objects: &[String]) -> Result<Vec<Vec<u8>>, GitError> {
        self.read_objects(objects, u64::MAX)
    }

    /// The contents of many objects, at most `most` bytes of each.
    fn read_objects(&self, objects: &[String], most: u64) -> Result<Vec<Vec<u8>>, GitError> {
        let mut child = self
            .command(&["cat-file", "--batch", "--buffer"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| GitError::Missing(e.to_string()))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| GitError::Failed("no pipes".into()))?;
        let read = thread::scope(|scope| {
            scope.spawn(move || {
                let mut stdin = BufWriter::new(stdin);
                // If git stops reading, its output shows the error.
                let _ = objects.iter().try_for_each(|object| writeln!(stdin, "{object}"));
            });
            let mut stdout = BufReader::new(stdout);
            objects.iter().map(|_| next_object(&mut stdout, most)).collect::<io::Result<Vec<_>>>()
        });
        let _ = child.wait();
        read.map_err(|e| GitError::Failed(e.to_string()))
    }

    /// Local and remote branches, at most 100.
    pub(crate) fn branches(&self) -> Result<Vec<String>, GitError> {
        let format = "--format=%(refname:short)";
        let answer =
            self.ask(&["for-each-ref", "--count=100", format, "refs/heads", "refs/remotes"])?;
        Ok(String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect())
    }

    /// The commit ids and messages of the commits after `since` up to `until`, newest first. Limits
    /// the number of commits and the length of messages.
    pub(crate) fn messages(
        &self,
        since: &str,
        until: &str,
    ) -> Result<Vec<(String, String)>, GitError> {
        let range = format!("{since}..{until}");
        let count = format!("--max-count={MOST_MESSAGES}");
        let answer = self.ask(&["rev-list", &count, "--end-of-options", &range, "--"])?;
        let commits: Vec<String> =
            String::from_utf8_lossy(&answer).lines().map(str::to_owned).collect();
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let contents = self.read_objects(&commits, LONGEST_MESSAGE)?;
        let message = |(commit, content): (String, Vec<u8>)| {
            let text = String::from_utf8_lossy(&content).into_owned();
            // An empty line ends git's own headers of a commit.
            let message = text.split_once("\n\n").map_or("", |(_, message)| message);
            (commit, message.to_owned())
        };
        Ok(commits.into_iter().zip(contents).map(message).collect())
    }

    pub(crate) fn merge_base(&self, a: &str, b: &str) -> Result<String, GitError> {
        let answer = self.ask(&["merge-base", a, b])?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }
    fn ask(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let output = self
            .command(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| GitError::Missing(e.to_string()))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr);
        Err(GitError::Failed(words.trim().trim_start_matches("fatal: ").to_owned()))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-optional-locks").args(arguments);
        // Ignore the user's replacements of objects, and do not fetch missing objects.
        command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_NO_LAZY_FETCH", "1").env("LC_ALL", "C");
        command
    }
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

/// The most commit messages to read.
const MOST_MESSAGES: usize = 1_000;
/// The most bytes of a commit to read.
const LONGEST_MESSAGE: u64 = 64 << 10;

fn next_object(from: &mut impl BufRead, most: u64) -> io::Result<Vec<u8>> {
    let mut head = String::new();
    from.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
    let size =
        size.ok_or_else(|| io::Error::other(format!("object not found: {}", head.trim_end())))?;
    let mut content = Vec::new();
    from.by_ref().take(size.min(most)).read_to_end(&mut content)?;
    io::copy(&mut from.by_ref().take(size.saturating_sub(most)), &mut io::sink())?;
    from.read_exact(&mut [0])?;
    Ok(content)
}
