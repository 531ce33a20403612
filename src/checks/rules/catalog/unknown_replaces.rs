//! An entry that replaces a bundle with a misspelled name.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::fixes::replacing;
use super::shared::{add_joined, meant_entry};

pub(super) static RULE: Rule = Rule {
    code: "OC111",
    name: "unknown-replaces",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a `replaces` with a misspelled name: another bundle has its version",
    explanation: "\
`replaces` needs the whole name of a bundle, such as `example.v1.0.0`. A version, or a
name with another prefix, names no bundle. OLM accepts that, because an entry may replace
a bundle that is no longer in the catalog. So the installs of the bundle that is meant
find no update.

A name with the usual prefix is fine, even if the catalog does not have the bundle, unless the right
name would be that of a second head. If the
operator had another name before, `replaces` that is right: allow it with a comment.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  replaces: v1.0.0
  skips: [example.v1.0.1]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  replaces: example.v1.0.0
  skips: [example.v1.0.1]",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.moves() {
        for entry in &moves.channel.entries {
            let name = entry.replaces.as_str();
            let meant = meant_entry(moves, entry);
            let declared = subject.entry(moves, &entry.name);
            let (Some(meant), Some(declared)) = (meant, declared) else { continue };
            let is_updated = meant == entry.name || entry.skips.iter().any(|skip| skip == meant);
            if is_updated {
                continue;
            }
            let message = format!(
                "`{}` replaces `{}`, but no bundle of package `{}` has this name, so this updates \
                 nothing",
                whole(&entry.name),
                whole(name),
                whole(&moves.package.name),
            );
            let help = format!("did you mean `{}`?", whole(meant));
            let finding = Finding::at(&RULE, declared.replaces.span, message).help(help);
            found.push(replacing(finding, subject, moves, &entry.name, meant));
        }
    }
    add_joined(findings, found);
}
