//! One risk declared twice for one target.

use crate::domain::HashMap;
use crate::graph_data::{BlockedEdge, GraphData, Location, Matched};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP213",
    name: "duplicate-risk",
    properties: Properties::OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "the same risk declared by two files for one target",
    explanation: "\
The service does not merge the files: an update that matches both has the same risk
twice. The Kubernetes API refuses a status with two risks of the same name in one
update. Clusters then fail to store their list of updates, and keep an old one.",
    bad: "\
blocked-edges/4.14.3-ExampleRisk.yaml          to: 4.14.3   name: ExampleRisk
blocked-edges/4.14.3-ExampleRisk-more.yaml     to: 4.14.3   name: ExampleRisk",
    good: "\
blocked-edges/4.14.3-ExampleRisk.yaml          to: 4.14.3   name: ExampleRisk",
    check: Check::Declarations(check),
};

/// The most declarations of one risk for one target that are compared.
const FEW: usize = 16;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let mut declared: HashMap<(&str, &str), Vec<&BlockedEdge>> = HashMap::default();
    for edge in &data.blocked_edges {
        let (Some(to), Some(name)) = (&edge.to, &edge.name) else { continue };
        let same = declared.entry((&to.value, &name.value)).or_default();
        if let Some(first) = same.iter().take(FEW).find(|earlier| overlap(data, earlier, edge)) {
            findings.extend(finding(data, first, edge));
        }
        same.push(edge);
    }
}

/// Whether both match an update to the target. Identical patterns and `.*` overlap even if no known
/// release matches.
fn overlap(data: &GraphData, a: &BlockedEdge, b: &BlockedEdge) -> bool {
    let (Some(from_a), Some(from_b)) = (&a.from, &b.from) else { return false };
    let is_all = |from: &str| from == ".*";
    from_a.value == from_b.value
        || is_all(&from_a.value)
        || is_all(&from_b.value)
        || !Matched::in_both(&data.matched(a), &data.matched(b)).is_empty()
}

fn finding(data: &GraphData, first: &BlockedEdge, later: &BlockedEdge) -> Option<Finding> {
    // Authors copy a file, rename it, and forget to edit one of its keys.
    let is_original = |edge: &BlockedEdge| unedited_key(data, edge).is_none();
    let (original, copy) =
        if is_original(later) && !is_original(first) { (later, first) } else { (first, later) };
    let (name, earlier) = (copy.name.as_ref()?, original.name.as_ref()?);
    let message = format!(
        "another file declares `{}` for the same target `{}`: updates that match both have the risk twice, and clusters cannot store that",
        shortened(&name.value),
        shortened(&copy.to.as_ref()?.value),
    );
    let (path, key) = (data.path(original.file), unedited_key(data, copy).unwrap_or("to"));
    Some(
        Finding::at(&RULE, name.span, message)
            .related(earlier.span, "the other declaration is here")
            .help(format!("was this file copied without editing `{key}`? Otherwise, join the two `from` patterns with `|` in `{path}`")),
    )
}

/// The key that does not match the name of the file, `<to>-<name>.yaml`.
fn unedited_key(data: &GraphData, edge: &BlockedEdge) -> Option<&'static str> {
    let (to, name) = (edge.to.as_ref()?, edge.name.as_ref()?);
    let file = Location::of(data.path(edge.file)).name;
    let called = file.strip_suffix(".yaml").unwrap_or(file).strip_prefix(to.value.as_str());
    match called.and_then(|called| called.strip_prefix('-')) {
        None => Some("to"),
        Some(called) => (name.value != *called).then_some("name"),
    }
}
