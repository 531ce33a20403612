//! A `fixedIn` that moves.

use std::collections::BTreeMap;

use crate::domain::HashMap;
use crate::graph_data::{BlockedEdge, GraphData};

use crate::rules::{Change, Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP803",
    name: "moved-fix",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Info,
    summary: "a `fixedIn` that the change moves to another release or removes",
    explanation: "\
Releases between the old and the new `fixedIn` may have been promoted without the risk,
because a file said that it was fixed. Declare the risk for them now.

This rule runs only with `--base`.",
    bad: "\
before:  blocked-edges/4.14.2-ExampleRisk.yaml     fixedIn: 4.14.3
after:   blocked-edges/4.14.2-ExampleRisk.yaml     fixedIn: 4.14.5",
    good: "\
before:  blocked-edges/4.14.2-ExampleRisk.yaml     fixedIn: 4.14.3
after:   blocked-edges/4.14.2-ExampleRisk.yaml     fixedIn: 4.14.3",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let before: HashMap<(&str, &str), &BlockedEdge> = declared(change.before).collect();
    let mut moved: BTreeMap<(&str, String, String), Vec<&BlockedEdge>> = BTreeMap::new();
    for (key, edge) in declared(change.after) {
        let Some(old) = before.get(&key).and_then(|edge| edge.fixed_in.as_ref()) else { continue };
        let new = edge.fixed_in.as_ref().map_or("", |fixed| &fixed.value);
        if old.value != *new {
            let key = (key.0, old.value.to_string(), new.to_owned());
            moved.entry(key).or_default().push(edge);
        }
    }
    for ((name, old, new), edges) in moved {
        findings.extend(finding(name, &old, &new, &edges));
    }
}

fn declared(data: &GraphData) -> impl Iterator<Item = ((&str, &str), &BlockedEdge)> {
    data.blocked_edges.iter().filter_map(|edge| {
        Some(((edge.name.as_ref()?.value.as_str(), edge.to.as_ref()?.value.as_str()), edge))
    })
}

fn finding(name: &str, old: &str, new: &str, edges: &[&BlockedEdge]) -> Option<Finding> {
    let first = edges.first()?;
    let place =
        |edge: &BlockedEdge| edge.fixed_in.as_ref().or(edge.name.as_ref()).map(|text| text.span);
    let targets = edges.iter().filter_map(|edge| edge.to.as_ref());
    let targets = listed(&targets.map(|to| shortened(&to.value)).collect::<Vec<_>>(), "and");
    let (name, old) = (shortened(name), shortened(old));
    let message = match new {
        "" => format!("`fixedIn` of `{name}` on {targets} was {old} and is now removed"),
        new => format!("`fixedIn` of `{name}` on {targets} moves from {old} to {}", shortened(new)),
    };
    let finding = Finding::at(&RULE, place(first)?, message)
        .about(format!("{old} {new}"))
        .help(format!("check whether releases from {old} on now need the risk"));
    Some(
        edges[1..]
            .iter()
            .filter_map(|edge| place(edge))
            .fold(finding, |finding, span| finding.related(span, "also moved")),
    )
}
