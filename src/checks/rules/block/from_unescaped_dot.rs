//! A `.` in a `from` that stands for a dot, next to dots that are written as such.

use std::collections::BTreeSet;

use crate::domain::Minor;
use crate::graph_data::{GraphData, Match};
use crate::rules::shared::patterns::{PatternGroup, pattern_groups};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP120",
    name: "from-unescaped-dot",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Info,
    summary: "a `.` for a dot in a `from`, although similar patterns escape it",
    explanation: "\
In a regular expression, `.` matches any character. Here it only ever matches a dot, so
the pattern is right today, and can be wrong with the next release: `4.1.` also matches
4.11. The pattern itself, another one of the risk, or the pattern of another block in the
minor escapes its dots.",
    bad: "from: ^4.13[.].*$",
    good: "from: ^4[.]13[.].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let groups: Vec<PatternGroup<'_>> = pattern_groups(data).collect();
    let careful: BTreeSet<Sibling<'_>> =
        groups.iter().filter(|group| has_escaped_dot(group)).flat_map(siblings).collect();
    for group in &groups {
        let dots = group.pattern.walk.as_ref().map_or(&[][..], |walk| walk.dots());
        let Some(first) = dots.first() else { continue };
        let is_careful = siblings(group).iter().any(|sibling| careful.contains(sibling));
        // `from-wild-dot` reports a `.` that matches another character.
        if !is_careful || group.has_match(Match::Dot) {
            continue;
        }
        let span = group.span(first.clone());
        let finding = Finding::at(&RULE, span, "this `.` matches any character, not only a dot")
            .help(format!(
                "escape it, as similar patterns do: `{}`",
                group.escaped().unwrap_or_else(|| "[.]".to_owned())
            ));
        findings.push(group.with_other_declarations(finding));
    }
}

/// The other patterns that the author of a pattern has probably compared it with.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sibling<'a> {
    OfRisk(&'a str),
    OfMinor(Minor),
}

fn siblings<'a>(group: &PatternGroup<'a>) -> Vec<Sibling<'a>> {
    if let Some(name) = &group.first.name {
        return vec![Sibling::OfRisk(&name.value)];
    }
    let targets = group.edges().filter_map(|edge| edge.target.as_ref());
    targets.map(|target| Sibling::OfMinor(Minor::of(target))).collect()
}

fn has_escaped_dot(group: &PatternGroup<'_>) -> bool {
    group.from.value.contains("[.]") || group.from.value.contains("\\.")
}
