//! Runs git with limits. A repository may have a pipe where git expects a file, and a small tree
//! may have more paths than fit on a disk.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::text::read_up_to;

use super::GitError;
use super::command::outside;

/// How long git may take to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimit(Duration);

impl TimeLimit {
    /// The limit for commands that need only a few files.
    pub(super) const SHORT: Self = Self(Duration::from_secs(10));
    /// The limit for commands that need the whole history or the contents of many files.
    pub(super) const LONG: Self = Self(Duration::from_mins(10));
}

/// The most bytes of an answer. The whole history of the real data needs 2.3 MB.
const LONGEST_ANSWER: u64 = 64 << 20;
/// The most bytes of git's error output that are kept.
const LONGEST_WORDS: u64 = 64 << 10;

/// The complete output of git.
pub(super) fn output(
    command: Command,
    limit: TimeLimit,
    lines: &[String],
) -> Result<Vec<u8>, GitError> {
    checked()?;
    let answer = converse(command, limit, lines, |from| read_up_to(LONGEST_ANSWER, from))?;
    let Some(content) = answer.content else {
        let limit = LONGEST_ANSWER >> 20;
        return Err(GitError::Unusable(format!("its answer is longer than {limit} MiB")));
    };
    if answer.status.success() { Ok(content) } else { Err(failed(&answer.words)) }
}

/// Calls `read` with the output of git while git writes it.
pub(super) fn read<T>(
    command: Command,
    lines: &[String],
    read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
) -> Result<T, GitError> {
    checked()?;
    Ok(converse(command, TimeLimit::LONG, lines, read)?.content)
}

struct GitOutput<T> {
    content: T,
    words: String,
    status: ExitStatus,
}

/// Writes lines to git, and reads its output at the same time.
fn converse<T>(
    mut command: Command,
    limit: TimeLimit,
    lines: &[String],
    read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>,
) -> Result<GitOutput<T>, GitError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| GitError::Missing(error.to_string()))?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(GitError::Unusable("cannot connect to it".into()));
    };
    let (over, is_over) = channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = BufWriter::new(stdin);
            // If git stops reading, its output will show that.
            let _ = lines.iter().try_for_each(|line| writeln!(stdin, "{line}"));
        });
        let words = scope.spawn(move || words(stderr));
        let guard = scope.spawn(move || end(child, limit, &is_over));
        let content = read(&mut BufReader::new(stdout));
        // A process whose output is not read to its end would wait forever, so it is stopped.
        let _ = over.send(content.is_ok());
        let (words, status) = (words.join().unwrap_or_default(), guard.join());
        let status = status.map_err(|_| GitError::Unusable("cannot wait for it".into()))??;
        let content = content.map_err(|error| GitError::Failed(error.to_string()))?;
        Ok(GitOutput { content, words, status })
    })
}

fn words(mut from: impl Read) -> String {
    let mut words = Vec::new();
    let _ = (&mut from).take(LONGEST_WORDS).read_to_end(&mut words);
    let _ = io::copy(&mut from, &mut io::sink());
    String::from_utf8_lossy(&words).into_owned()
}

/// Waits for the end of a process, and stops it when its time limit is over.
fn end(
    mut child: Child,
    limit: TimeLimit,
    is_over: &Receiver<bool>,
) -> Result<ExitStatus, GitError> {
    let end = is_over.recv_timeout(limit.0);
    if !matches!(end, Ok(true)) {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| GitError::Unusable(error.to_string()))?;
    match end {
        Err(RecvTimeoutError::Timeout) => {
            let seconds = limit.0.as_secs();
            Err(GitError::Unusable(format!("it did not answer within {seconds} seconds")))
        }
        _ => Ok(status),
    }
}

/// An error with the first line of git's error output. If git refuses the repository, says what to
/// do.
fn failed(words: &str) -> GitError {
    let why = words.trim().lines().next().unwrap_or_default().trim_start_matches("fatal: ");
    let allow = words.lines().map(str::trim).find(|line| line.starts_with("git config "));
    match allow {
        Some(command) => GitError::Refused {
            why: why.to_owned(),
            help: Some(format!("if you trust it: `{command}`")),
        },
        None => GitError::Failed(why.to_owned()),
    }
}

/// Fails if this git runs programs although it is told not to. Its version does not tell, because
/// distributions backport fixes.
fn checked() -> Result<(), GitError> {
    static CHECKED: OnceLock<Result<(), GitError>> = OnceLock::new();
    CHECKED.get_or_init(check).clone()
}

/// Runs a command that git must refuse. If it does not, it runs the harmless program `true`.
fn check() -> Result<(), GitError> {
    let command = outside(&["-c", "protocol.ext.allow=always", "ls-remote", "ext::true"]);
    let answer = converse(command, TimeLimit::SHORT, &[], |from| io::copy(from, &mut io::sink()))?;
    if answer.words.contains("transport 'ext' not allowed") {
        return Ok(());
    }
    let why =
        "this git does not honor GIT_ALLOW_PROTOCOL, so a repository can make it run programs";
    Err(GitError::Unusable(format!("{why}: install git 2.30 or newer")))
}

#[cfg(test)]
mod tests {
    use super::{GitError, failed};

    #[test]
    fn a_refused_repository_comes_with_the_command_that_allows_it() {
        let words = "fatal: detected dubious ownership in repository at '/x'\n\
                     To add an exception for this directory, call:\n\n\
                     \tgit config --global --add safe.directory /x\n";
        let GitError::Refused { why, help } = failed(words) else { unreachable!("refused") };
        assert_eq!(why, "detected dubious ownership in repository at '/x'");
        assert_eq!(
            help.as_deref(),
            Some("if you trust it: `git config --global --add safe.directory /x`")
        );
    }
}
