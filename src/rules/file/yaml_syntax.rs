//! A file that is not YAML.

use crate::graph_data::{Kind, NoDocument};
use crate::text::Span;
use crate::yaml::{Cause, SyntaxError};

use super::merge_conflict::conflict_markers;
use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP002",
    name: "yaml-syntax",
    aliases: &[],
    family: Family::File,
    severity: Severity::Error,
    summary: "a file that is not YAML",
    explanation: "\
The service drops a file that it cannot parse. For a block or a risk there is a
line in its log, and the updates are offered to everyone. For a channel there is
not even that: every cluster in it is told that its version is not found.",
    bad: "\
to: 4.14.3
\tfrom: 4[.]13[.].*",
    good: "\
to: 4.14.3
from: 4[.]13[.].*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if matches!(subject.file.kind, Kind::Stray | Kind::SchemaVersion | Kind::RawMetadata) {
        return;
    }
    let text = subject.text();
    match &subject.file.document {
        // The markers are the cause, and have a finding of their own.
        Err(NoDocument::Syntax(_)) if !conflict_markers(text).is_empty() => {}
        Err(NoDocument::Syntax(error)) => findings.push(finding(subject, error)),
        Err(NoDocument::Aliases) => {
            let all = Span::new(subject.file.id, 0..0);
            findings.push(
                Finding::at(&RULE, all, "the aliases in this file stand for themselves, or for far more than is written")
                    .help("write the values out; no data file needs `&` and `*`"),
            );
        }
        _ => {}
    }
}

fn finding(subject: &Subject<'_>, error: &SyntaxError) -> Finding {
    let (what, help) = words(&error.cause);
    let span = Span::new(subject.file.id, shown(subject.text(), error.offset));
    Finding::at(&RULE, span, what).help(help)
}

fn words(cause: &Cause) -> (String, String) {
    let (what, help) = match cause {
        Cause::Tab => ("a tab indents this line, and YAML allows only spaces there", "use spaces"),
        Cause::ControlCharacter(c) => {
            let what =
                format!("the control character U+{:04X} may not stand in YAML", u32::from(*c));
            return (what, "delete it; it may have come with text pasted from a terminal".into());
        }
        Cause::TooDeep => (
            "lists and mappings are nested deeper here than any reader of YAML allows",
            "no data file needs more than four levels",
        ),
        Cause::UnclosedQuote => ("unclosed quote", "close it, or leave both out"),
        Cause::UnclosedBracket => (
            "a `[` or `{` is opened here or above, and never closed",
            "close it; a pattern that begins with one goes into single quotes",
        ),
        Cause::Escape => (
            "`\\` begins an escape in double quotes, and this is none",
            "put the text in single quotes, where `\\` is an ordinary character",
        ),
        Cause::NeitherKeyNorItem => (
            "this is neither a key with a `: ` after it nor a list item with a `- ` before it",
            "is a colon, a dash or the space after it missing, or does the line belong to a text and need more indentation?",
        ),
        Cause::Indicator => (
            "a character here means something in YAML that the text does not mean",
            "put the whole text in single quotes",
        ),
        Cause::AfterClosing => (
            "the quoted text or list has ended, and something follows it",
            "put all of it into the quotes; an apostrophe in single quotes is written twice",
        ),
        Cause::ColonInText => (
            "a `:` followed by a space begins a mapping, and none can begin here",
            "put the text in quotes; or is a colon missing in the line above, or the indentation wrong?",
        ),
        Cause::UnknownAlias => (
            "`*` begins an alias, and no anchor of that name stands above",
            "put the text in quotes: a pattern that begins with `*` is read as an alias",
        ),
        Cause::Indentation => (
            "the indentation of this line fits nothing above it",
            "line it up with the lines it belongs to",
        ),
        Cause::Other(words) => {
            let help = "check this line and the one above for a missing colon, quote or bracket";
            return (format!("this is not YAML: {words}"), help.to_owned());
        }
    };
    (what.to_owned(), help.to_owned())
}

/// From the fault to the end of its line, or the fault's own character.
fn shown(text: &str, offset: usize) -> std::ops::Range<usize> {
    let rest = &text[offset..];
    let line = rest.split(['\n', '\r']).next().unwrap_or_default().trim_end();
    offset..offset + line.len().max(rest.chars().next().map_or(0, char::len_utf8))
}
