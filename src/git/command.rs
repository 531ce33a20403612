//! How git runs: only plumbing, and nothing that a repository or an environment can configure to
//! run other programs.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use super::GitError;

/// Settings that override the user's and the repository's configuration.
///
/// A folder inside the data that looks like a bare repository is not used as one. No hook and no
/// file system monitor runs. A commit graph can say something else than the commits.
const SETTINGS: [&str; 5] = [
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.commitGraph=false",
    // Of the empty file of grafts.
    "advice.graftFileDeprecated=false",
];

/// A git command in a folder. It takes paths as they are, whatever characters they have.
pub(super) fn command(folder: &Path, arguments: &[&str]) -> Command {
    prepared(folder, "--literal-pathspecs", arguments)
}

fn prepared(folder: &Path, paths: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.args(["--no-pager", "--no-optional-locks", paths]).args(arguments);
    clean_environment(&mut command);
    command
}

/// Removes what would make git answer for another repository, as the hooks of git set it, or run
/// other programs. What allows a repository of another owner stays.
fn clean_environment(command: &mut Command) {
    let is_of_git = |name: &OsString| name.to_string_lossy().starts_with("GIT_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_git(name)) {
        command.env_remove(name);
    }
    let safe = safe_directories(&|name| std::env::var(name).ok());
    command.env("GIT_CONFIG_COUNT", safe.len().to_string());
    for (at, folder) in safe.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), "safe.directory");
        command.env(format!("GIT_CONFIG_VALUE_{at}"), folder);
    }
    // The content of a commit must not depend on replacements, on grafts, or on the network. Old
    // versions of git fetch what is missing in spite of the first variable, but not without protocols.
    command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_GRAFT_FILE", "/dev/null");
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("LC_ALL", "C");
}

/// More settings than these are not read from the environment.
const MOST_SETTINGS: usize = 100;

/// The values of `safe.directory` in the environment.
fn safe_directories(variable: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let count = variable("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok()).unwrap_or(0);
    let setting = |at: usize| {
        let key = variable(&format!("GIT_CONFIG_KEY_{at}"))?;
        let value = variable(&format!("GIT_CONFIG_VALUE_{at}"))?;
        key.eq_ignore_ascii_case("safe.directory").then_some(value)
    };
    (0..count.min(MOST_SETTINGS)).filter_map(setting).collect()
}

/// What git prints for some arguments.
pub(super) fn output(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    run(command(folder, arguments))
}

/// What git prints for some arguments, in which paths are patterns.
pub(super) fn output_for_globs(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    run(prepared(folder, "--glob-pathspecs", arguments))
}

fn run(mut command: Command) -> Result<Vec<u8>, GitError> {
    let output =
        command.stdin(Stdio::null()).output().map_err(|e| GitError::Missing(e.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(failed(&String::from_utf8_lossy(&output.stderr)))
}

/// The first line of git's words and, if git refuses a repository, what to do.
fn failed(words: &str) -> GitError {
    let why = words.trim().lines().next().unwrap_or_default().trim_start_matches("fatal: ");
    let allow = words.lines().map(str::trim).find(|line| line.starts_with("git config "));
    let is_bare = why.starts_with("cannot use bare repository");
    let clone =
        is_bare.then(|| "its configuration could run programs: check a clone of it".to_owned());
    match allow.map(|command| format!("if you trust it: `{command}`")).or(clone) {
        Some(help) => GitError::Refused { why: why.to_owned(), help: Some(help) },
        None => GitError::Failed(why.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{GitError, failed, safe_directories};

    #[test]
    fn only_safe_directories_stay_in_the_environment() {
        let variable = |name: &str| {
            let value = match name {
                "GIT_CONFIG_COUNT" => "3",
                "GIT_CONFIG_KEY_0" => "core.sshCommand",
                "GIT_CONFIG_KEY_1" => "Safe.Directory",
                "GIT_CONFIG_KEY_2" => "safe.directory",
                "GIT_CONFIG_VALUE_0" => "evil",
                "GIT_CONFIG_VALUE_1" => "/a",
                "GIT_CONFIG_VALUE_2" => "*",
                _ => return None,
            };
            Some(value.to_owned())
        };
        assert_eq!(safe_directories(&variable), ["/a", "*"]);
        assert_eq!(safe_directories(&|_| None), Vec::<String>::new());
        let many = |name: &str| (name == "GIT_CONFIG_COUNT").then(|| "99999999999".to_owned());
        assert_eq!(safe_directories(&many), Vec::<String>::new());
    }

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
