//! Two blocks of one target, of which one is lost.

use std::collections::BTreeMap;

use crate::graph_data::{BlockedEdge, GraphData, Verdict};
use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};
use crate::text::Spanned;

pub(super) static RULE: Rule = Rule {
    code: "EP111",
    name: "duplicate-block",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "two blocks of the same target, of which the service keeps one",
    explanation: "\
For each target the service remembers one block. Of two, the file that the
directory happens to list last replaces the other, whose updates are then offered
to everyone. Conditional risks are different: any number may share a target.",
    bad: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*
blocked-edges/4.14.3-again.yaml      to: 4.14.3   from: 4[.]14[.]0.*",
    good: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*|4[.]14[.]0.*",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // What the service drops replaces nothing.
    let loads = |edge: &&BlockedEdge| data.file(edge.file).verdict == Verdict::Loads;
    let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block()).filter(loads);
    let mut by_release: BTreeMap<&str, Vec<Target<'_>>> = BTreeMap::new();
    for to in blocks.filter_map(|edge| edge.to.as_ref()) {
        let (release, arch) = effective(&to.value);
        by_release.entry(release).or_default().push(Target { arch, to });
    }
    for targets in by_release.values() {
        for (i, target) in targets.iter().enumerate() {
            if let Some(first) = targets[..i].iter().find(|earlier| earlier.meets(target)) {
                findings.push(finding(data, first.to, target.to));
            }
        }
    }
}

fn finding(data: &GraphData, first: &Spanned<String>, later: &Spanned<String>) -> Finding {
    let path = data.path(first.span.source);
    let to = shortened(&later.value);
    let message =
        format!("`{to}` is blocked by another file too, and the service keeps only one of the two");
    Finding::at(&RULE, later.span, message)
        .related(first.span, "the other block stands here")
        .help(format!("was this file copied, and `to` not edited? Else join the two patterns with `|` in `{path}`, and delete this one"))
}

/// A block's target, on one architecture or on all.
struct Target<'t> {
    arch: Option<&'t str>,
    to: &'t Spanned<String>,
}

impl Target<'_> {
    fn meets(&self, other: &Self) -> bool {
        self.arch.is_none() || other.arch.is_none() || self.arch == other.arch
    }
}

/// The release that a block is about, and the architecture if it is about one alone.
/// A pre-release of exactly `s390x` names one too, as a few old releases did.
fn effective(to: &str) -> (&str, Option<&str>) {
    let (release, arch) = to.split_once('+').map_or((to, None), |(r, arch)| (r, Some(arch)));
    if release.ends_with("-s390x") { (release, Some("s390x")) } else { (release, arch) }
}
