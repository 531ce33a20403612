//! An entry that OLM never installs, because its bundle has the property `olm.deprecated`.

use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::counted;

use super::shared::{add_joined, installable, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC126",
    name: "prohibited-target",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a bundle with the property `olm.deprecated`, which OLM v0 never installs",
    explanation: "\
The property `olm.deprecated` of a bundle is not a deprecation as in `olm.deprecations`:
the resolver of OLM v0 never installs such a bundle. An install whose next update is this
bundle stays or gets an older target. If the bundle is installed and the head, OLM reports
an error and updates nothing in the namespace.

Use `olm.deprecations` to warn users. To stop installs of a bad bundle, let a later entry
skip it together with what it replaces.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.1.0
properties:
- type: olm.package
  value: {packageName: example, version: 1.1.0}
- type: olm.deprecated
  value: {}",
    good: "\
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.bundle
    name: example.v1.1.0
  message: This version loses data. Update to 1.2.0.",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.moves() {
        for (target, entry) in installable(moves) {
            let bundle = moves.package.bundle(&entry.name);
            let Some(declared) = subject.entry(moves, &entry.name) else { continue };
            if !bundle.is_some_and(|bundle| bundle.is_prohibited) {
                continue;
            }
            let origins = moves.installs.ids();
            let origins = origins.filter(|node| moves.moves.next(*node).contains(&target));
            let names: Vec<&str> = origins.map(|node| moves.name(node)).collect();
            let is_head = moves.heads.contains(&target);
            let who = match names.as_slice() {
                [one] => {
                    format!(", and OLM does not update installs of `{}` to it", whole(one))
                }
                [_, ..] => {
                    format!(
                        ", and OLM does not update installs of {} to it",
                        counted(names.len(), "entry")
                    )
                }
                [] if is_head => ": new Subscriptions do not get it".to_owned(),
                [] => continue,
            };
            let message = format!(
                "`{}` has the property `olm.deprecated`, so OLM v0 never installs it{who}",
                whole(&entry.name)
            );
            let origins = names.iter().filter_map(|name| subject.entry(moves, name));
            let origins = origins.map(|entry| entry.name.span);
            let places: Vec<_> = std::iter::once(declared.name.span).chain(origins).collect();
            let help = "use `olm.deprecations` to warn users; let a later entry skip it to stop \
                        installs";
            let finding = one_finding(&RULE, &places, message, "this entry is updated to it");
            found.extend(finding.map(|finding| finding.help(help)));
        }
    }
    add_joined(findings, found);
}
