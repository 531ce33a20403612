//! A channel without entries, or a package without channels.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC014",
    name: "empty-channel",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a channel without entries, or a package without channels",
    explanation: "\
A package has at least one channel, and each channel at least one entry. opm refuses a
catalog with an empty channel: none of its operators can be installed or updated.

To retire a channel, keep its entries and deprecate it in `olm.deprecations`. If a channel is
removed, its Subscriptions fail.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries: []",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let span = objection.span;
    match &objection.kind {
        ObjectionKind::EmptyChannel(name) => {
            let message = format!("channel `{}` has no entries, {REFUSED}", whole(name));
            let help = "add the names of its bundles to `entries`, or remove the channel";
            Some(Finding::at(&RULE, span, message).help(help))
        }
        ObjectionKind::NoChannels => {
            let package = subject.declared.package_around(span)?;
            let name = whole(&package.name.value);
            let message = format!("package `{name}` has no channels, {REFUSED}");
            let help = "add a document with `schema: olm.channel`, and name it in `defaultChannel`";
            Some(Finding::at(&RULE, span, message).help(help))
        }
        _ => None,
    }
}
