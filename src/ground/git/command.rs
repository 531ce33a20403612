//! How git is run: only plumbing commands, and without anything that lets a repository or the
//! environment run other programs.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use super::place::Place;

/// Settings that override the user's and the repository's configuration.
///
/// No hook and no file system monitor may run. Old versions of git take any word, even `false`, as
/// the name of a monitor. A commit graph may contradict the commits.
const SETTINGS: [&str; 4] = [
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.commitGraph=false",
    // This suppresses a hint about the empty file of grafts.
    "advice.graftFileDeprecated=false",
];

/// The content of a commit must not depend on replacements, on grafts, or on the network. Old
/// versions of git ignore the third variable and fetch missing objects, but not if no protocol is
/// allowed.
const VARIABLES: [(&str, &str); 4] = [
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
];

/// How git interprets the paths among its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Paths {
    /// Literally, whatever characters they have.
    Literal,
    Globs,
}

/// A git command in a folder of a repository.
pub(super) fn command(folder: &Path, place: &Place, paths: Paths, arguments: &[&str]) -> Command {
    let mut command = in_folder(folder);
    command.arg(option("--git-dir=", &place.git_dir)).arg(option("--work-tree=", &place.top));
    command.arg(match paths {
        Paths::Literal => "--literal-pathspecs",
        Paths::Globs => "--glob-pathspecs",
    });
    command.args(arguments);
    command
}

/// A git command that searches for its repository. It only serves to find out whether git trusts
/// it.
pub(super) fn searching(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = in_folder(folder);
    command.args(["-c", "safe.bareRepository=explicit"]).args(arguments);
    command
}

/// A git command outside all repositories.
pub(super) fn outside(arguments: &[&str]) -> Command {
    let mut command = in_folder(Path::new("/"));
    command.arg("--git-dir=/dev/null").args(arguments);
    command
}

fn in_folder(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.args(["--no-pager", "--no-optional-locks"]);
    clean_environment(&mut command);
    command
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

/// Removes variables that would make git use another repository, as git hooks set them, or run
/// other programs. Variables that allow a repository of another owner stay.
fn clean_environment(command: &mut Command) {
    let is_of_git = |name: &OsStr| name.to_string_lossy().starts_with("GIT_");
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_git(name)) {
        command.env_remove(name);
    }
    let safe = safe_directories(&|name| std::env::var(name).ok());
    command.env("GIT_CONFIG_COUNT", safe.len().to_string());
    for (at, folder) in safe.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), "safe.directory");
        command.env(format!("GIT_CONFIG_VALUE_{at}"), folder);
    }
    command.envs(VARIABLES).env("LC_ALL", "C");
}

/// The most settings to read from the environment.
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

#[cfg(test)]
mod tests {
    use super::{SETTINGS, VARIABLES, safe_directories};

    #[test]
    fn the_action_asks_git_in_the_same_way() {
        let action = include_str!("../../../action.yml");
        for setting in SETTINGS {
            assert!(action.contains(&format!("-c {setting} ")), "{setting}");
        }
        for (name, value) in VARIABLES {
            assert!(action.contains(&format!("{name}={value}")), "{name}");
        }
    }

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
}
