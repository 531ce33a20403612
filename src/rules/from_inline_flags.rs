//! Flags in a pattern that the service joins to others.

use regex_syntax::ast::{Ast, GroupKind};

use crate::graph_data::GraphData;

use super::origins::{copies, syntax};
use super::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP113",
    name: "from-inline-flags",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "flags such as `(?i)` or `(?x)` in a `from`",
    explanation: "\
The service joins the patterns of all declarations for one target with `|`. Flags
that one of them sets are in force for those behind it, and with `(?x)` a `#`
swallows them. Versions need no flags.",
    bad: "from: (?i)4[.]13[.].*-RC.*",
    good: "from: 4[.]13[.].*-rc.*",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let text = copies.from.value.as_str();
        if !text.contains("(?") {
            continue;
        }
        syntax(text, &mut |ast| {
            let span = match ast {
                Ast::Flags(flags) => flags.span,
                Ast::Group(group) => match &group.kind {
                    GroupKind::NonCapturing(flags) if !flags.items.is_empty() => flags.span,
                    _ => return,
                },
                _ => return,
            };
            let at = span.start.offset..span.end.offset;
            let message = "flags in a pattern are in force for the patterns that the service joins behind it too";
            let finding = Finding::at(&RULE, copies.span(data, at), message).help(
                "spell what is meant without flags; versions are lower-case ASCII on one line",
            );
            findings.push(copies.point_at_copies(finding));
        });
    }
}
