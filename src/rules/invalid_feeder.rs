//! A feeder that the promotion bot cannot use.

use crate::schema::{Fault, Problem};
use crate::yaml::Kind;

use super::{Check, Family, Finding, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP305",
    name: "invalid-feeder",
    aliases: &[],
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a feeder whose delay, errata, name or filter the promotion bot cannot read",
    explanation: "\
The service passes over `feeder`; the bot that promotes releases lives by it. It
reads a `delay` of whole weeks (`P1W`) or of days and hours (`P4D`, `PT48H`), and
`errata: public`. With anything else nothing more is promoted to this channel.",
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
    let absent = subject.document()?.kind(fault.node) == Kind::Null;
    let mine = match fault.problem {
        Problem::Pattern => fault.part == "delay",
        Problem::NotOneOf { .. } => fault.part == "errata",
        Problem::Empty => true,
        Problem::Type => absent,
        _ => false,
    };
    if !fault.pointer.starts_with("/feeder/") || !mine {
        return None;
    }
    let key = fault.pointer.rsplit('/').next().unwrap_or_default();
    let help = match key {
        "delay" => "write whole weeks (`P1W`), or days and hours (`P4D`, `PT48H`)",
        "errata" => "`public` is the only value; leave the key out if releases need not wait for their erratum",
        "filter" => "write a regular expression that a promoted release's whole version matches",
        _ => "name the channel that releases are promoted from",
    };
    let written = subject.quoted(fault.node);
    let what = if written.is_empty() { format!("`{key}` is empty, which is nothing") } else { format!("`{written}` is not a {key}") };
    let span = subject.visible_span(fault.node, &fault.pointer);
    Some(Finding::at(&RULE, span, format!("{what} that the promotion bot understands, so nothing more is promoted here")).help(help))
}
