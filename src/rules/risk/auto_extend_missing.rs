//! A risk with `autoExtend` in one minor and without it in another.

use std::collections::BTreeMap;

use crate::domain::Minor;
use crate::graph_data::{BlockedEdge, GraphData};

use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP224",
    name: "auto-extend-missing",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk with `autoExtend` in one minor and without it in another",
    explanation: "\
`autoExtend` says why every later release also has the risk, and makes the bot extend
it without asking. In each minor, the newest file of the risk decides. If one minor has
`autoExtend` and another has neither `autoExtend` nor `fixedIn`, somebody usually forgot
it.",
    bad: "\
blocked-edges/4.14.8-ExampleRisk.yaml     autoExtend: https://issues.example.com/browse/BUG-1
blocked-edges/4.13.9-ExampleRisk.yaml     (neither autoExtend nor fixedIn)",
    good: "\
blocked-edges/4.14.8-ExampleRisk.yaml     autoExtend: https://issues.example.com/browse/BUG-1
blocked-edges/4.13.9-ExampleRisk.yaml     autoExtend: https://issues.example.com/browse/BUG-1",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (_, files) in data.declarations_by_risk() {
        let mut newest: BTreeMap<Minor, &BlockedEdge> = BTreeMap::new();
        for edge in files {
            let Some(target) = &edge.target else { continue };
            let known = newest.entry(Minor::of(target)).or_insert(edge);
            if known.target.as_ref() < Some(target) {
                *known = edge;
            }
        }
        let extended = newest
            .values()
            .find_map(|edge| Some((edge.auto_extend.as_ref()?, edge.target.as_ref()?)));
        let Some((extended, with)) = extended else { continue };
        for edge in newest.values() {
            if edge.auto_extend.is_some() || edge.fixed_in.is_some() {
                continue;
            }
            let (Some(name), Some(target)) = (&edge.name, &edge.target) else { continue };
            let message = format!(
                "the risk `{}` has `autoExtend` in {} but not in {}",
                shortened(&name.value),
                Minor::of(with),
                Minor::of(target),
            );
            findings.push(
                Finding::at(&RULE, name.span, message)
                    .related(extended.span, "`autoExtend` in another minor")
                    .help(format!(
                        "add `autoExtend` here, or `fixedIn` if a later {} release does not have the risk",
                        Minor::of(target)
                    )),
            );
        }
    }
}
