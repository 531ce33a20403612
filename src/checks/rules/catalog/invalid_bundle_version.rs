//! The version or the release of a bundle that opm cannot use.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC010",
    name: "invalid-bundle-version",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a bundle whose version, release, or name with a release opm does not accept",
    explanation: "\
The `version` in the property `olm.package` is a semantic version: three numbers without
leading zeros and without `v`, such as `1.0.0`, `1.0.0-rc.1`, or `1.0.0+build.2`.

The `release`, which is optional, tells rebuilds of one version apart. It has at most 20
characters: numbers and words with dots between them. With a release, the version has no
`+`, and the name of the bundle is the package, `-v`, the version, `-`, and the release:
`example-v1.0.0-2`.

opm refuses a catalog with any other version: none of its operators can be installed or
updated.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0
image: registry.example.com/example:v1.0
properties:
- type: olm.package
  value:
    packageName: example
    version: v1.0",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0
properties:
- type: olm.package
  value:
    packageName: example
    version: 1.0.0",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let (message, help) = match &objection.kind {
        ObjectionKind::Version { version, .. } if version.is_empty() => {
            let help = "add `version`, with three numbers such as `1.0.0`".to_owned();
            (format!("this property `olm.package` has no `version`, {REFUSED}"), help)
        }
        ObjectionKind::Version { version, .. } => (
            format!("`{}` is not a semantic version, {REFUSED}", whole(version)),
            help_with(version).to_owned(),
        ),
        ObjectionKind::Release { release, .. } if release.len() > 20 => (
            format!("the release `{}` has more than 20 characters, {REFUSED}", whole(release)),
            "shorten it".to_owned(),
        ),
        ObjectionKind::Release { release, .. } => (
            format!("`{}` is not a release, {REFUSED}", whole(release)),
            "write numbers without leading zeros, or words of letters, digits, and `-`, with one \
             dot between them"
                .to_owned(),
        ),
        ObjectionKind::BuildAndRelease => (
            format!("this bundle has a `release`, and its version has a `+` too, {REFUSED}"),
            "remove the `+` and what follows it from `version`, or remove `release`".to_owned(),
        ),
        ObjectionKind::Name { name, normalized } => (
            format!(
                "a bundle with a `release` has one possible name, and `{}` is not it, {REFUSED}",
                whole(name)
            ),
            format!("write `name: {normalized}`, in the entries of its channels too"),
        ),
        _ => return None,
    };
    Some(Finding::at(&RULE, objection.span, message).help(help))
}

fn help_with(version: &str) -> &'static str {
    let core = version.trim().trim_start_matches(['v', 'V', '=']);
    let numbers: Vec<&str> = core.split(['-', '+']).next().unwrap_or(core).split('.').collect();
    let has_leading_zero = numbers.iter().any(|number| number.len() > 1 && number.starts_with('0'));
    if version.starts_with(['v', 'V']) && numbers.len() == 3 {
        "remove the `v`"
    } else if numbers.len() < 3 {
        "write three numbers without `v`, such as `1.0.0`"
    } else if numbers.len() > 3 {
        "write three numbers; a fourth one can follow `-` or `+`, or be the `release`"
    } else if has_leading_zero {
        "remove the leading zeros: `1.08.0` is `1.8.0`"
    } else {
        "write three numbers, such as `1.0.0`; `-` and `+` can follow, with letters, digits, dots, \
         and `-`"
    }
}
