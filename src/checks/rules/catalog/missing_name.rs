//! A document or an entry without a name, or a document without a package.

use crate::catalog::declared::{OddityKind, is_within};
use crate::catalog::{Objection, ObjectionKind, Owner};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC004",
    name: "missing-name",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a document or entry without `name`, or a document without `package`",
    explanation: "\
Packages, channels, bundles, and entries of channels have a `name`. Channels, bundles, and
deprecations also have a `package`. If one is missing or empty, opm refuses the whole
catalog: none of its operators can be installed or updated.

In `olm.channel`, the key of the channel's name is `name`. Some examples in the
documentation of OLM wrongly write `channel`, which opm ignores.",
    bad: "\
schema: olm.channel
package: example
channel: stable
entries:
- name: example.v1.0.0",
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
    let (what, key, help) = match &objection.kind {
        ObjectionKind::Nameless(Owner::Package) => {
            let help = match unknown_packages(subject).as_slice() {
                [only] => format!("add `name: {}`, as the other documents say", whole(only)),
                _ => "add `name`".to_owned(),
            };
            ("package", "name", help)
        }
        ObjectionKind::Nameless(Owner::Channel) if has_key_channel(subject, objection) => {
            ("channel", "name", "rename the key `channel` to `name`".to_owned())
        }
        ObjectionKind::Nameless(owner) => (word(*owner), "name", "add `name`".to_owned()),
        ObjectionKind::Unlisted(name) if name.is_empty() => {
            ("bundle", "name", "add `name`, as in the entries of its channels".to_owned())
        }
        ObjectionKind::Duplicate { what: what @ ("bundle" | "entry"), name } if name.is_empty() => {
            (*what, "name", "add `name`".to_owned())
        }
        ObjectionKind::NamelessEntry => (
            "entry",
            "name",
            "add `name: ` and the name of a bundle, or remove the entry".to_owned(),
        ),
        ObjectionKind::WithoutPackage(owner) => {
            let help = match subject.declared.packages.as_slice() {
                [only] if !only.name.value.is_empty() => {
                    format!("add `package: {}`", whole(&only.name.value))
                }
                _ => "add `package: ` and the name of the package".to_owned(),
            };
            (word(*owner), "package", help)
        }
        _ => return None,
    };
    let what = if what == "deprecations" {
        "these deprecations have".to_owned()
    } else {
        format!("this {what} has")
    };
    Some(Finding::at(&RULE, span, format!("{what} no `{key}`, {REFUSED}")).help(help))
}

fn word(owner: Owner) -> &'static str {
    match owner {
        Owner::Package => "package",
        Owner::Channel => "channel",
        Owner::Bundle => "bundle",
        Owner::Deprecation => "deprecations",
    }
}

/// The missing packages that documents name.
fn unknown_packages<'s>(subject: &'s CatalogSubject<'_>) -> Vec<&'s str> {
    let unknown = subject.objections.iter().filter_map(|objection| match &objection.kind {
        ObjectionKind::UnknownPackage { package, .. } => Some(package.as_str()),
        _ => None,
    });
    let mut unknown: Vec<&str> = unknown.collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}

fn has_key_channel(subject: &CatalogSubject<'_>, objection: &Objection) -> bool {
    subject.declared.channel_around(objection.span).is_some_and(|channel| {
        subject.declared.oddities.iter().any(|oddity| {
            is_within(oddity.span, channel.span)
                && matches!(&oddity.kind, OddityKind::UnknownKey { key, .. } if key == "channel")
        })
    })
}
