//! A file that is not valid YAML.

use crate::graph_data::{FileKind, NoDocument};
use crate::text::Span;
use crate::text::words::counted;
use crate::yaml::{Cause, SyntaxError};

use crate::rules::shared::files::conflict_markers;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP002",
    name: "yaml-syntax",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::File,
    severity: Severity::Error,
    summary: "a file that is not valid YAML",
    explanation: "\
The service drops a file that it cannot parse. For a block or a risk, it writes a line
to its log and offers the updates to all clusters. For a channel, it does not even log a
line, and it tells all clusters in the channel that their version is not found.",
    bad: "\
to: 4.14.3
\tfrom: 4[.]13[.].*",
    good: "\
to: 4.14.3
from: 4[.]13[.].*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let kind = subject.file.kind;
    if !kind.is_data() || matches!(kind, FileKind::SchemaVersion | FileKind::RawMetadata) {
        return;
    }
    let text = subject.text();
    match &subject.file.document {
        // `merge-conflict` reports the cause.
        Err(NoDocument::Syntax(_)) if !conflict_markers(text).is_empty() => {}
        Err(NoDocument::Syntax(error)) => findings.push(finding(subject, error)),
        Err(NoDocument::Aliases) => {
            let all = Span::new(subject.file.id, 0..0);
            findings.push(
                Finding::at(&RULE, all, "the aliases in this file refer to themselves, or expand to far more than the file contains")
                    .help("write out the values; data files do not need `&` and `*`"),
            );
        }
        _ => {}
    }
}

fn finding(subject: &Subject<'_>, error: &SyntaxError) -> Finding {
    let text = subject.text();
    let start = text[..error.offset].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let FaultInWords { what, help } = match &error.cause {
        Cause::ColonInText => continued(text, error.offset),
        Cause::Indentation => unknown_indentation(text, error.offset),
        cause => typical(cause, line.trim_end()),
    }
    .unwrap_or_else(|| words(&error.cause));
    let span = Span::new(subject.file.id, rest_of_line(text, error.offset));
    Finding::at(&RULE, span, what).help(help)
}

/// A syntax error in words.
struct FaultInWords {
    what: String,
    help: String,
}

impl FaultInWords {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

/// A syntax error in a line with a typical mistake.
fn typical(cause: &Cause, line: &str) -> Option<FaultInWords> {
    let (what, help) = match cause {
        Cause::NeitherKeyNorItem if line == "=======" => (
            "this line is left over from a merge conflict",
            "choose between the two versions, and delete the marker line",
        ),
        Cause::NeitherKeyNorItem if line.contains(|c: char| c.is_whitespace() && !c.is_ascii()) => {
            (
                "this line has a space that is not an ordinary one, such as a no-break space",
                "replace it with an ordinary space; it may have come with pasted text",
            )
        }
        Cause::Indicator if line.ends_with(": *") => return Some(words(&Cause::UnknownAlias)),
        Cause::UnknownAlias if line.trim_start().starts_with("<<:") => (
            "`<<` merges a mapping that has an anchor, but there is no such anchor above",
            "write out the keys; data files do not need `&` and `*`",
        ),
        _ => return None,
    };
    Some(FaultInWords::new(what, help))
}

/// A key that is indented below a key that already has a value.
fn continued(text: &str, offset: usize) -> Option<FaultInWords> {
    let start = text[..offset].rfind('\n')? + 1;
    let key = text[start..offset].trim();
    let above = text[..start].lines().rfind(|line| !line.trim().is_empty())?;
    let (item, rest) = content(above);
    let (name, value) = rest.split_once(": ")?;
    let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_deeper = text[start..].starts_with(&" ".repeat(item + 1));
    if !is_deeper || !is_name(key) || !is_name(name) || value.starts_with(['|', '>']) {
        return None;
    }
    let what = format!(
        "`{key}` is indented more than `{name}` above it, so YAML reads it as a part of the value of `{name}`"
    );
    let help = format!("indent it by {}, like `{name}`", counted(item, "space"));
    Some(FaultInWords { what, help })
}

/// A line whose indentation is between those of the lines above.
fn unknown_indentation(text: &str, offset: usize) -> Option<FaultInWords> {
    let start = text[..offset].rfind('\n')? + 1;
    let own = text[start..].len() - text[start..].trim_start_matches(' ').len();
    let mut levels: Vec<usize> = Vec::new();
    for line in text[..start].lines().rev().filter(|line| !line.trim().is_empty()) {
        let (item, _) = content(line);
        let dash = line.len() - line.trim_start_matches(' ').len();
        for level in [item, dash] {
            if levels.last().is_none_or(|last| level < *last) {
                levels.push(level);
            }
        }
    }
    let less = levels.iter().filter(|level| **level < own).max()?;
    let more = levels.iter().filter(|level| **level > own).min();
    let fitting = match more {
        Some(more) => format!("{less} or {}", counted(*more, "space")),
        None => counted(*less, "space"),
    };
    let what = format!(
        "this line is indented by {}, which matches no line above it",
        counted(own, "space")
    );
    let help = format!("indent it by {fitting}, like the lines that it belongs to");
    Some(FaultInWords { what, help })
}

/// The column of a line's content after the `- ` of a list item, and the content.
fn content(line: &str) -> (usize, &str) {
    let rest = line.trim_start_matches(' ');
    let rest = rest.strip_prefix("- ").map_or(rest, |item| item.trim_start_matches(' '));
    (line.len() - rest.len(), rest)
}

fn words(cause: &Cause) -> FaultInWords {
    let (what, help) = match cause {
        Cause::Tab => {
            ("this line is indented with a tab, but YAML allows only spaces there", "use spaces")
        }
        Cause::ControlCharacter(c) => {
            let what = format!("YAML does not allow the control character U+{:04X}", u32::from(*c));
            let help = "delete it; it may have come with text pasted from a terminal";
            return FaultInWords::new(what, help);
        }
        Cause::TooDeep => (
            "lists and mappings are nested deeper here than any YAML reader allows",
            "data files need at most four levels",
        ),
        Cause::TooManyValues => {
            ("the file has more than a million values", "the largest real data file has 2,000")
        }
        Cause::UnclosedQuote => {
            ("unclosed quote", "add the closing quote, or remove the opening quote")
        }
        Cause::UnclosedBracket => (
            "a `[` or `{` opens here or above, but is never closed",
            "close it; if a pattern starts with it, put the pattern in single quotes",
        ),
        Cause::Escape => (
            "in double quotes, `\\` starts an escape, but this is not a valid escape",
            "put the text in single quotes, where `\\` is an ordinary character",
        ),
        Cause::NeitherKeyNorItem => (
            "this is neither a key followed by `: ` nor a list item that starts with `- `",
            "add the missing colon, dash, or space; if the line belongs to a text, indent it more",
        ),
        Cause::Indicator => (
            "a character here has a special meaning in YAML",
            "put the whole text in single quotes",
        ),
        Cause::AfterClosing => (
            "something follows the end of the quoted text or list",
            "put all of it in the quotes; in single quotes, write an apostrophe twice",
        ),
        Cause::ColonInText => (
            "a `:` followed by a space starts a mapping, but a mapping cannot start here",
            "put the text in quotes, or check for a missing colon in the line above or wrong indentation",
        ),
        Cause::UnknownAlias => (
            "`*` starts an alias, but there is no anchor with that name above",
            "to match any text, write `.*`; put any other text that starts with `*` in quotes",
        ),
        Cause::Indentation => (
            "the indentation of this line does not match any line above it",
            "align it with the lines that it belongs to",
        ),
        Cause::Other(words) => {
            let help = "check this line and the one above for a missing colon, quote, or bracket";
            return FaultInWords::new(format!("this is not valid YAML: {words}"), help);
        }
    };
    FaultInWords::new(what, help)
}

/// The range from the fault to the end of its line. It has at least one character.
fn rest_of_line(text: &str, offset: usize) -> std::ops::Range<usize> {
    let rest = &text[offset..];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_end();
    offset..offset + line.len().max(rest.chars().next().map_or(0, char::len_utf8))
}
