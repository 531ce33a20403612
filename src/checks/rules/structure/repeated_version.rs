//! A version listed twice.

use crate::rules::{
    Check, Family, Finding, Properties, Rule, Severity, Subject, repeated, shortened,
};
use crate::schema::{Fault, Problem};
use crate::text::{Edit, Span};

pub(super) static RULE: Rule = Rule {
    code: "EP026",
    name: "repeated-version",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Info,
    summary: "a version listed more than once",
    explanation: "\
This is harmless to the service, which reads the list as a set. It often comes from a
merge or a promotion that went wrong, and the other line may have been meant to say
something else.",
    bad: "\
versions:
- 4.14.3
- 4.14.3",
    good: "\
versions:
- 4.14.3",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.problem != Problem::Repeated {
        return None;
    }
    let items = subject.document()?.items(fault.node);
    let items: Vec<_> = items.iter().filter_map(|item| subject.file.text_of(*item)).collect();
    let groups = repeated(items.iter().map(|item| (item.value.as_str(), item)));
    let first = groups.first()?;
    let again: Vec<_> = groups.iter().flat_map(|group| &group[1..]).collect();
    let version = shortened(&first[0].value);
    let message = match again.len() {
        1 => format!("`{version}` is listed again"),
        2 => format!("`{version}` is listed again, and 1 more line is a repeat"),
        n => format!("`{version}` is listed again, and {} more lines are repeats", n - 1),
    };
    let mut finding = Finding::at(&RULE, first[1].span, message)
        .related(first[0].span, "it is first listed here")
        .about(again.iter().map(|item| item.value.as_str()).collect::<Vec<_>>().join(" "))
        .help("keep one of them");
    for more in again.iter().skip(1).take(5) {
        finding = finding.related(more.span, format!("`{}` is listed again here", more.value));
    }
    // Without the line `versions:`, the channel's releases end up in the list before it.
    if subject.file.is_damaged() {
        return Some(finding.help("correct the other errors of this file first"));
    }
    let edits: Option<Vec<Edit>> =
        again.iter().map(|item| whole_line(subject, item.span)).collect();
    Some(match edits {
        Some(edits) => finding.fix_all("delete the repeated lines", edits),
        None => finding,
    })
}

/// An edit that deletes the line of a list item, if nothing else is on the line.
fn whole_line(subject: &Subject<'_>, item: Span) -> Option<Edit> {
    let text = subject.text();
    let start = text[..item.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[item.end..].find('\n').map_or(text.len(), |at| item.end + at + 1);
    let alone = text[start..item.start].trim().trim_end_matches(['"', '\'']) == "-"
        && text[item.end..end].trim().is_empty();
    alone.then(|| Edit { span: Span::new(item.source, start..end), text: String::new() })
}
