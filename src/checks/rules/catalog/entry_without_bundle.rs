//! An entry of a channel without a bundle.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC012",
    name: "entry-without-bundle",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "an entry of a channel that no bundle of the package has the name of",
    explanation: "\
The name of an entry is the name of a bundle of the same package. opm refuses a catalog with
any other entry: none of its operators can be installed or updated.

opm's own message depends on the order of channels. It can speak of a missing property
`olm.package`, a missing image, or version 0.0.0, and not of the missing bundle.

`replaces` and `skips` may name bundles that the catalog does not have. To remove a bundle,
remove its entry too, and keep its name in `replaces` or `skips`.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.O.0
---
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
---
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::NoBundle(name) = &objection.kind else { return None };
    let bundle_at = |place| {
        let bundle = subject.declared.bundle_around(place);
        bundle.map(|bundle| bundle.name.value.as_str())
    };
    // opm also objects to the bundle that a misspelled entry means, because no entry has its name.
    let meant = objection.related.iter().find_map(|place| bundle_at(*place));
    let shown = whole(name);
    let message = format!("entry `{shown}` has no bundle, {REFUSED}");
    let help = match meant {
        Some(meant) => format!("did you mean `{}`?", whole(meant)),
        None => format!("add the bundle `{shown}`, or remove the entry"),
    };
    let mut finding = Finding::at(&RULE, objection.span, message).help(help);
    for place in objection.related.iter().take(5) {
        let words = match bundle_at(*place) {
            Some(_) => "no entry has the name of this bundle",
            None => "the same entry in another channel",
        };
        finding = finding.related(*place, words);
    }
    Some(finding)
}
