//! A fix in a release that nobody gets.

use crate::graph_data::{GraphData, Minor, tombstones};

use super::risk_not_extended::fixed_in;
use super::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP222",
    name: "fixed-in-unserved",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Info,
    summary: "a `fixedIn` that names a tombstone, or no release that is known",
    explanation: "\
The risk ends with the next release that is served, so nothing breaks. But people
read `fixedIn` as the release to wait for, and this one does not come; a version that
no channel knows may also be mistyped.

A release that is yet to come is not meant.",
    bad: "\
fixedIn: 4.14.4
internal-channels/candidate.yaml     tombstones: 4.14.4",
    good: "fixedIn: 4.14.5",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let withdrawn = tombstones(data);
    for edge in &data.blocked_edges {
        let (Some(written), Some(fixed)) = (&edge.fixed_in, fixed_in(edge)) else { continue };
        let known = data.releases.find(&fixed);
        let later = data.releases.of_minor(Minor::of(&fixed));
        let mut later = later.filter(|id| data.releases.get(*id).version > fixed);
        let why = match known {
            Some(id) if withdrawn.contains(&id) => "is a tombstone",
            None if later.next().is_some() => "is in no channel, and later releases are",
            _ => continue,
        };
        let message =
            format!("{} {why}, so nobody gets the fix with it", shortened(&written.value));
        findings.push(
            Finding::at(&RULE, written.span, message)
                .help("name the first release with the fix that is served"),
        );
    }
}
