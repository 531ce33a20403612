//! Flags in a pattern that the service joins with others.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, SetFlags};

use crate::graph_data::{GraphData, Walk};
use crate::rules::shared::patterns::pattern_groups;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP113",
    name: "from-inline-flags",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "flags such as `(?i)` or `(?x)` in a `from`",
    explanation: "\
The service joins the patterns of all declarations for one target with `|`. Flags
in one of them also apply to the patterns after it, and with `(?x)` a `#` turns those
patterns into a comment. Versions need no flags.",
    bad: "from: (?i)4[.]13[.].*-RC.*",
    good: "from: 4[.]13[.].*-rc.*",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        let text = group.from.value.as_str();
        if !text.contains("(?") || text.len() > Walk::LONGEST {
            continue;
        }
        let Ok(ast) = Parser::new().parse(text) else { continue };
        let Some(flags) = flags_outside_groups(&ast) else { continue };
        let at = flags.span.start.offset..flags.span.end.offset;
        let message = format!(
            "the flags `{}` also apply to the patterns that the service adds after this one",
            &text[at.clone()]
        );
        let finding = Finding::at(&RULE, group.span(at), message).help(format!(
            "write the pattern without flags{}; versions are lowercase ASCII on one line",
            group.with(&[])
        ));
        findings.push(group.with_other_declarations(finding));
    }
}

/// The first flags outside of any group. A group limits the effect of its flags.
fn flags_outside_groups(ast: &Ast) -> Option<&SetFlags> {
    match ast {
        Ast::Flags(flags) => Some(flags),
        Ast::Concat(concat) => concat.asts.iter().find_map(flags_outside_groups),
        Ast::Alternation(alternation) => alternation.asts.iter().find_map(flags_outside_groups),
        _ => None,
    }
}
