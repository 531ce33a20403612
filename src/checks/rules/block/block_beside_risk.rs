//! A block and a risk for the same target.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Version;
use crate::domain::version::without_build;
use crate::graph_data::{BlockedEdge, GraphData, LoadVerdict, Matched, ReleaseId};
use crate::rules::shared::words::ranges;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Updates, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP115",
    name: "block-beside-risk",
    properties: Properties::OF_DECLARATIONS,
    family: Family::Block,
    severity: Severity::Error,
    summary: "an update that both a block and a risk match, so the block is ignored",
    explanation: "\
If a block and a risk match the same update, the service serves it as conditional. The
service makes the update conditional before it removes blocked updates, so it ignores
the block (OTA-1043).

If no update matches both, the severity is info:
services before June 2024 let one of the two files replace the other.",
    bad: "\
blocked-edges/4.14.0.yaml              from: .*
blocked-edges/4.14.0-ExampleRisk.yaml  from: 4[.]13[.].*",
    good: "blocked-edges/4.14.0.yaml              from: .*",
    check: Check::Updates(check),
};

/// The most blocks and risks of one target that are compared.
const FEW: usize = 64;

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let mut by_target: BTreeMap<Version, (Vec<&BlockedEdge>, Vec<&BlockedEdge>)> = BTreeMap::new();
    let (blocks, risks): (Vec<_>, Vec<_>) =
        data.blocked_edges.iter().partition(|edge| edge.is_block());
    // Few targets have blocks, so the map has only their targets.
    for block in blocks {
        let Some(target) = &block.target else { continue };
        by_target.entry(without_build(target)).or_default().0.push(block);
    }
    for risk in risks {
        let target =
            risk.target.as_ref().and_then(|target| by_target.get_mut(&without_build(target)));
        if let Some((_, risks)) = target {
            risks.push(risk);
        }
    }
    for (target, (blocks, risks)) in &by_target {
        if risks.is_empty() {
            continue;
        }
        for block in blocks.iter().take(FEW) {
            findings.extend(finding(updates, target, block, &risks[..risks.len().min(FEW)]));
        }
    }
}

fn finding(
    updates: &Updates<'_>,
    target: &Version,
    block: &BlockedEdge,
    risks: &[&BlockedEdge],
) -> Option<Finding> {
    let data = updates.data;
    let listed = updates.origins_of(target);
    let origins: BTreeSet<ReleaseId> = listed.iter().map(|origin| origin.release).collect();
    let blocked = matched(data, block);
    let mut both = BTreeSet::new();
    let mut related = Vec::new();
    for risk in risks {
        let overlap = Matched::in_both(&blocked, &matched(data, risk)).into_iter();
        let overlap: Vec<ReleaseId> =
            overlap.map(|update| update.origin).filter(|origin| origins.contains(origin)).collect();
        let name = risk.name.as_ref().map_or("", |name| &name.value);
        related.extend(
            risk.from.as_ref().map(|from| (from.span, shortened(name), overlap.is_empty())),
        );
        both.extend(overlap);
    }
    let to = &block.to.as_ref()?.value;
    let from = block.from.as_ref()?;
    let mut finding = if both.is_empty() {
        let message = format!(
            "`{to}` also has a risk; services before June 2024 let one of the two files replace the other"
        );
        Finding::at(&RULE, from.span, message)
            .severity(Severity::Info)
            .help("newer services need no change: no update matches both files")
    } else {
        let both: Vec<ReleaseId> = both.into_iter().collect();
        let message = format!(
            "the service ignores this block for updates from {} to `{to}`: a risk makes them conditional",
            ranges(data, &both)
        );
        // An uncertain update must not fail a check.
        let is_certain = listed.iter().any(|o| o.is_certain && both.contains(&o.release));
        let severity = if is_certain { Severity::Error } else { Severity::Warning };
        Finding::at(&RULE, from.span, message)
            .severity(severity)
            .help("remove those releases from the risk's `from`, or delete the block and make the risk apply `Always`")
    };
    for (span, name, is_apart) in related {
        let what = if is_apart { "does not overlap the block" } else { "overlaps the block" };
        finding = finding.related(span, format!("the risk `{name}` {what}"));
    }
    Some(finding)
}

/// The updates that a declaration matches. A file that the service drops for another fault does not
/// match anything yet.
fn matched(data: &GraphData, edge: &BlockedEdge) -> Vec<Matched> {
    if data.file(edge.file).verdict == LoadVerdict::Loads { data.matched(edge) } else { Vec::new() }
}
