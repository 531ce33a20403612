//! Finds the repository that a command is about.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::coverage::Metric;
use crate::lint::Config;
use crate::text::Failure;

#[derive(Debug)]
pub(crate) struct Repository {
    pub root: PathBuf,
    /// Relative to the root. Empty for the whole repository.
    pub paths: Vec<String>,
    /// The root relative to the working directory, ending in `/`. Empty if they are the same
    /// folder.
    pub prefix: String,
}

const PARTS: [&str; 3] = ["version", "channels", "blocked-edges"];

impl Repository {
    /// The repository that the command line names, or the nearest one at or above the working
    /// directory.
    pub(crate) fn find(
        repo: Option<&Path>,
        paths: &[PathBuf],
        has_revision: bool,
    ) -> Result<Self, Failure> {
        let here = working_directory()?;
        let root = match (repo, paths) {
            (Some(repo), _) => existing_folder(&here, repo)?,
            (None, [only])
                if has_a_part(only) || has_revision && is_outside_repositories(&here, only) =>
            {
                existing_folder(&here, only)?
            }
            (None, []) => nearest_repository(&here).map_or_else(
                || if has_revision { Ok(here.clone()) } else { Err(no_repository(&here)) },
                Ok,
            )?,
            (None, [first, ..]) => repository_of(&here, first)?,
        };
        let mut inside = Vec::new();
        for path in paths {
            let absolute = absolute(&here, path);
            if absolute == root {
                continue;
            }
            if !has_revision && absolute.symlink_metadata().is_err() {
                return Err(Failure::new(format!("there is no file or folder {}", path.display())));
            }
            let Ok(relative) = absolute.strip_prefix(&root) else {
                let what =
                    format!("{} is not in the repository {}", path.display(), root.display());
                return Err(Failure::new(what).hint("check one repository at a time"));
            };
            inside.push(relative.to_string_lossy().replace('\\', "/"));
        }
        let prefix = match root.strip_prefix(&here) {
            Ok(below) if below.as_os_str().is_empty() => String::new(),
            Ok(below) => format!("{}/", below.to_string_lossy().replace('\\', "/")),
            Err(_) => String::new(),
        };
        Ok(Self { root, paths: inside, prefix })
    }

    /// Whether the user named this path or a folder that contains it.
    pub(crate) fn is_asked_about(&self, path: &str) -> bool {
        self.paths.is_empty()
            || self.paths.iter().any(|asked| {
                path.strip_prefix(asked.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

pub(crate) fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::new(format!("cannot determine the working directory: {e}")))
}

/// Whether no repository of the work tree contains the folder. At a git revision, one still may.
fn is_outside_repositories(here: &Path, folder: &Path) -> bool {
    folder.is_dir() && nearest_repository(&absolute(here, folder)).is_none()
}

fn has_a_part(folder: &Path) -> bool {
    PARTS.iter().any(|part| folder.join(part).exists())
}

/// The nearest repository that contains a path.
pub(crate) fn nearest_repository(from: &Path) -> Option<PathBuf> {
    // Two of the parts are enough: a missing part is a finding, not a reason to look elsewhere.
    let is_repository =
        |folder: &&Path| PARTS.iter().filter(|part| folder.join(part).exists()).count() >= 2;
    from.ancestors().find(is_repository).map(Path::to_owned)
}

/// What the repository around the working directory says about metrics.
pub(crate) fn described_metrics() -> Result<BTreeMap<String, Metric>, Failure> {
    match nearest_repository(&working_directory()?) {
        Some(root) => Ok(Config::read(&root)?.metrics),
        None => Ok(BTreeMap::new()),
    }
}

fn repository_of(here: &Path, path: &Path) -> Result<PathBuf, Failure> {
    let absolute = absolute(here, path);
    if let Some(root) = nearest_repository(&absolute) {
        return Ok(root);
    }
    match absolute.symlink_metadata() {
        Err(_) => Err(Failure::new(format!("there is no file or folder {}", path.display()))),
        Ok(_) => Err(no_repository(&absolute)),
    }
}

fn existing_folder(here: &Path, path: &Path) -> Result<PathBuf, Failure> {
    if path.is_dir() {
        return Ok(absolute(here, path));
    }
    let what = if path.exists() { "is not a folder" } else { "does not exist" };
    Err(Failure::new(format!("{} {what}", path.display())))
}

fn no_repository(folder: &Path) -> Failure {
    let what = format!("no graph-data repository in {} or above it", folder.display());
    Failure::new(what).hint(
        "a repository contains `version`, `channels/`, and `blocked-edges/`; name its folder with `--repo DIR`",
    )
}

/// An absolute path. Resolves `.` and `..` by name, without following links.
pub(crate) fn absolute(here: &Path, path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                absolute.pop();
            }
            part => absolute.push(part),
        }
    }
    absolute
}
