//! A package name that Kubernetes does not accept.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC006",
    name: "invalid-package-name",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a package name with capital letters, dots, or other characters, or a long one",
    explanation: "\
A package name is a DNS label: lowercase letters, digits, and `-`, with a letter or digit at
both ends, and at most 63 characters. Since version 1.41, opm refuses a catalog with any other
package name: none of its operators can be installed or updated.

Subscriptions name the package. If clusters already have one, a new name is a new package
for them.",
    bad: "schema: olm.package\nname: Example.Operator",
    good: "schema: olm.package\nname: example-operator",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::PackageName(name) = &objection.kind else { return None };
    let is_wrong = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let why = if name.chars().any(|c| c.is_ascii_uppercase()) {
        "contains capital letters"
    } else if name.contains('.') {
        "contains a dot"
    } else if name.contains(is_wrong) {
        "contains a character other than a letter, a digit, and `-`"
    } else if name.len() > 63 {
        "has more than 63 characters"
    } else {
        "begins or ends with `-`"
    };
    let message = format!("the package name `{}` {why}, {REFUSED}", whole(name));
    let help = "use lowercase letters, digits, and `-`, in the `package` of its channels and bundles \
                too";
    Some(Finding::at(&RULE, objection.span, message).help(help))
}
