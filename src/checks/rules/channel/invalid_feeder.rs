//! A feeder that the promotion bot cannot use.

use crate::graph_data::FileKind;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};
use crate::text::words::{list_all, quoted};
use crate::yaml::ValueKind;

pub(super) static RULE: Rule = Rule {
    code: "EP305",
    name: "invalid-feeder",
    properties: Properties::USUAL,
    family: Family::Channel,
    severity: Severity::Error,
    summary: "a feeder whose delay, errata, name, or filter the promotion bot cannot read",
    explanation: "\
The service ignores `feeder`, but the bot that promotes releases needs it. The bot reads
a `delay` of whole weeks (`P1W`) or of days and hours (`P4D`, `PT48H`), and
`errata: public`. With anything else, the bot promotes nothing more to this channel.",
    bad: "\
feeder:
  name: fast
  filter: 4[.]14[.][0-9].*
  delay: 1 week",
    good: "\
feeder:
  name: fast
  filter: 4[.]14[.][0-9].*
  delay: P1W",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    // Other rules report unknown keys and text without quotes in any mapping.
    let written = subject.document()?.kind(fault.node);
    let has_other_rule = match fault.problem {
        Problem::UnknownKey { .. } => true,
        Problem::Type => {
            fault.pointer != "/feeder" && matches!(written, ValueKind::Number | ValueKind::Boolean)
        }
        _ => false,
    };
    if !is_feeder(subject, fault) || has_other_rule {
        return None;
    }
    let key = fault.pointer.rsplit('/').next().unwrap_or_default();
    let help = match key {
        "delay" => "write whole weeks (`P1W`), or days and hours (`P4D`, `PT48H`)",
        "errata" => {
            "`public` is the only value; remove the key if releases do not need to wait for their erratum"
        }
        "filter" => {
            "write a regular expression that matches the whole version of a promoted release"
        }
        _ => "a feeder has a `name`, and can have a `filter`, a `delay`, and `errata`",
    };
    let text = subject.quoted(fault.node);
    let what = match &fault.problem {
        Problem::MissingKeys { keys, .. } => {
            format!("the feeder has no {}", list_all(&quoted(keys), "and"))
        }
        Problem::Type if !matches!(written, ValueKind::Null) => {
            format!("`{key}` is {}", written.with_article())
        }
        _ if text.is_empty() => format!("`{key}` is empty"),
        _ => format!("`{key}` is `{text}`"),
    };
    let span = match subject.document()?.entries(fault.node).first() {
        Some(first) => subject.span(first.key),
        None => subject.visible_span(fault.node, &fault.pointer),
    };
    let message =
        format!("{what}, which the promotion bot cannot use: it promotes nothing more here");
    Some(Finding::at(&RULE, span, message).help(help))
}

fn is_feeder(subject: &Subject<'_>, fault: &Fault) -> bool {
    matches!(subject.file.kind, FileKind::Channel | FileKind::InternalChannel)
        && (fault.pointer == "/feeder" || fault.pointer.starts_with("/feeder/"))
}
