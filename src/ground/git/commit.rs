//! Makes a commit of a few files with plumbing commands: no hook, filter, or signature runs, and
//! what else is in the index stays.

use std::collections::BTreeMap;

use super::command::Paths;
use super::process::{self, TimeLimit};
use super::{Git, GitError};

/// A file to commit, and its text before the change. None if it did not exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Committed<'f> {
    /// The path relative to the folder.
    pub path: &'f str,
    pub old: Option<&'f str>,
    /// The file that is renamed to this one.
    pub moved_from: Option<&'f str>,
    pub is_removed: bool,
}

/// The object id that stands for no object.
const NOTHING: &str = "0000000000000000000000000000000000000000";

/// The environment may say who the author and the committer are.
const AUTHORS: [&str; 6] = [
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
];

impl Git {
    /// The first file that differs from `HEAD`, in the work tree or in the index.
    pub(crate) fn first_uncommitted(
        &self,
        files: &[Committed<'_>],
    ) -> Result<Option<String>, GitError> {
        let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
        let head = self.commit("HEAD")?;
        let entries = self.list(&head, &paths)?;
        let contents =
            self.contents(&entries.iter().map(|entry| entry.object.clone()).collect::<Vec<_>>())?;
        let known: BTreeMap<&[u8], Vec<u8>> =
            entries.iter().map(|entry| entry.path.as_slice()).zip(contents).collect();
        let differs = |file: &&Committed<'_>| {
            known.get(file.path.as_bytes()).map(Vec::as_slice) != file.old.map(str::as_bytes)
        };
        if let Some(file) = files.iter().find(differs) {
            return Ok(Some(file.path.to_owned()));
        }
        let mut question =
            vec!["diff-index", "--cached", "--name-only", "--relative", "-z", &head, "--"];
        question.extend(&paths);
        let staged = self.ask(&question)?;
        let first = staged.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok((!first.is_empty()).then(|| String::from_utf8_lossy(first).into_owned()))
    }

    /// Fails if a commit would fail: there is no repository, another program uses it, git does not
    /// know who commits, or it could not be kept from running filters.
    pub(crate) fn check_can_commit(&self) -> Result<(), GitError> {
        self.without_filters()?;
        self.commit("HEAD")?;
        if self.place()?.git_dir.join("index.lock").exists() {
            return Err(GitError::Failed("another git process uses the repository".to_owned()));
        }
        let mut question = self.command(Paths::Literal, &["var", "GIT_COMMITTER_IDENT"])?;
        question.envs(authors());
        process::output(question, TimeLimit::SHORT, &[]).map(drop)
    }

    /// Commits files as they are in the work tree, and nothing else. Returns the new commit.
    pub(crate) fn commit_files(
        &self,
        files: &[Committed<'_>],
        message: &str,
    ) -> Result<String, GitError> {
        let location = self.locate("HEAD")?;
        let present = files.iter().filter(|file| !file.is_removed);
        // git takes these paths from the folder of the work tree.
        let paths: Vec<String> =
            present.map(|file| format!("{}{}", location.prefix, file.path)).collect();
        let hash = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
        let hashes =
            process::output(self.command(Paths::Literal, &hash)?, TimeLimit::SHORT, &paths)?;
        let hashes = String::from_utf8_lossy(&hashes).into_owned();
        let mut hashes = hashes.lines();
        let head = location.commit;
        let modes: BTreeMap<Vec<u8>, String> = self
            .list(&head, &files.iter().map(|file| file.path).collect::<Vec<_>>())?
            .into_iter()
            .map(|entry| (entry.path, entry.mode))
            .collect();
        let mut entries = Vec::new();
        for file in files {
            let path = format!("{}{}", location.prefix, file.path);
            entries.push(if file.is_removed {
                format!("0 {NOTHING}\t{path}")
            } else {
                let like = file.moved_from.unwrap_or(file.path);
                let mode = modes.get(like.as_bytes()).map_or("100644", String::as_str);
                format!("{mode} {}\t{path}", hashes.next().unwrap_or(NOTHING))
            });
        }
        let tree = self.tree_with(&head, &entries)?;
        let mut question =
            self.command(Paths::Literal, &["commit-tree", &tree, "-p", &head, "-F", "-"])?;
        question.envs(authors());
        let commit = process::output(question, TimeLimit::SHORT, &[message.to_owned()])?;
        let commit = String::from_utf8_lossy(&commit).trim().to_owned();
        let mut update = self.without_filters()?;
        update.extend(["update-index", "--index-info"].map(str::to_owned));
        let update: Vec<&str> = update.iter().map(String::as_str).collect();
        process::output(self.command(Paths::Literal, &update)?, TimeLimit::SHORT, &entries)?;
        let log = format!("commit: {}", message.lines().next().unwrap_or_default());
        self.ask(&["update-ref", "-m", &log, "HEAD", &commit, &head])?;
        Ok(commit)
    }

    /// Options that turn off all filters. When git writes the index, it compares files that changed
    /// shortly before with it, and would run the filters for this comparison.
    fn without_filters(&self) -> Result<Vec<String>, GitError> {
        let question = ["config", "--name-only", "-z", "--get-regexp", r"^filter\."];
        // git fails if there are none.
        let answer = self.ask(&question).unwrap_or_default();
        let keys = answer.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        let mut options = Vec::new();
        for key in keys.filter(|key| !key.is_empty()) {
            if key.contains('=') {
                let why = format!("its configuration has the filter `{key}`");
                return Err(GitError::Refused { why, help: None });
            }
            let off = if key.ends_with(".required") { "false" } else { "" };
            options.extend(["-c".to_owned(), format!("{key}={off}")]);
        }
        Ok(options)
    }

    /// The tree of a commit with other entries, made in an index of its own.
    fn tree_with(&self, commit: &str, entries: &[String]) -> Result<String, GitError> {
        let index = self.place()?.git_dir.join(format!("exitpath-index-{}", std::process::id()));
        let run = |arguments: &[&str], lines: &[String]| {
            let mut command = self.command(Paths::Literal, arguments)?;
            command.env("GIT_INDEX_FILE", &index);
            process::output(command, TimeLimit::LONG, lines)
        };
        let tree = run(&["read-tree", commit], &[])
            .and_then(|_| run(&["update-index", "--index-info"], entries))
            .and_then(|_| run(&["write-tree"], &[]));
        let _ = std::fs::remove_file(&index);
        Ok(String::from_utf8_lossy(&tree?).trim().to_owned())
    }
}

fn authors() -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    AUTHORS.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}
