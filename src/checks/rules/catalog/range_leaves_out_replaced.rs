//! An entry whose `skipRange` ends below the version that the entry replaces.

use std::cmp::Ordering;

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::tried::range_up_to;
use super::shared::{by_package, installable, is_below, one_finding, version_of};

pub(super) static RULE: Rule = Rule {
    code: "OC110",
    name: "range-leaves-out-replaced",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "a `skipRange` of the head that does not contain the version that the head replaces",
    explanation: "\
The head replaces a version that its `skipRange` does not contain. The installs of that version
are updated by `replaces`. But a fix of it (1.1.1 after 1.1.0), or a version of another
channel between the two, finds no update to the head.

Usually, somebody forgot to raise the bounds of the range. End the range with `<` and the
version of the head, unless that strands an install.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
- name: example.v1.2.0
  replaces: example.v1.1.0
  skipRange: '>=1.0.0 <1.1.0'",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
- name: example.v1.2.0
  replaces: example.v1.1.0
  skipRange: '>=1.0.0 <1.2.0'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for (package, channels) in by_package(subject) {
        let (mut places, mut first) = (Vec::new(), None);
        for moves in channels {
            for (node, entry) in installable(moves).filter(|(node, _)| moves.heads.contains(node)) {
                let replaced = package.bundle(&entry.replaces);
                let replaced = replaced.and_then(|bundle| bundle.version.as_ref());
                let (Some(range), Some(replaced), Some(own)) =
                    (&entry.skip_range, replaced, version_of(moves, node))
                else {
                    continue;
                };
                let is_lower = replaced.compare(own) == Ordering::Less;
                if !is_lower
                    || range.contains(&replaced.version)
                    || !is_below(range, &replaced.version)
                {
                    continue;
                }
                if let Some(declared) = subject.entry(moves, &entry.name) {
                    places.push(declared.skip_range.span);
                    first.get_or_insert((moves, entry, replaced, own));
                }
            }
        }
        let Some((moves, entry, replaced, own)) = first else { continue };
        let message = format!(
            "`{}` replaces version {}, but its `skipRange` ends below that: versions between the \
             two, such as fixes of {}, find no update",
            whole(&entry.name),
            whole(&replaced.text()),
            whole(&replaced.text()),
        );
        let other = "this range ends below the replaced version too";
        let finding = one_finding(&RULE, &places, message, other);
        findings.extend(finding.map(|one| match range_up_to(moves, entry, own) {
            Some(range) => one.help(format!("write `skipRange: '{}'`", range.text())),
            None => one,
        }));
    }
}
