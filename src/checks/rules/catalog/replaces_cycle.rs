//! Entries that replace each other in a circle.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC016",
    name: "replaces-cycle",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "entries of a channel that replace each other in a circle",
    explanation: "\
From the head of a channel, `replaces` leads to older and older entries, and ends at the
oldest one. If it comes to an entry twice, opm refuses the catalog: none of its
operators can be installed or updated. Installs would be updated without end.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  replaces: example.v1.1.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Cycle { entries, .. } = &objection.kind else { return None };
    let names: Vec<String> = entries.iter().map(|name| format!("`{}`", whole(name))).collect();
    let steps = match names.as_slice() {
        [first, middle @ .., last] if middle.len() > 4 => {
            format!("{first} → {} → … → {last}", middle.first().unwrap_or(first))
        }
        all => all.join(" → "),
    };
    let message = format!("entries replace each other in a circle, {steps}, {REFUSED}");
    let help = "remove the `replaces` of the oldest of them, or let it name an older entry";
    let mut finding = Finding::at(&RULE, objection.span, message).help(help);
    if let Some(channel) = subject.declared.channel_around(objection.span) {
        let others = entries.iter().skip(1).take(entries.len().saturating_sub(2)).take(4);
        for name in others {
            let entry = channel.entries.iter().find(|entry| entry.name.value == *name);
            if let Some(entry) = entry {
                let next = whole(&entry.replaces.value);
                finding = finding.related(entry.replaces.span, format!("then `{next}`"));
            }
        }
    }
    Some(finding)
}
