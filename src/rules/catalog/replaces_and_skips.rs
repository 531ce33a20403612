//! An entry that replaces and skips the same entry.

use std::collections::HashSet;

use crate::catalog::simulation::Why;
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, shortened};

use super::shared::{entries, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC114",
    name: "replaces-and-skips",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a head that replaces and skips the same entry",
    explanation: "\
`replaces` alone updates the installs of an entry. Skipping it too means that OLM never
installs it any more: what could only be updated to it is stuck. That does no harm while
the head also skips all of those, but the next release strands them if it forgets one
([`dead-end`](dead-end.md)). Old versions of opm's semver template write such
channels.

Remove the entry from `skips`, unless it is bad and nobody should install it.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
  skips: [example.v1.0.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for moves in subject.moves().filter(|moves| moves.order.is_ok()) {
        // Where it already causes a dead end, that is the finding.
        let stuck = moves.stuck();
        let harmful: HashSet<&str> = stuck
            .iter()
            .filter_map(|stuck| match &stuck.why {
                Why::Skipped { target, .. } => Some(*target),
                _ => None,
            })
            .collect();
        let both = moves.channel.entries.iter().filter(|entry| {
            !entry.replaces.is_empty()
                && entry.replaces != entry.name
                && entry.skips.contains(&entry.replaces)
                && moves.named(&entry.replaces).is_some()
                && !harmful.contains(entry.replaces.as_str())
        });
        let both: Vec<_> = both.collect();
        let skips = both.iter().filter_map(|entry| {
            let declared = subject.entry(moves, &entry.name)?;
            declared.skips.iter().find(|skip| skip.value == entry.replaces)
        });
        let places: Vec<_> = skips.map(|skip| skip.span).collect();
        let who = match both.as_slice() {
            [] => continue,
            [one] => format!(
                "`{}` replaces and skips `{}`",
                shortened(&one.name),
                shortened(&one.replaces)
            ),
            [first, ..] => format!(
                "{} of channel `{}` replace and skip the same entry, such as `{}`",
                entries(both.len()),
                shortened(&moves.channel.name),
                shortened(&first.name)
            ),
        };
        let message = format!(
            "{who}: OLM never installs a skipped entry, so what can only be updated to it gets stuck"
        );
        let help = "remove it from `skips`; `replaces` is enough to update its installs";
        let finding =
            one_finding(&RULE, &places, message, "this entry is replaced and skipped too");
        findings.extend(finding.map(|finding| finding.help(help)));
    }
}
