//! An entry that skips a bundle with a misspelled name.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::{add_joined, meant_bundle, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC112",
    name: "unknown-skip",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a name in `skips` that is misspelled: another bundle has its version",
    explanation: "\
`skips` needs the whole names of bundles, such as `example.v1.0.0`. A version, or a name
with another prefix, names no bundle. OLM accepts that, because an entry may skip a bundle
that is no longer in the catalog. So the bundle that is meant is not skipped: it is still
installed, and its installs find no update.

A name with the usual prefix is fine, even if the catalog does not have the bundle.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0
  skips: [1.0.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0
  skips: [example.v1.0.0]",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.ordered() {
        for entry in &moves.channel.entries {
            let Some(declared) = subject.entry(moves, &entry.name) else { continue };
            let is_updated = |name: &str| {
                name == entry.name
                    || name == entry.replaces
                    || entry.skips.iter().any(|skip| skip == name)
            };
            let unknown: Vec<_> = declared
                .skips
                .iter()
                .filter(|skip| moves.package.bundle(&skip.value).is_none())
                .filter_map(|skip| Some((skip, meant_bundle(moves.package, &skip.value)?)))
                .filter(|(_, meant)| !is_updated(meant))
                .collect();
            let Some((skip, meant)) = unknown.first() else { continue };
            let places: Vec<_> = unknown.iter().map(|(skip, _)| skip.span).collect();
            let more = match unknown.len() {
                1 => String::new(),
                n => format!(", and {} more like this", n - 1),
            };
            let message = format!(
                "`{}` skips `{}`, but no bundle of package `{}` has this name, so this skips \
                 nothing{more}",
                whole(&entry.name),
                whole(&skip.value),
                whole(&moves.package.name),
            );
            let help = format!("did you mean `{}`?", whole(meant));
            let finding = one_finding(&RULE, &places, message, "no bundle has this name either");
            found.extend(finding.map(|finding| finding.help(help)));
        }
    }
    add_joined(findings, found);
}
