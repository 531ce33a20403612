//! A risk name that clusters cannot use.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP201",
    name: "risk-name",
    properties: Properties::USUAL,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "a risk name that is not one CamelCase word",
    explanation: "\
Clusters use the name as the reason of a condition, which must be one word of
letters, digits, and `_`. For any other name they show `ExposedToRisks`, and the
administrator has to guess. The repository's presubmit refuses such a name, and requires a
capital letter first. A name that is too long is a warning.",
    bad: "name: example-risk",
    good: "name: ExampleRisk",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.part != "name" {
        return None;
    }
    let name = subject.document()?.text(fault.node)?;
    let what = match fault.problem {
        Problem::Pattern if is_reason(name) => {
            let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
            let is_allowed = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let what = match (is_capital, is_allowed) {
                (false, true) => "must begin with a capital letter",
                (true, _) => "may have letters, digits, and `_` only",
                (false, false) => {
                    "must begin with a capital letter, and may have letters, digits, and `_` only"
                }
            };
            format!("{what}: the repository's presubmit rejects it")
        }
        Problem::Pattern => "is not one word, so clusters cannot show it as a reason".to_owned(),
        Problem::TooLong { limit } => {
            format!("has more than the {limit} characters that clusters can store")
        }
        _ => return None,
    };
    let message = format!("the risk name `{}` {what}", subject.quoted(fault.node));
    let severity = match fault.problem {
        Problem::Pattern => Severity::Error,
        _ => Severity::Warning,
    };
    let finding = Finding::at(&RULE, subject.span(fault.node), message).severity(severity);
    Some(match camel_case(subject.document()?.text(fault.node)?) {
        Some(name) => finding.help(format!("rename it to `{name}` in all files of this risk")),
        None => finding.help("use one CamelCase word, the same in all files of this risk"),
    })
}

/// Whether Kubernetes accepts the name as the reason of a condition.
fn is_reason(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ':');
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(inner)
        && !name.ends_with([',', ':'])
}

fn camel_case(name: &str) -> Option<String> {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty());
    let joined: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    let fits = joined.starts_with(|c: char| c.is_ascii_uppercase()) && joined.len() <= 80;
    (fits && joined != name).then_some(joined)
}
