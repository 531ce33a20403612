//! Finding the repository that a command is about.

use std::path::{Component, Path, PathBuf};

use super::Failure;

/// A repository, and the paths in it that were asked about.
#[derive(Debug)]
pub(crate) struct Repository {
    /// Its folder.
    pub root: PathBuf,
    /// Files and folders relative to it; none for the whole.
    pub paths: Vec<String>,
    /// The folder as seen from the working directory, ending in `/`; empty for that itself.
    pub prefix: String,
}

const MARKS: [&str; 3] = ["version", "channels", "blocked-edges"];

impl Repository {
    /// The repository that a command line names, or the nearest from here upwards.
    pub(crate) fn find(
        repo: Option<&Path>,
        paths: &[PathBuf],
        has_revision: bool,
    ) -> Result<Self, Failure> {
        let here = here()?;
        let root = match (repo, paths) {
            (Some(repo), _) => folder(&here, repo)?,
            (None, [only]) if has_a_mark(only) || has_revision && is_alone(&here, only) => {
                folder(&here, only)?
            }
            (None, []) => nearest(&here).map_or_else(
                || if has_revision { Ok(here.clone()) } else { Err(none_from(&here)) },
                Ok,
            )?,
            (None, [first, ..]) => nearest_of(&here, first)?,
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

    /// Whether a path is, or lies in, one that was asked about.
    pub(crate) fn asks_about(&self, path: &str) -> bool {
        self.paths.is_empty()
            || self.paths.iter().any(|asked| {
                path.strip_prefix(asked.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

/// The working directory.
pub(crate) fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|e| Failure::new(format!("cannot determine the working directory: {e}")))
}

/// Whether a folder lies in no repository that can be seen in the work tree.
fn is_alone(here: &Path, folder: &Path) -> bool {
    folder.is_dir() && nearest(&absolute(here, folder)).is_none()
}

fn has_a_mark(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).exists())
}

/// The nearest repository that a path lies in.
pub(crate) fn nearest(from: &Path) -> Option<PathBuf> {
    // One part may be missing: that is a finding, and not a reason to look elsewhere.
    let is_repository =
        |folder: &&Path| MARKS.iter().filter(|mark| folder.join(mark).exists()).count() >= 2;
    from.ancestors().find(is_repository).map(Path::to_owned)
}

fn nearest_of(here: &Path, path: &Path) -> Result<PathBuf, Failure> {
    let absolute = absolute(here, path);
    if let Some(root) = nearest(&absolute) {
        return Ok(root);
    }
    match absolute.symlink_metadata() {
        Err(_) => Err(Failure::new(format!("there is no file or folder {}", path.display()))),
        Ok(_) => Err(none_from(&absolute)),
    }
}

fn folder(here: &Path, path: &Path) -> Result<PathBuf, Failure> {
    if path.is_dir() {
        return Ok(absolute(here, path));
    }
    let what = if path.exists() { "is not a folder" } else { "does not exist" };
    Err(Failure::new(format!("{} {what}", path.display())))
}

fn none_from(folder: &Path) -> Failure {
    let what = format!("no graph-data repository in {} or above it", folder.display());
    Failure::new(what).hint(
        "one holds `version`, `channels/` and `blocked-edges/`; name its folder with `--repo DIR`",
    )
}

/// The path from the root of the file system, `.` and `..` taken out as written.
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
