//! Finds the repository of a folder. git can search for it, too, but what it finds depends on its
//! version, and some versions mistake a folder of the data for a repository.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::owner::is_ours;

use super::GitError;

/// A repository with a work tree.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder of the work tree.
    pub top: PathBuf,
    /// The folder with git's data for this work tree only: its index and its `HEAD`.
    pub git_dir: PathBuf,
    /// The folder with git's data that all work trees share: the objects and the branches.
    pub common_dir: PathBuf,
}

/// git's error if there is no repository.
pub(super) const NO_REPOSITORY: &str = "not a git repository";

/// The largest size of a file in which git names a folder.
const LONGEST_NAME: u64 = 8 << 10;

impl Place {
    /// Finds the repository of a folder.
    pub(super) fn of(folder: &Path) -> Result<Self, GitError> {
        let folder = absolute(folder).map_err(|error| GitError::Failed(error.to_string()))?;
        for top in folder.ancestors() {
            if let Some(git_dir) = git_dir(top) {
                return Self::checked(top, git_dir);
            }
            if is_git_dir(top) {
                return Err(GitError::Refused {
                    why: format!("cannot use bare repository {}", top.display()),
                    help: Some(
                        "its configuration could run programs: check a clone of it".to_owned(),
                    ),
                });
            }
        }
        Err(GitError::Failed(NO_REPOSITORY.to_owned()))
    }

    fn checked(top: &Path, git_dir: PathBuf) -> Result<Self, GitError> {
        let common_dir = named_in(&git_dir.join("commondir"), "", &git_dir);
        let common_dir = common_dir.unwrap_or_else(|| git_dir.clone());
        let read_always = [
            git_dir.join("HEAD"),
            git_dir.join("index"),
            git_dir.join("config.worktree"),
            common_dir.join("config"),
            common_dir.join("packed-refs"),
        ];
        // git would block on a pipe.
        match read_always.iter().find(|file| fs::metadata(file).is_ok_and(|it| !it.is_file())) {
            None => Ok(Self { top: top.to_owned(), git_dir, common_dir }),
            Some(file) => {
                let why = format!("{} is not a regular file", file.display());
                Err(GitError::Refused { why, help: None })
            }
        }
    }

    /// The file that exists while git changes the index or the work tree.
    #[cfg(feature = "serve")]
    pub(crate) fn lock(&self) -> PathBuf {
        self.git_dir.join("index.lock")
    }

    /// Whether the repository takes objects from another one.
    pub(crate) fn has_foreign_objects(&self) -> bool {
        self.common_dir.join("objects/info/alternates").exists()
    }

    /// Whether all parts belong to the user who runs this program, as far as the system can tell.
    pub(super) fn is_ours(&self) -> bool {
        let parts = [&self.top, &self.top.join(".git"), &self.git_dir];
        cfg!(unix) && parts.iter().all(|part| is_ours(part))
    }
}

/// The folder that the entry `.git` of a folder stands for.
fn git_dir(top: &Path) -> Option<PathBuf> {
    let mark = top.join(".git");
    let git_dir = named_in(&mark, "gitdir: ", top).or_else(|| absolute(&mark).ok())?;
    is_git_dir(&git_dir).then_some(git_dir)
}

/// The folder that a file of git names after a certain word.
fn named_in(file: &Path, word: &str, base: &Path) -> Option<PathBuf> {
    fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    let mut text = String::new();
    File::open(file).ok()?.take(LONGEST_NAME).read_to_string(&mut text).ok()?;
    let name = text.strip_prefix(word)?.trim_end_matches(['\r', '\n']);
    absolute(&base.join(name)).ok()
}

/// Whether git accepts a folder as the folder of a repository.
fn is_git_dir(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).exists();
    folder.join("HEAD").symlink_metadata().is_ok()
        && (has("commondir") || has("objects") && has("refs"))
}

/// The path without symbolic links. git cannot read the prefix `\\?\` of Windows.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    let plain = path.to_str().filter(|_| cfg!(windows)).and_then(|path| path.strip_prefix(r"\\?\"));
    Ok(plain.map(PathBuf::from).unwrap_or(path))
}
