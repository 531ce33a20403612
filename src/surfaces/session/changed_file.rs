//! A file with a new text.

use std::path::PathBuf;

use crate::edit;
use crate::text::{Failure, printable};

#[derive(Debug)]
pub(crate) struct ChangedFile {
    /// The path for messages.
    pub path: String,
    pub(super) file: PathBuf,
    pub old: String,
    pub new: String,
}

/// Writes the new texts. `verb` is for messages, and says why.
pub(crate) fn write_all<'f>(
    files: impl IntoIterator<Item = &'f ChangedFile>,
    verb: &str,
) -> Result<(), Failure> {
    let mut failed = Vec::new();
    for change in files {
        if let Err(why) = edit::replace(&change.file, &change.old, &change.new) {
            failed.push(format!("cannot {verb} {}: {why}", printable(&change.path)));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::of_lines(&failed.join("\n          "))) }
}
