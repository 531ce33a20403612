//! Gives a risk another name, in its files and their names, and in its tests.

use crate::edit::{KeyLines, scalar};
use crate::graph_data::GraphData;
use crate::risks::TestFile;
use crate::text::{Failure, printable};

use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFiles, only_for_people, other_spelling, paths};
use super::tests_of;

pub(crate) fn rename(data: &GraphData, old: &str, new: &str) -> Result<Plan, Failure> {
    let risk = RiskFiles::of(data, old)?;
    check_new_name(data, new, Some(old))?;
    let taken = paths(data);
    let mut files = Vec::new();
    for file in &risk.files {
        let mut lines = file.lines.clone();
        lines.set("name", &scalar(new));
        let path = renamed_path(file.path, old, new);
        if path == file.path {
            files.push(PlannedFile::changed(file.path, file.text, lines.edited()));
            continue;
        }
        if taken.contains(path.as_str()) {
            return Err(Failure::new(format!("there is already a file {}", printable(&path))));
        }
        files.extend(PlannedFile::moved(file.path, file.text, path, lines.edited()));
    }
    for test in tests_of(data, old) {
        files.extend(renamed_test(data, &test, old, new)?);
    }
    let targets: Vec<&str> = risk.files.iter().map(|file| file.to).collect();
    Ok(Plan::new(files, risk.subject(&targets, &format!("Rename to {new}"))))
}

fn renamed_test(
    data: &GraphData,
    test: &TestFile<'_>,
    old: &str,
    new: &str,
) -> Result<Vec<PlannedFile>, Failure> {
    let path = data.path(test.file.id);
    let old_text = data.sources.get(test.file.id).text();
    let document =
        test.file.document().ok_or_else(|| only_for_people(path, "it cannot be read"))?;
    let mut lines = KeyLines::of(old_text, document).map_err(|why| only_for_people(path, why))?;
    lines.set("risk", &scalar(new));
    let new_path = renamed_path(path, old, new);
    if new_path == path {
        return Ok(vec![PlannedFile::changed(path, old_text, lines.edited())]);
    }
    if data.at_path(&new_path).is_some() {
        return Err(Failure::new(format!("there is already a file {}", printable(&new_path))));
    }
    Ok(PlannedFile::moved(path, old_text, new_path, lines.edited()).into())
}

/// The path with the new name at its end, if it has the old one there.
fn renamed_path(path: &str, old: &str, new: &str) -> String {
    let Some((stem, extension)) = path.rsplit_once('.') else { return path.to_owned() };
    match stem.strip_suffix(old) {
        Some(before) if before.ends_with(['-', '/']) => format!("{before}{new}.{extension}"),
        _ => path.to_owned(),
    }
}

/// The name is a part of file names, which file systems limit.
const LONGEST_NAME: usize = 128;

/// Fails unless a new risk can have this name. `except` is the name that it had.
pub(super) fn check_new_name(
    data: &GraphData,
    name: &str,
    except: Option<&str>,
) -> Result<(), Failure> {
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.len() > LONGEST_NAME {
        return Err(Failure::new(format!("the name of a risk has at most {LONGEST_NAME} letters")));
    }
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) || !is_word(name) {
        let what = format!("`{name}` cannot be the name of a risk");
        return Err(Failure::new(what)
            .hint("a name begins with a capital letter, and has letters, digits, and `_`"));
    }
    let mut names = data.declarations_by_risk().map(|(known, _)| known);
    if names.any(|known| known == name) {
        return Err(Failure::new(format!("there is already a risk `{name}`")));
    }
    if let Some(other) = other_spelling(data, name).filter(|other| Some(*other) != except) {
        let what = format!("`{name}` is nearly the name of another risk, `{other}`");
        return Err(
            Failure::new(what).hint("if it is the same risk, `exitpath risk extend` continues it")
        );
    }
    Ok(())
}
