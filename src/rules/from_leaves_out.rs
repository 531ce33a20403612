//! A `from` with a hole.

use std::collections::{BTreeSet, HashSet};

use crate::graph_data::{GraphData, Match, Minor, ReleaseId, tombstones};

use super::origins::{copies, ranges};
use super::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP109",
    name: "from-leaves-out",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that leaves out a release between those it matches",
    explanation: "\
A bug is in a range of releases. A pattern that matches older and newer ones of a
minor, and not one between, mostly spells the range wrong: `[1-3][0-9]` begins at 10,
`1[0-8]|2[0-9]` forgets 19. Clusters on that release are offered the update.",
    bad: "from: ^4[.]13[.]([0-8]|1[0-9])[+].*$",
    good: "from: ^4[.]13[.]([0-9]|1[0-9])[+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    // What was withdrawn is no hole, unless clusters may be on it all the same.
    let public = data
        .channels
        .iter()
        .filter(|channel| channel.parts().is_some_and(|parts| parts.phase != "candidate"));
    let served: HashSet<ReleaseId> =
        public.flat_map(|channel| channel.releases.iter().copied()).collect();
    let mut withdrawn = tombstones(data);
    withdrawn.retain(|release| !served.contains(release));
    for copies in copies(data) {
        let Some(reach) = &copies.pattern.reach else { continue };
        // What is matched by accident makes no range.
        let plain = reach.origins.iter().filter(|reached| reached.why == Match::Plain);
        let matched: BTreeSet<ReleaseId> = plain.map(|reached| reached.release).collect();
        let of = |id: ReleaseId| Minor::of(&data.releases.get(id).version);
        let minors: BTreeSet<Minor> = matched.iter().map(|id| of(*id)).collect();
        let mut left_out = Vec::new();
        for minor in minors {
            let is_general =
                |id: &ReleaseId| data.releases.get(*id).is_general() && !withdrawn.contains(id);
            let members: Vec<ReleaseId> =
                data.releases.of_minor(minor).filter(is_general).collect();
            let ends = (
                members.iter().position(|id| matched.contains(id)),
                members.iter().rposition(|id| matched.contains(id)),
            );
            let (Some(first), Some(last)) = ends else { continue };
            left_out
                .extend(members[first..=last].iter().filter(|id| !matched.contains(id)).copied());
        }
        if left_out.is_empty() {
            continue;
        }
        let matched: Vec<ReleaseId> = matched.into_iter().collect();
        let message = format!(
            "`from` leaves out {}, between releases that it matches",
            ranges(data, &left_out)
        );
        let finding = Finding::at(&RULE, copies.from.span, message)
            .help(format!("is that meant? It matches {}", ranges(data, &matched)));
        findings.push(copies.point_at_copies(finding));
    }
}
