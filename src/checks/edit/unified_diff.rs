//! Writes a change in the format of `patch` and `git apply`.

use std::fmt::Write;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag, group_diff_ops};

use crate::text::is_printable;

/// How many unchanged lines to show around a change.
const CONTEXT: usize = 3;

/// A unified diff. Empty if the texts are equal. None: there is no file.
pub fn unified_diff<'t>(
    path: &str,
    old: impl Into<Option<&'t str>>,
    new: impl Into<Option<&'t str>>,
) -> String {
    let (old, new): (Option<&str>, Option<&str>) = (old.into(), new.into());
    let name = |side: &str, text: Option<&str>| match text {
        Some(_) => quoted(&format!("{side}/{path}")),
        None => "/dev/null".to_owned(),
    };
    let names = (name("a", old), name("b", new));
    let lines = |text: Option<&'t str>| -> Vec<&'t str> {
        text.unwrap_or_default().split_inclusive('\n').collect()
    };
    let (old, new) = (lines(old), lines(new));
    let mut diff = String::new();
    for hunk in group_diff_ops(changes(&old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        if diff.is_empty() {
            let (old, new) = &names;
            diff = format!("--- {old}\n+++ {new}\n");
        }
        let before = first.old_range().start..last.old_range().end;
        let after = first.new_range().start..last.new_range().end;
        diff.extend(["@@ -", &place(&before), " +", &place(&after), " @@\n"]);
        for op in &hunk {
            let is_kept = op.tag() == DiffTag::Equal;
            push_lines(&mut diff, if is_kept { ' ' } else { '-' }, &old[op.old_range()]);
            if !is_kept {
                push_lines(&mut diff, '+', &new[op.new_range()]);
            }
        }
    }
    diff
}

/// A name as git writes it. If a character could end the name early, it is quoted and escaped.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| is_printable(c) && c != '"' && c != '\\';
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_plain(c) => quoted.push(c),
            c => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Uses one algorithm directly, because `capture_diff` would compile all of them.
fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut changes = Compact::new(Replace::new(Capture::new()), old, new);
    match myers::diff(&mut changes, old, 0..old.len(), new, 0..new.len()) {
        Ok(()) => changes.into_inner().into_inner().into_ops(),
    }
}

/// The first line and the number of lines. For an empty range, the line before it.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn push_lines(diff: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        diff.push(mark);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn a_difference_is_shown_as_git_shows_it() {
        let diff = unified_diff("a.yaml", "to: v1\nfrom: x\n", "to: 1\nfrom: x\n");
        let expected = "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n-to: v1\n+to: 1\n from: x\n";
        assert_eq!(diff, expected);
        assert_eq!(unified_diff("a.yaml", "to: 1\n", "to: 1\n"), "");
    }

    #[test]
    fn names_are_quoted_as_git_quotes_them() {
        let head =
            |path| unified_diff(path, "", "x\n").lines().next().unwrap_or_default().to_owned();
        assert_eq!(head("ä b.yaml"), "--- a/ä b.yaml");
        assert_eq!(head("x\n::error::y"), r#"--- "a/x\012::error::y""#);
        assert_eq!(head("\u{1b}[1m\"\\"), r#"--- "a/\033[1m\"\\""#);
        assert_eq!(head("\u{202e}x"), r#"--- "a/\342\200\256x""#);
    }

    #[test]
    fn a_missing_line_break_and_an_empty_file_are_shown() {
        let ends = unified_diff("a", "to: 1", "to: 1\n");
        let expected =
            "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-to: 1\n\\ No newline at end of file\n+to: 1\n";
        assert_eq!(ends, expected);
        assert_eq!(unified_diff("a", "", "x\n"), "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
    }

    #[test]
    fn distant_changes_are_apart() {
        let old = (1..30).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let new = old.replace("\n5\n", "\nfive\n").replace("\n25\n", "\n");
        let diff = unified_diff("a", old.as_str(), new.as_str());
        assert!(diff.contains("@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"), "{diff}");
        assert!(diff.contains("@@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n"), "{diff}");
    }
}
