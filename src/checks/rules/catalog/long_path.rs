//! An entry that needs very many updates to reach the head.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

pub(super) static RULE: Rule = Rule {
    code: "OC124",
    name: "long-path",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "an entry that needs more than 30 updates to reach the head",
    explanation: "\
OLM v0 installs every entry on the path one after the other. With many updates, it takes
hours until an old install is at the head, each one can fail, and each needs an approval
if the Subscription says `installPlanApproval: Manual`.

A `skipRange` of the head, or `skips`, makes the path shorter. Keep the versions that must
be installed in between, for example because they migrate data.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.32.0
  replaces: example.v1.31.0
- name: example.v1.31.0
  replaces: example.v1.30.0
# and so on down to example.v1.0.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.32.0
  replaces: example.v1.31.0
  skipRange: '>=1.0.0 <1.32.0'",
    check: Check::Catalog(check),
};

/// Paths with more updates than this are reported.
const MOST_UPDATES: usize = 30;

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for moves in subject.moves() {
        let distances = moves.moves.distances(&moves.heads);
        let far = moves.installs.ids().filter_map(|node| Some((distances[node]?, node)));
        let far: Vec<_> = far.filter(|(distance, _)| *distance > MOST_UPDATES).collect();
        let Some((distance, node)) = far.iter().max() else { continue };
        let Some(entry) = subject.entry(moves, moves.name(*node)) else { continue };
        let message = format!(
            "installs of `{}` need {distance} updates to reach the head of channel `{}`, one after \
             the other",
            whole(moves.name(*node)),
            whole(&moves.channel.name),
        );
        let help = "give the head a `skipRange` that contains the versions that can be updated \
                    directly";
        findings.push(Finding::at(&RULE, entry.name.span, message).help(help));
    }
}
