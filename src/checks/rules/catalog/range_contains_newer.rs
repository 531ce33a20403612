//! An entry that an install of a higher version moves back to, because of a `skipRange`.

use crate::domain::HashMap;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::counted;

use super::shared::fixes::with_ranges;
use super::shared::tried::range_up_to;
use super::shared::{add_joined, moved_back, version_of, version_text};

pub(super) static RULE: Rule = Rule {
    code: "OC107",
    name: "range-contains-newer",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a `skipRange` that moves installs of a higher version back",
    explanation: "\
OLM v0 does not compare versions. An install moves to the entry that is nearest to the
head and has an edge from it. If the only such entry is an older one, whose `skipRange`
contains the version of the install, the install moves back to it. Then it moves forward
again, and back again, without end.

Ranges without an upper end (`>=1.0.0`) are the usual cause. End each range with `<` and
the version of its own entry.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  skipRange: '>=0.1.0'
- name: example.v1.1.0
  replaces: example.v1.0.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  skipRange: '>=0.1.0 <1.0.0'
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.moves() {
        for (target, origins) in moved_back(moves) {
            let Some(entry) = subject.entry(moves, moves.name(target)) else { continue };
            let Some(first) = origins.first() else { continue };
            let named = format!("`{}`", whole(moves.name(*first)));
            let what = match origins.len() {
                1 => named,
                n => format!("{} with higher versions, such as {named}", counted(n, "entry")),
            };
            let returns = moves.moves.trail(target).contains(first);
            let effect = if returns { ", and forward again, without end" } else { "" };
            let message = format!(
                "the `skipRange` of `{}` contains {what}: OLM v0 moves installs back from {} to \
                 {}{effect}",
                whole(moves.name(target)),
                version_text(moves, *first),
                version_text(moves, target),
            );
            let installs: Vec<&str> = origins.iter().map(|origin| moves.name(*origin)).collect();
            let finding = Finding::at(&RULE, entry.skip_range.span, message).installs(&installs);
            let edited = moves.channel.entries.get(target.index()).zip(version_of(moves, target));
            let range = edited.and_then(|(entry, own)| range_up_to(moves, entry, own));
            let finding = match range {
                Some(range) => {
                    let ranges = HashMap::from_iter([(moves.name(target), range)]);
                    with_ranges(finding, subject, moves.name(target), &[(moves, ranges)])
                }
                None => finding.help("let the range end below these versions"),
            };
            let origins = origins.iter().take(5);
            let origins = origins.filter_map(|one| subject.entry(moves, moves.name(*one)));
            found.push(origins.fold(finding, |finding, origin| {
                finding.related(origin.name.span, "installs of this entry move back")
            }));
        }
    }
    add_joined(findings, found);
}
