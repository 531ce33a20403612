//! A deprecation without a message.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC022",
    name: "deprecation-without-message",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a deprecation whose `message` is missing or empty",
    explanation: "\
Administrators read the message of a deprecation in the console and in the conditions of
their Subscriptions. opm refuses a catalog with a deprecation without a message: none of its
operators can be installed or updated.

Say until when the deprecated thing is supported, and what to use instead.",
    bad: "\
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: stable",
    good: "\
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: stable
  message: The channel stable ends in June. Use stable-v2.",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::DeprecationMessage = &objection.kind else { return None };
    let message = format!("this deprecation has no `message`, {REFUSED}");
    let help = "add a `message` beside `reference`: until when it is supported, and what to use \
                instead";
    Some(Finding::at(&RULE, objection.span, message).help(help))
}
