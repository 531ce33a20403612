//! A version that is not SemVer.

use crate::domain::version;
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

use crate::rules::shared::words::effect_of_bad_value;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP025",
    name: "invalid-version",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Error,
    summary: "a version that is not SemVer",
    explanation: "\
Releases have full SemVer versions as names: three numbers without leading zeros,
optionally followed by a pre-release and build metadata (`4.15.0-rc.1`, `4.2.16+amd64`).
One invalid version makes the service drop the whole file. If the file is a channel, the
service does not serve the channel.

The service accepts a few texts that clusters reject (`4.1.0-01`). This rule also
reports those, because one such node makes all clusters reject the response that contains
it.",
    bad: "\
name: stable-4.10
versions:
- 4.10",
    good: "\
name: stable-4.10
versions:
- 4.10.3",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let document = subject.document()?;
    let kind = document.kind(fault.node);
    let is_scalar = !matches!(kind, ValueKind::List | ValueKind::Mapping);
    match (fault.part.as_str(), &fault.problem) {
        ("version" | "versionList" | "versionListOrAll", Problem::Pattern) => {}
        ("version", Problem::Type) if is_scalar => {}
        _ => return None,
    }
    let text = document.text(fault.node).unwrap_or_default();
    let wrong = if fault.part == "version" { text } else { first_wrong(text) };
    let why = version::fault(wrong).unwrap_or_else(|| "its numbers are too large".to_owned());
    let span = subject.visible_span(fault.node, &fault.pointer);
    let effect = effect_of_bad_value(subject.file.kind, &fault.pointer);
    let message = match wrong.trim() {
        "" => format!("a version is missing here, {effect}"),
        wrong => format!("`{}` is not a version ({why}), {effect}", shortened(wrong)),
    };
    let finding =
        Finding::at(&RULE, span, message).help("write the full version, as X.Y.Z or X.Y.Z-pre.N");
    Some(match corrected(wrong).filter(|_| fault.part == "version") {
        Some(corrected) => subject.renaming(finding, fault.node, &corrected),
        None => finding,
    })
}

/// The first item of a comma-separated list that is not a version.
fn first_wrong(list: &str) -> &str {
    list.split(',').map(str::trim).find(|item| version::parse(item).is_none()).unwrap_or(list)
}

/// The intended version, if it is certain: the same without a `v` or whitespace.
fn corrected(text: &str) -> Option<String> {
    let plain = text.trim().trim_start_matches(['v', 'V']);
    version::parse(plain).map(|version| version.to_string())
}
