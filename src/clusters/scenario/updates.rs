//! Reads updates in the maintainers' notation, as `exitpath graph --format edges` prints them:
//!
//! ```text
//! 4.17.9 -> 4.17.10 -> 4.18.1
//! 4.17.9 -(risks: RiskA, RiskB)-> 4.17.11
//! ```

use crate::text::Failure;

/// An update of a scenario, with the names of its risks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenUpdate {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) risks: Vec<String>,
    /// Whether no cluster sees it.
    pub(super) is_blocked: bool,
}

const BLOCK: &str = "SILENT-BLOCK";

/// The updates, in the order written. The error has the number of its line.
pub(super) fn read(text: &str) -> Result<Vec<WrittenUpdate>, Failure> {
    let mut updates = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            add(line, &mut updates)
                .map_err(|why| why.at(format!("line {} of `updates`", nth + 1)))?;
        }
    }
    Ok(updates)
}

/// Adds the updates of a line, which is a chain of releases and arrows.
fn add(line: &str, updates: &mut Vec<WrittenUpdate>) -> Result<(), Failure> {
    let no_arrow = || format!("`{line}` is not an update: write `4.17.9 -> 4.18.1`");
    let mut rest = line;
    let mut from: Option<String> = None;
    let mut arrow = (Vec::new(), false);
    loop {
        let end = rest.find(" -").unwrap_or(rest.len());
        let (release, after) = rest.split_at(end);
        let release = release.trim();
        if release.is_empty() || release.contains(char::is_whitespace) {
            return Err(no_arrow().into());
        }
        if let Some(from) = from.replace(release.to_owned()) {
            let (risks, is_blocked) = std::mem::take(&mut arrow);
            updates.push(WrittenUpdate { from, to: release.to_owned(), risks, is_blocked });
        } else if after.is_empty() {
            return Err(no_arrow().into());
        }
        if after.is_empty() {
            return Ok(());
        }
        (arrow, rest) = read_arrow(after.trim_start()).ok_or_else(no_arrow)?;
    }
}

/// Reads an arrow: its risks, whether it is blocked, and the rest of the text.
fn read_arrow(text: &str) -> Option<((Vec<String>, bool), &str)> {
    if let Some(rest) = text.strip_prefix("->") {
        return Some(((Vec::new(), false), rest.trim_start()));
    }
    let (inside, rest) = text.strip_prefix("-(")?.split_once(")->")?;
    let rest = rest.trim_start();
    if inside == BLOCK {
        return Some(((Vec::new(), true), rest));
    }
    let names = inside.strip_prefix("risks:").unwrap_or(inside).split(',').map(str::trim);
    let names: Vec<String> = names.map(str::to_owned).collect();
    (!names.iter().any(String::is_empty)).then_some(((names, false), rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::{WrittenUpdate, read};

    fn update(from: &str, to: &str, risks: &[&str]) -> WrittenUpdate {
        let risks = risks.iter().map(|risk| (*risk).to_owned()).collect();
        WrittenUpdate { from: from.into(), to: to.into(), risks, is_blocked: false }
    }

    #[test]
    fn a_line_is_a_chain_of_updates() {
        let text = "\n4.17.9 -> 4.18.1 -(risks: A, B)-> 4.18.2  # why\n4.17.9 -(A)-> 4.18.2\n";
        assert_eq!(
            read(text).unwrap(),
            [
                update("4.17.9", "4.18.1", &[]),
                update("4.18.1", "4.18.2", &["A", "B"]),
                update("4.17.9", "4.18.2", &["A"]),
            ]
        );
        assert!(read("4.17.9 -(SILENT-BLOCK)-> 4.18.1").unwrap()[0].is_blocked);
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        for text in ["4.17.9", "4.17.9 4.18.1", "4.17.9 ->", "-> 4.18.1", "4.17.9 => 4.18.1"] {
            let why = read(&format!("4.17.9 -> 4.17.10\n{text}")).unwrap_err().to_string();
            assert!(why.starts_with("line 2 of `updates`: "), "{text}: {why}");
        }
        assert!(read("4.17.9 -(risks: )-> 4.18.1").is_err());
    }
}
