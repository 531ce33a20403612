//! A package whose default channel is missing.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::closest;
use crate::text::words::{listed, quoted};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC013",
    name: "missing-default-channel",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a package whose `defaultChannel` is missing or is not one of its channels",
    explanation: "\
The `defaultChannel` of a package is one of its channels. Subscriptions without a channel use
it. If it is missing, opm refuses the catalog: none of its operators can be installed or
updated. If it does not exist, opm says that this channel is empty.

The usual causes are a misspelled name and a channel that was removed, for example by a
mirror that copies only some channels.",
    bad: "\
schema: olm.package
name: example
defaultChannel: stabel
---
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0",
    good: "\
schema: olm.package
name: example
defaultChannel: stable
---
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
        ObjectionKind::UnknownDefaultChannel { channel, channels } => {
            let name = whole(channel);
            if channels.is_empty() {
                let message = format!(
                    "the default channel `{name}` does not exist, and neither do other channels of \
                     the package, {REFUSED}"
                );
                let help = format!("add a document with `schema: olm.channel` and `name: {name}`");
                return Some(Finding::at(&RULE, span, message).help(help));
            }
            let message = format!("the default channel `{name}` does not exist, {REFUSED}");
            let help = match closest(channel, channels.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean `{}`?", whole(meant)),
                None => format!("use {}, or add the channel", one_of(channels)),
            };
            Some(Finding::at(&RULE, span, message).help(help))
        }
        ObjectionKind::NoDefaultChannel => {
            let package = subject.declared.package_around(span)?;
            let name = package.name.value.as_str();
            let message = format!("package `{}` has no `defaultChannel`, {REFUSED}", whole(name));
            let channels = subject.declared.channels.iter();
            let channels = channels.filter(|channel| channel.package.value == name);
            let channels: Vec<String> =
                channels.map(|channel| channel.name.value.clone()).collect();
            let help = match channels.as_slice() {
                [] => "add `defaultChannel` and a channel".to_owned(),
                [only] => format!("add `defaultChannel: {}`", whole(only)),
                several => format!("add `defaultChannel`, with {}", one_of(several)),
            };
            Some(Finding::at(&RULE, span, message).help(help))
        }
        _ => None,
    }
}

fn one_of(channels: &[String]) -> String {
    let names: Vec<String> = channels.iter().map(|name| whole(name)).collect();
    listed(&quoted(&names), "or")
}
