//! Two blocks of the same target, only one of which has an effect.

use std::collections::BTreeMap;

use crate::graph_data::{BlockedEdge, GraphData, LoadVerdict, Text};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP111",
    name: "duplicate-block",
    properties: Properties::OF_TEXTS,
    family: Family::Block,
    severity: Severity::Error,
    summary: "two blocks of the same target; the service keeps only one",
    explanation: "\
The service keeps one block for each target. If there are two, the file that the
directory happens to list last replaces the other. The updates of the replaced file are
then offered to all clusters. Conditional risks are different: any number of them can
have the same target.",
    bad: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*
blocked-edges/4.14.3-again.yaml      to: 4.14.3   from: 4[.]14[.]0.*",
    good: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*|4[.]14[.]0.*",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // A file that the service drops does not replace another.
    let loads = |edge: &&BlockedEdge| data.file(edge.file).verdict == LoadVerdict::Loads;
    let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block()).filter(loads);
    let mut by_release: BTreeMap<&str, Vec<BlockedTarget<'_>>> = BTreeMap::new();
    for to in blocks.filter_map(|edge| edge.to.as_ref()) {
        let (release, arch) = release_and_architecture(&to.value);
        by_release.entry(release).or_default().push(BlockedTarget { arch, to });
    }
    for targets in by_release.values() {
        for (i, target) in targets.iter().enumerate() {
            if let Some(first) = targets[..i].iter().find(|earlier| earlier.overlaps(target)) {
                findings.push(finding(data, first.to, target.to));
            }
        }
    }
}

fn finding(data: &GraphData, first: &Text, later: &Text) -> Finding {
    let path = data.path(first.span.source);
    let to = shortened(&later.value);
    let message =
        format!("another file also blocks `{to}`, and the service keeps only one of the two");
    Finding::at(&RULE, later.span, message)
        .related(first.span, "the other block is here")
        .help(format!("was this file copied without editing `to`? If not, join the two patterns with `|` in `{path}`, and delete this file"))
}

/// The target of a block, for one architecture or for all.
struct BlockedTarget<'t> {
    arch: Option<&'t str>,
    to: &'t Text,
}

impl BlockedTarget<'_> {
    fn overlaps(&self, other: &Self) -> bool {
        self.arch.is_none() || other.arch.is_none() || self.arch == other.arch
    }
}

/// The release of a target, and the architecture if it names one. In a few old releases, the
/// pre-release `s390x` is the architecture.
fn release_and_architecture(to: &str) -> (&str, Option<&str>) {
    let (release, arch) = to.split_once('+').map_or((to, None), |(r, arch)| (r, Some(arch)));
    if release.ends_with("-s390x") { (release, Some("s390x")) } else { (release, arch) }
}
