//! More than one YAML document in a file.

use crate::graph_data::FileKind;
use crate::rules::shared::words::effect_of_bad_value;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::text::Span;
use crate::yaml::Document;

pub(super) static RULE: Rule = Rule {
    code: "EP005",
    name: "several-documents",
    properties: Properties::USUAL,
    family: Family::File,
    severity: Severity::Error,
    summary: "more than one YAML document in a file",
    explanation: "\
A line of `---` after content starts a second document. No reader of this data accepts
more than one document: the service drops the whole file.",
    bad: "\
to: 4.14.3
from: 4[.]13[.].*
---
to: 4.14.4
from: 4[.]13[.].*",
    good: "\
to: 4.14.3
from: 4[.]13[.].*        (and a second file for 4.14.4)",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if !subject.file.kind.is_data() || subject.file.kind == FileKind::SchemaVersion {
        return;
    }
    let Some(start) = subject.document().and_then(Document::second_document) else {
        return;
    };
    let length = subject.text()[start..].lines().next().map_or(0, str::len);
    let span = Span::new(subject.file.id, start..start + length);
    findings.push(
        Finding::at(
            &RULE,
            span,
            format!(
                "a second YAML document starts here, {}",
                effect_of_bad_value(subject.file.kind, "")
            ),
        )
        .help("move each declaration to its own file, and delete this line"),
    );
}
