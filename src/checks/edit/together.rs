//! Writes several files: all of them, or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::{Failure, printable};

use super::interrupts::Interrupts;
use super::write::{draft_name, expect_text, make_like, new_file};

/// A file to create, change, or remove.
#[derive(Debug)]
pub(crate) struct FileEdit<'f> {
    pub path: PathBuf,
    /// None: the file does not exist.
    pub old: Option<&'f str>,
    /// None: the file is removed.
    pub new: Option<&'f str>,
    /// The file whose owner and permissions a new file gets.
    pub like: Option<PathBuf>,
}

/// Writes all files, or none: everything is written beside them first, and then renamed. A signal
/// that would end the program waits for the renames, and a failure undoes them.
pub(crate) fn write_together(edits: &[FileEdit<'_>]) -> Result<(), Failure> {
    let interrupts = Interrupts::hold();
    let prepared = prepare(edits);
    if let Some(signal) = interrupts.received() {
        drop(prepared);
        Interrupts::end_by(signal);
        return Err(Failure::new("interrupted: nothing is written"));
    }
    let mut prepared = prepared?;
    for at in 0..prepared.len() {
        if let Err(error) = prepared[at].place() {
            let failure = failure(&prepared[at].edit.path, &error);
            let undone = prepared[..at].iter_mut().rev().map(Prepared::undo);
            let failed = undone.filter(Result::is_err).count();
            return Err(match failed {
                0 => failure,
                _ => failure.or_hint("some files could not be restored: `git status` lists them"),
            });
        }
    }
    Ok(())
}

/// What is ready beside each file. The drafts of what is not placed are removed at the end.
fn prepare<'e>(edits: &'e [FileEdit<'e>]) -> Result<Vec<Prepared<'e>>, Failure> {
    let ready =
        edits.iter().map(|edit| Prepared::of(edit).map_err(|error| failure(&edit.path, &error)));
    ready.collect()
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    let name = path.display().to_string();
    Failure::new(format!("cannot write {}: {error}", printable(&name))).hint("nothing is written")
}

#[derive(Debug)]
struct Prepared<'e> {
    edit: &'e FileEdit<'e>,
    /// The new text, or after a removal the old file.
    draft: PathBuf,
    is_placed: bool,
}

impl<'e> Prepared<'e> {
    fn of(edit: &'e FileEdit<'e>) -> io::Result<Self> {
        let draft = edit.path.with_file_name(draft_name(&edit.path));
        let is_folder =
            |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
        if edit.path.parent().is_some_and(|folder| !is_folder(folder)) {
            return Err(io::Error::other("its folder is missing, or a link"));
        }
        edit.expect_old()?;
        let prepared = Self { edit, draft, is_placed: false };
        if let Some(new) = edit.new {
            let mut file = new_file(&prepared.draft, edit.old.is_none())?;
            io::Write::write_all(&mut file, new.as_bytes())?;
            let like = edit.old.map(|_| &edit.path).or(edit.like.as_ref());
            if let Some(like) = like {
                make_like(&file, &fs::metadata(like)?)?;
            }
            file.sync_all()?;
        }
        Ok(prepared)
    }

    fn place(&mut self) -> io::Result<()> {
        self.edit.expect_old()?;
        match self.edit.new {
            Some(_) => fs::rename(&self.draft, &self.edit.path)?,
            None => fs::rename(&self.edit.path, &self.draft)?,
        }
        self.is_placed = true;
        Ok(())
    }

    fn undo(&mut self) -> io::Result<()> {
        self.is_placed = false;
        match (self.edit.old, self.edit.new) {
            (_, None) => fs::rename(&self.draft, &self.edit.path),
            (None, Some(_)) => fs::remove_file(&self.edit.path),
            (Some(old), Some(new)) => super::replace(&self.edit.path, new, old),
        }
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        // The draft of a written file has been renamed by now. The draft of a removed file is the
        // old file.
        let is_leftover = match self.edit.new {
            Some(_) => !self.is_placed,
            None => self.is_placed,
        };
        if is_leftover {
            let _ = fs::remove_file(&self.draft);
        }
    }
}

impl FileEdit<'_> {
    /// Fails unless the file is as it was read.
    fn expect_old(&self) -> io::Result<()> {
        let Some(old) = self.old else {
            let is_free = fs::symlink_metadata(&self.path).is_err();
            return if is_free { Ok(()) } else { Err(io::Error::other("it exists already")) };
        };
        if fs::symlink_metadata(&self.path)?.permissions().readonly() {
            return Err(io::Error::other("it is read-only"));
        }
        expect_text(&self.path, old)
    }
}
