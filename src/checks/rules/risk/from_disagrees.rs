//! One risk whose `from` patterns differ between files.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Minor;
use crate::graph_data::{BlockedEdge, GraphData, Reached, ReleaseId};

use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP225",
    name: "from-disagrees",
    properties: Properties::OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Info,
    summary: "files of one risk that disagree on the affected releases of the previous minor",
    explanation: "\
If several targets in a minor have the bug, they should match the same `from` releases of
the previous minor. If one file skips releases that another file matches,
usually somebody forgot one of the two when the range changed. Clusters then lose an
update for no reason, or are offered an update with the bug.",
    bad: "\
blocked-edges/4.15.1-ExampleRisk.yaml     from: 4[.]14[.].*
blocked-edges/4.15.2-ExampleRisk.yaml     from: ^4[.]14[.][0-8][+].*$",
    good: "\
blocked-edges/4.15.1-ExampleRisk.yaml     from: ^4[.]14[.][0-8][+].*$
blocked-edges/4.15.2-ExampleRisk.yaml     from: ^4[.]14[.][0-8][+].*$",
    check: Check::Declarations(check),
};

/// If a risk has more different patterns than this, they differ on purpose.
const FEW: usize = 16;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (_, files) in data.declarations_by_risk() {
        let mut by_minor: BTreeMap<Minor, Vec<&BlockedEdge>> = BTreeMap::new();
        for edge in files {
            if let Some(target) = &edge.target {
                by_minor.entry(Minor::of(target)).or_default().push(edge);
            }
        }
        for (minor, edges) in by_minor {
            findings.extend(disagreement(data, minor, &edges));
        }
    }
}

fn disagreement(data: &GraphData, minor: Minor, edges: &[&BlockedEdge]) -> Option<Finding> {
    let before = data.releases.minor_before(minor)?;
    // Groups the declarations by the releases of the previous minor that they match.
    let mut groups: Vec<(&[Reached], Vec<&BlockedEdge>)> = Vec::new();
    for edge in edges {
        let reach = &data.patterns.get(&edge.from.as_ref()?.value)?.reach;
        let reached = reach.within(&data.releases.range_of(before));
        let alike = |other: &[Reached]| {
            other.len() == reached.len()
                && other.iter().zip(reached).all(|(a, b)| a.release == b.release)
        };
        if groups.len() > FEW {
            return None;
        }
        match groups.iter_mut().find(|(other, _)| alike(other)) {
            Some((_, same)) => same.push(edge),
            None => groups.push((reached, vec![edge])),
        }
    }
    groups.sort_by_key(|(_, edges)| std::cmp::Reverse(edges.len()));
    let ((usual, most), odd) = groups.split_first()?;
    let (other, few) = odd.first()?;
    let first = few.first()?;
    let beyond = |these: &[Reached], those: &[Reached]| -> Vec<ReleaseId> {
        let is_there = |id: &ReleaseId| those.iter().any(|reached| reached.release == *id);
        these.iter().map(|reached| reached.release).filter(|id| !is_there(id)).collect()
    };
    let (few_targets, most_targets) = (targets(few), targets(most));
    let sides = [
        (beyond(other, usual), &few_targets, &most_targets),
        (beyond(usual, other), &most_targets, &few_targets),
    ];
    let sides = sides.iter().filter(|(only, ..)| !only.is_empty()).map(|(only, here, there)| {
        let only = ranges(data, only);
        format!("`from` matches {only} for {here}, but not for {there}")
    });
    let sides: Vec<String> = sides.collect();
    let name = shortened(&first.name.as_ref()?.value);
    let message =
        format!("the files of the risk `{name}` for {minor} disagree: {}", sides.join("; "));
    let finding = Finding::at(&RULE, first.from.as_ref()?.span, message)
        .grouped(format!("{name} {minor}: {}", patterns(edges)))
        .copy(most.first()?.from.as_ref()?.span, "another file has this pattern")
        .help(format!("find out which releases of {before} are affected, and match them in all files for {minor}"));
    let others = odd.iter().flat_map(|(_, edges)| edges).skip(1);
    Some(others.filter_map(|edge| edge.from.as_ref()).fold(finding, |finding, from| {
        finding.copy(from.span, "this file also has another pattern")
    }))
}

/// The distinct patterns of some files.
fn patterns(edges: &[&BlockedEdge]) -> String {
    let patterns = edges.iter().filter_map(|edge| edge.from.as_ref());
    let patterns: BTreeSet<&str> = patterns.map(|from| from.value.as_str()).collect();
    patterns.into_iter().collect::<Vec<_>>().join(" ")
}

/// The targets of some files, in a few words.
fn targets(edges: &[&BlockedEdge]) -> String {
    let targets = edges.iter().filter_map(|edge| edge.to.as_ref());
    let targets: Vec<String> = targets.map(|to| shortened(&to.value)).collect();
    listed(&targets, "and")
}
