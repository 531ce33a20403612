//! A fix in a release that no cluster gets.

use crate::authoring::fixed_in_version;
use crate::domain::Minor;
use crate::graph_data::{GraphData, tombstones_by_version};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP222",
    name: "fixed-in-unserved",
    properties: Properties::OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Info,
    summary: "a `fixedIn` that names a tombstone or an unknown release",
    explanation: "\
The next release that is served no longer has the risk, so nothing breaks. But people
wait for the release in `fixedIn`, and it is never served. A version that is in no
channel may also be a typo.

A release that does not exist yet is fine if it is one of the next three of its minor. Otherwise
it is a warning: usually two digits changed places, or one was typed twice.",
    bad: "\
fixedIn: 4.14.4
internal-channels/candidate.yaml     tombstones: 4.14.4",
    good: "fixedIn: 4.14.5",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let tombstones = tombstones_by_version(data);
    for edge in &data.blocked_edges {
        let (Some(written), Some(fixed)) = (&edge.fixed_in, fixed_in_version(edge)) else {
            continue;
        };
        let tombstone = tombstones.get(&fixed);
        let later = data.releases.of_minor(Minor::of(&fixed));
        let mut later = later.filter(|id| data.releases.get(*id).version > fixed);
        let what = if tombstone.is_some() {
            "is a tombstone, so this release and its fix are not promoted further"
        } else if data.releases.find(&fixed).is_none() && later.next().is_some() {
            "is in no channel, although later releases are, so nobody gets the fix from it"
        } else if data.releases.is_beyond(&fixed) {
            "is not one of the next releases: until there is one, the risk is extended to every release"
        } else {
            continue;
        };
        let message = format!("{} {what}", shortened(&written.value));
        let finding = Finding::at(&RULE, written.span, message)
            .help("name the first served release with the fix");
        let is_typo = data.releases.is_beyond(&fixed) && tombstone.is_none();
        let severity = if is_typo { Severity::Warning } else { RULE.severity };
        let finding = finding.severity(severity);
        findings.push(match tombstone {
            Some(tombstone) => finding.related(tombstone.text.span, "the tombstone"),
            None => finding,
        });
    }
}
