//! Prints changes of files as a difference for `git apply`.

use std::io::Write;

use crate::edit;
use crate::report::Style;
use crate::session::ChangedFile;
use crate::text::{Failure, is_printable, printable};

use super::Stop;

/// The old and the new text of a file. None: there is no file.
pub(super) struct ChangedText<'f> {
    pub(super) path: &'f str,
    pub(super) old: Option<&'f str>,
    pub(super) new: Option<&'f str>,
}

impl<'f> From<&'f ChangedFile> for ChangedText<'f> {
    fn from(file: &'f ChangedFile) -> Self {
        Self { path: &file.path, old: Some(&file.old), new: Some(&file.new) }
    }
}

pub(super) fn preview<'f, F: Into<ChangedText<'f>>>(
    files: impl IntoIterator<Item = F>,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let diffs = files.into_iter().map(|file| {
        let ChangedText { path, old, new } = file.into();
        edit::unified_diff(path, old, new)
    });
    let diffs: String = diffs.collect();
    if style.terminal {
        write!(out, "{}", without_control_characters(&diffs))?;
        return Ok(());
    }
    // `git apply` needs each line as it is.
    if let Some((line, c)) = diffs.lines().find_map(|line| Some((line, unprintable(line)?))) {
        let (line, code) = (printable(line), u32::from(c));
        let what = format!("the difference has the character U+{code:04X}: {line}");
        let hint = "without `--diff`, the files are changed, and `git diff` shows them";
        return Err(Failure::new(what).hint(hint).into());
    }
    if std::env::var_os("GITHUB_ACTIONS").is_some() && !diffs.is_empty() {
        write!(out, "{}", without_commands(&diffs))?;
    } else {
        write!(out, "{diffs}")?;
    }
    Ok(())
}

/// A character that a terminal or a page would not show. The byte order mark changes nothing.
fn unprintable(line: &str) -> Option<char> {
    line.chars().find(|c| !is_printable(*c) && !matches!(c, '\t' | '\r' | '\u{FEFF}'))
}

fn without_control_characters(diff: &str) -> String {
    let mut shown = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let parts = line.trim_end_matches(['\r', '\n']).split('\t').map(printable);
        shown.push_str(&parts.collect::<Vec<_>>().join("\t"));
        shown.push('\n');
    }
    shown
}

/// Tells GitHub to run no commands until it sees a word that the diff does not contain. `git apply`
/// ignores these two lines.
fn without_commands(diff: &str) -> String {
    let words = (0..).map(|number| format!("end-of-diff-{number}"));
    let word = words.into_iter().find(|word| !diff.contains(word.as_str())).unwrap_or_default();
    format!("::stop-commands::{word}\n{diff}::{word}::\n")
}
