//! An entry that replaces or skips itself.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::add_joined;

pub(super) static RULE: Rule = Rule {
    code: "OC113",
    name: "replaces-itself",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an entry that replaces or skips itself",
    explanation: "\
OLM never installs an entry that any entry skips, not even if it is the entry itself. An
entry that replaces itself is its own update: old versions of OLM install it again and
again.

Usually, a version was raised in only one of two places.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  skips: [example.v1.0.0]
- name: example.v1.1.0
  replaces: example.v1.0.0",
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
    let mut found = Vec::new();
    for moves in subject.ordered() {
        for entry in &moves.channel.entries {
            let Some(declared) = subject.entry(moves, &entry.name) else { continue };
            let name = whole(&entry.name);
            let skip = declared.skips.iter().find(|skip| skip.value == entry.name);
            let wrong = if entry.replaces == entry.name {
                let effect = "so it is an update of itself";
                Some((declared.replaces.span, format!("`{name}` replaces itself, {effect}")))
            } else {
                let effect = "so OLM never installs it";
                skip.map(|skip| (skip.span, format!("`{name}` skips itself, {effect}")))
            };
            if let Some((span, message)) = wrong {
                let help = "name the version before it, or remove this";
                found.push(Finding::at(&RULE, span, message).help(help));
            }
        }
    }
    add_joined(findings, found);
}
