//! A risk that is declared for a release after its fix.

use crate::authoring::fixed_in_version;
use crate::domain::{HashMap, Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP223",
    name: "risk-past-fix",
    properties: Properties::OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk on a release that has the fix, according to `fixedIn` in another of its files",
    explanation: "\
One file of the risk says `fixedIn: 4.14.9`, and another declares the risk for 4.14.9 or
later. Either the fix did not work and `fixedIn` is out of date, or the later file keeps
clusters from a good release.",
    bad: "\
blocked-edges/4.14.8-ExampleRisk.yaml     to: 4.14.8   fixedIn: 4.14.9
blocked-edges/4.14.9-ExampleRisk.yaml     to: 4.14.9",
    good: "\
blocked-edges/4.14.8-ExampleRisk.yaml     to: 4.14.8
blocked-edges/4.14.9-ExampleRisk.yaml     to: 4.14.9   fixedIn: 4.14.10",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // The latest `fixedIn` of each risk in each minor.
    let mut latest: HashMap<(&str, Minor), (Version, &BlockedEdge)> = HashMap::default();
    for edge in &data.blocked_edges {
        let (Some(name), Some(fixed), Some(target)) =
            (&edge.name, fixed_in_version(edge), &edge.target)
        else {
            continue;
        };
        if Minor::of(&fixed) != Minor::of(target) {
            continue;
        }
        let key = (name.value.as_str(), Minor::of(&fixed));
        let known = latest.entry(key).or_insert_with(|| (fixed.clone(), edge));
        if known.0 < fixed {
            *known = (fixed, edge);
        }
    }
    for edge in &data.blocked_edges {
        let (Some(name), Some(to), Some(target)) = (&edge.name, &edge.to, &edge.target) else {
            continue;
        };
        let fix = latest.get(&(name.value.as_str(), Minor::of(target)));
        // `fixed-in-misplaced` reports a target that is its own fix.
        let is_past = |(fixed, by): &&(Version, &BlockedEdge)| {
            fixed.cmp_precedence(target).is_le() && by.file != edge.file
        };
        let Some((fixed, by)) = fix.filter(is_past) else { continue };
        let message = format!(
            "the risk `{}` is declared for {}, but another file says it is fixed in {fixed}",
            shortened(&name.value),
            shortened(&to.value),
        );
        let mut finding = Finding::at(&RULE, to.span, message)
            .help("if it was not fixed in that release, correct `fixedIn` there; otherwise delete this file");
        if let Some(written) = &by.fixed_in {
            finding = finding.related(written.span, "this file says it is fixed");
        }
        findings.push(finding);
    }
}
