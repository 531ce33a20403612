//! A risk or block that no longer applies to the release before its target.

use crate::domain::version::without_build;
use crate::domain::{HashMap, Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData, Reached, ReleaseId};
use crate::rules::{Change, Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP809",
    name: "narrowed-from",
    aliases: &[],
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a `from` that the change narrows so that it misses the newest release before `to`",
    explanation: "\
The most clusters update from the newest releases. If a `from` matched the last release before
its target, or the last of the previous minor, and an edited one does not, a digit is usually
wrong: `2[0-7]` for `2[0-8]`. These clusters are offered the update without the risk.

This rule runs only with `--base`.",
    bad: "\
before:  to: 4.14.29   from: 4[.]14[.]2[0-8][+].*
after:   to: 4.14.29   from: 4[.]14[.]2[0-7][+].*",
    good: "\
after:   to: 4.14.29   from: 4[.]14[.]2[0-8][+].*",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let mut before: HashMap<(Option<&str>, Version), &BlockedEdge> = HashMap::default();
    for edge in &change.before.blocked_edges {
        before.extend(key(edge).map(|key| (key, edge)));
    }
    for edge in change.after.blocked_edges.iter().filter(|edge| change.is_changed(edge.file)) {
        let Some(was) = key(edge).and_then(|key| before.get(&key)) else { continue };
        findings.extend(finding(change, was, edge));
    }
}

fn key(edge: &BlockedEdge) -> Option<(Option<&str>, Version)> {
    let name = edge.name.as_ref().map(|name| name.value.as_str());
    Some((name, without_build(edge.target.as_ref()?)))
}

fn finding(change: &Change<'_>, was: &BlockedEdge, edge: &BlockedEdge) -> Option<Finding> {
    let after = change.after;
    let (from, target) = (edge.from.as_ref()?, edge.target.as_ref()?);
    let reached = |data: &GraphData, edge: &BlockedEdge, release: ReleaseId| {
        let reached = data.reached(edge).unwrap_or_default();
        Reached::holds(reached, release)
    };
    let origins: Vec<ReleaseId> = crate::domain::each_id(edge.possible_origins.clone()).collect();
    let minor = |id: &ReleaseId| Minor::of(&after.releases.get(*id).version);
    let is_lost = |id: &&ReleaseId| {
        let version = &after.releases.get(**id).version;
        let then = change.before.releases.find(version);
        then.is_some_and(|then| reached(change.before, was, then)) && !reached(after, edge, **id)
    };
    // A pattern that matches nothing of a minor any more was changed on purpose.
    let newest = |of: Minor| {
        let mut of_minor = origins.iter().rev().filter(move |id| minor(id) == of);
        let newest = of_minor.clone().next()?;
        of_minor.any(|id| reached(after, edge, *id)).then_some(newest)
    };
    let own = Minor::of(target);
    let lost = [Some(own), after.releases.minor_before(own)];
    let lost = lost.into_iter().flatten().filter_map(newest).find(is_lost)?;
    let lost = &after.releases.get(*lost).text;
    let what = match &edge.name {
        Some(name) => format!("the risk `{}`", shortened(&name.value)),
        None => "the block".to_owned(),
    };
    let message = format!(
        "{what} on {target} no longer applies to updates from {lost}, the newest release that can have one: the new `from` does not match it"
    );
    let finding = Finding::at(&RULE, from.span, message);
    Some(finding.help(format!("if {lost} has the same problem, also match it")))
}
