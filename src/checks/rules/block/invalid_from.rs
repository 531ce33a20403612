//! A `from` that is not a regular expression.

use crate::graph_data::{FileKind, PatternError};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP104",
    name: "invalid-from",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a `from` that does not compile as a regular expression",
    explanation: "\
The service compiles `from` with Rust's `regex` library, which does not support
look-around or backreferences. If a pattern does not compile, the service drops the file
and offers the updates to all clusters.",
    bad: "from: 4[.]13[.](?!3).*",
    good: "from: 4[.]13[.]([0-24-9]|[1-9][0-9]).*",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let file = subject.file;
    if file.kind != FileKind::BlockedEdge {
        return;
    }
    let Some((document, node)) = file.document().and_then(|d| Some((d, d.top("from")?))) else {
        return;
    };
    let Some(pattern) = document.text(node) else { return };
    let Some(PatternError::Invalid { why, at }) = subject.data.patterns.error(pattern) else {
        return;
    };
    let span = match at {
        None => subject.span(node),
        Some(at) => subject.data.span_within(file.id, node, at.clone()),
    };
    findings.push(
        Finding::at(
            &RULE,
            span,
            format!("invalid regular expression: {why}. The service drops this file and offers the updates to all clusters"),
        )
        .help(help(why)),
    );
}

fn help(why: &str) -> &'static str {
    if why.contains("look-around") || why.contains("backreference") {
        "the service's regex library does not support look-around or backreferences: list what you mean"
    } else if why.contains("repetition") {
        "`*` repeats what comes before it; to match any text, write `.*`"
    } else if why.contains("unclosed") || why.contains("unopened") {
        "each `(`, `[`, and `{` needs its matching bracket; write a literal one as `[(]`"
    } else if why.contains("range") {
        "write the smaller end of the range first"
    } else {
        "use the syntax of Rust's regex library"
    }
}
