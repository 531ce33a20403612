//! A `from` that matches no origin of its target.

use crate::graph_data::{GraphData, Minor};

use super::origins::{copies, listed, ranges};
use super::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP105",
    name: "from-never-applies",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that matches releases, but none that can update to its `to`",
    explanation: "\
Updates lead from older releases of the same minor, and from those of the minor
before. A pattern that matches other releases only has no update to stop; mostly
the file was copied to another minor and the pattern was not.",
    bad: "\
to: 4.15.2
from: 4[.]13[.].*",
    good: "\
to: 4.15.2
from: 4[.]14[.].*",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        if !copies.pattern.reach.as_ref().is_some_and(|reach| reach.any) {
            continue;
        }
        let idle: Vec<_> = copies
            .edges
            .iter()
            .filter_map(|edge| {
                Some((edge.to.as_ref()?, edge.target.as_ref()?, edge.from.as_ref()?))
            })
            .filter(|(_, target, _)| {
                // A minor whose origins no channel names cannot be judged.
                !data.releases.possible_origins(target).is_empty()
                    && copies.origins_of(data, target).next().is_none()
            })
            .collect();
        let Some((_, target, from)) = idle.first() else { continue };
        let names = idle.iter().map(|(to, ..)| format!("`{}`", shortened(&to.value))).collect();
        let minor = Minor::of(target);
        let origins = match data.releases.minor_before(minor) {
            Some(before) => format!("{before} and {minor}"),
            None => minor.to_string(),
        };
        let message = format!(
            "`from` matches no release that can update to {}: those are older ones of {origins}",
            listed(names),
        );
        let is_found = |served: &str| {
            copies.pattern.walk.as_ref().is_some_and(|walk| walk.explain(served).is_some())
        };
        let matched = data.releases.iter().filter(|(_, release)| is_found(&release.served));
        let matched: Vec<_> = matched.map(|(id, _)| id).collect();
        let help = match ranges(data, &matched) {
            matched if matched.is_empty() => {
                "was this file copied to another minor, and `from` not edited?".to_owned()
            }
            matched => format!(
                "was this file copied to another minor, and `from` not edited? It matches {matched}"
            ),
        };
        let finding = Finding::at(&RULE, from.span, message).help(help);
        let others = idle[1..].iter();
        findings.push(others.fold(finding, |finding, (_, _, from)| {
            finding.related(from.span, "the same pattern, as idle")
        }));
    }
}
