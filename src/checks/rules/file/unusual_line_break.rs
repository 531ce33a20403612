//! A character that only some readers treat as the end of a line.

use crate::graph_data::FileKind;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::text::Span;

pub(super) static RULE: Rule = Rule {
    code: "EP009",
    name: "unusual-line-break",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Error,
    summary: "a line break that only some readers recognize: U+0085, U+2028, or U+2029",
    explanation: "\
The service's parser ends a line at these three characters. Newer readers and most
editors do not. What looks like one line is two lines in production: a pattern loses its
end, a key loses its value, or the file does not load at all. These characters come with
text copied from web pages and word processors.",
    bad: "from: 4[.]13[.].*\\u2028# the rest of the line",
    good: "from: 4[.]13[.].*    # the rest of the line",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let kind = subject.file.kind;
    if !kind.is_data() || matches!(kind, FileKind::SchemaVersion | FileKind::RawMetadata) {
        return;
    }
    let text = subject.text();
    // Nearly all files are ASCII, and the three characters are not.
    if text.is_ascii() {
        return;
    }
    let is_break = |c: &char| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    let Some((at, found)) = text.char_indices().find(|(_, c)| is_break(c)) else { return };
    let message = format!(
        "the service's parser ends the line at this U+{:04X}, but other readers do not",
        u32::from(found)
    );
    let span = Span::new(subject.file.id, at..at + found.len_utf8());
    findings.push(
        Finding::at(&RULE, span, message).help("replace it with an ordinary space or line break"),
    );
}
