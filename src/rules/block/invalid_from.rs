//! A `from` that is no regular expression.

use crate::graph_data::Kind;
use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP104",
    name: "invalid-from",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that does not compile as a regular expression",
    explanation: "\
The service compiles `from` with Rust's `regex` library, which has no look-around
and no back-references. A pattern that does not compile makes it drop the file,
and the updates are offered to everyone.",
    bad: "from: 4[.]13[.](?!3).*",
    good: "from: 4[.]13[.]([0-24-9]|[1-9][0-9]).*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let file = subject.file;
    if file.kind != Kind::BlockedEdge {
        return;
    }
    let Some((document, node)) = file.document().and_then(|d| Some((d, d.top("from")?))) else {
        return;
    };
    let Some(pattern) = document.text(node) else { return };
    let Some(error) = subject.data.patterns.error(pattern) else { return };
    let span = match &error.at {
        None => subject.span(node),
        Some(at) => subject
            .data
            .span_within(file.id, node, at.clone())
            .unwrap_or_else(|| subject.span(node)),
    };
    findings.push(
        Finding::at(
            &RULE,
            span,
            format!("`from` does not compile, so the service drops this file and offers the updates to everyone: {}", error.why),
        )
        .help(help(&error.why)),
    );
}

fn help(why: &str) -> &'static str {
    if why.contains("look-around") || why.contains("backreference") {
        "the service's regex library has no look-around and no back-references: list what is meant"
    } else if why.contains("repetition") {
        "`*` repeats what stands before it; any text at all is `.*`"
    } else if why.contains("unclosed") || why.contains("unopened") {
        "every `(`, `[` and `{` needs its partner; a literal one is written `[(]`"
    } else {
        "use the syntax of Rust's regex library"
    }
}
