//! A block in a file that is named for another release.

use crate::domain::{is_general, version};
use crate::graph_data::{BlockedEdge, GraphData, Location};
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP121",
    name: "block-file-name",
    properties: Properties::OF_TEXTS,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a block in a file that is named for another release",
    explanation: "\
The service ignores file names, and a block may have any. But a file whose whole name is
a version, and not the version in its `to`, is usually a copy in which nobody corrected
one of the two. Then one release is blocked by mistake, and another one is not.",
    bad: "blocked-edges/4.14.2.yaml     to: 4.14.3",
    good: "blocked-edges/4.14.3.yaml     to: 4.14.3",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    findings.extend(data.blocked_edges.iter().filter_map(|edge| finding(data, edge)));
}

fn finding(data: &GraphData, edge: &BlockedEdge) -> Option<Finding> {
    // `risk-file-name` reports files of risks.
    if edge.name.is_some() {
        return None;
    }
    let to = edge.to.as_ref()?;
    let target = edge.target.as_ref()?;
    let file = Location::of(data.path(edge.file)).name;
    let named = version::parse(file.strip_suffix(".yaml")?)?;
    // `4.4.12-to-4.5.4` parses as a version, but is not meant as one.
    let pre = named.pre.as_str();
    let is_meant = is_general(&named)
        || ["ec.", "fc.", "rc."].iter().any(|kind| {
            pre.strip_prefix(kind).is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()))
        });
    let is_other = named.cmp_precedence(target).is_ne()
        || !target.build.is_empty() && named.build != target.build;
    (is_meant && is_other).then(|| {
        let message =
            format!("this file is named for {named}, but its target is `{}`", shortened(&to.value));
        Finding::on(&RULE, Place::File(edge.file), message)
            .related(to.span, "the target is here")
            .help("correct the wrong one: was the file copied without editing `to`?")
    })
}
