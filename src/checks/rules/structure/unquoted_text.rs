//! Text that some readers treat as a number or a boolean.

use crate::graph_data::FileKind;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP024",
    name: "unquoted-text",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Warning,
    summary: "text without quotes that YAML readers treat as a number or a boolean",
    explanation: "\
The service reads the value as text, exactly as written. The maintainers' Python
scripts, editors, and most other tools read a number or a boolean, and lose the original
spelling: `4.10` becomes 4.1, and `no` becomes false.

In the `name`, `url`, or `message` of a risk it is an error: the repository's presubmit refuses the
file.",
    bad: "from: 4.10",
    good: "from: \"4.10\"",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let written = subject.document()?.kind(fault.node);
    if fault.problem != Problem::Type
        || !matches!(written, ValueKind::Number | ValueKind::Boolean)
        || subject.file.kind == FileKind::RawMetadata
        || !expects_text(&fault.part)
    {
        return None;
    }
    let span = subject.span(fault.node);
    let text = subject.quoted(fault.node);
    let message =
        format!("expected text, but many tools read `{text}` as {}", written.with_article());
    // The repository's presubmit expects text and refuses the file.
    let is_refused = subject.file.kind == FileKind::BlockedEdge
        && matches!(fault.part.as_str(), "message" | "name" | "url");
    let severity = if is_refused { Severity::Error } else { RULE.severity };
    let finding = Finding::at(&RULE, span, message).severity(severity).help("put it in quotes");
    if fault.part == "url" {
        // No fix: quotes would make it text, but not a URL.
        return Some(finding);
    }
    let written = subject.data.sources.slice(span);
    Some(finding.fix("put it in quotes", span, format!("\"{written}\"")))
}

fn expects_text(part: &str) -> bool {
    !matches!(
        part,
        "" | "version"
            | "rule"
            | "promql"
            | "feeder"
            | "ranges"
            | "metadata"
            | "clusters"
            | "matchingRules"
            | "versions"
    )
}
