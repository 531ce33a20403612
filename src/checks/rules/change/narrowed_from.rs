//! A risk or block that no longer applies to the release before its target.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::version::without_build;
use crate::domain::{HashMap, Minor, Version, each_id};
use crate::graph_data::{BlockedEdge, GraphData, Reached, ReleaseId};
use crate::rules::{Change, Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP809",
    name: "narrowed-from",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a `from` that the change narrows so that it misses the newest release before `to`",
    explanation: "\
The most clusters update from the newest releases. If a `from` matched the last release before
its target, or the last of the previous minor, and an edited one does not, a digit is usually
wrong: `2[0-7]` for `2[0-8]`. These clusters are offered the update without the risk. A change
that excludes more than two releases is on purpose, and not reported.

This rule runs only with `--base`.",
    bad: "\
before:  to: 4.14.29   from: 4[.]14[.]2[0-8][+].*
after:   to: 4.14.29   from: 4[.]14[.]2[0-7][+].*",
    good: "\
after:   to: 4.14.29   from: 4[.]14[.]2[0-8][+].*",
    check: Check::Change(check),
};

/// More excluded releases than this are not an accident.
const FEW: usize = 2;

/// The releases that one file no longer matches.
struct Loss<'a> {
    edge: &'a BlockedEdge,
    /// The releases of one minor that the `from` no longer matches, oldest first.
    releases: Vec<ReleaseId>,
}

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let mut before: HashMap<(Option<&str>, Version), &BlockedEdge> = HashMap::default();
    for edge in &change.before.blocked_edges {
        before.extend(key(edge).map(|key| (key, edge)));
    }
    let mut by_risk: BTreeMap<Option<&str>, Vec<Loss<'_>>> = BTreeMap::new();
    for edge in change.after.blocked_edges.iter().filter(|edge| change.is_changed(edge.file)) {
        let Some(key) = key(edge) else { continue };
        let name = key.0;
        let Some(was) = before.get(&key) else { continue };
        by_risk.entry(name).or_default().extend(loss(change, was, edge));
    }
    for (name, losses) in by_risk {
        let lost: BTreeSet<ReleaseId> =
            losses.iter().flat_map(|loss| loss.releases.iter().copied()).collect();
        if (1..=FEW).contains(&lost.len()) {
            findings.extend(finding(change, name, &losses));
        }
    }
}

fn key(edge: &BlockedEdge) -> Option<(Option<&str>, Version)> {
    let name = edge.name.as_ref().map(|name| name.value.as_str());
    Some((name, without_build(edge.target.as_ref()?)))
}

fn loss<'a>(change: &Change<'_>, was: &BlockedEdge, edge: &'a BlockedEdge) -> Option<Loss<'a>> {
    let after = change.after;
    let reached = |data: &GraphData, edge: &BlockedEdge, release: ReleaseId| {
        Reached::holds(data.reached(edge).unwrap_or_default(), release)
    };
    let is_lost = |id: &ReleaseId| {
        let then = change.before.releases.find(&after.releases.get(*id).version);
        then.is_some_and(|then| reached(change.before, was, then)) && !reached(after, edge, *id)
    };
    let own = Minor::of(edge.target.as_ref()?);
    let lost = |of: Minor| {
        let origins = each_id(edge.possible_origins.clone());
        let of_minor: Vec<ReleaseId> =
            origins.filter(|id| Minor::of(&after.releases.get(*id).version) == of).collect();
        let is_kept = of_minor.iter().any(|id| reached(after, edge, *id));
        let lost: Vec<ReleaseId> = of_minor.iter().copied().filter(is_lost).collect();
        // If nothing of the minor still matches, it was excluded on purpose.
        (is_kept && lost.last().is_some() && lost.last() == of_minor.last()).then_some(lost)
    };
    let minors = [Some(own), after.releases.minor_before(own)];
    let releases = minors.into_iter().flatten().find_map(lost)?;
    Some(Loss { edge, releases })
}

fn finding(change: &Change<'_>, name: Option<&str>, losses: &[Loss<'_>]) -> Option<Finding> {
    let (first, others) = losses.split_first()?;
    let from = first.edge.from.as_ref()?;
    let newest = &change.after.releases.get(*first.releases.last()?).text;
    let targets: Vec<String> =
        losses.iter().filter_map(|loss| Some(loss.edge.target.as_ref()?.to_string())).collect();
    let what = match name {
        Some(name) => format!("the risk `{}`", shortened(name)),
        None => "the block".to_owned(),
    };
    let message = format!(
        "{what} on {} no longer applies to updates from {newest}, the newest release before: the new `from` does not match it",
        listed(&targets, "and"),
    );
    let finding = Finding::at(&RULE, from.span, message)
        .help(format!("if {newest} has the same problem, also match it"));
    let others = others.iter().filter_map(|loss| loss.edge.from.as_ref());
    Some(others.fold(finding, |finding, from| finding.related(from.span, "also narrower")))
}
