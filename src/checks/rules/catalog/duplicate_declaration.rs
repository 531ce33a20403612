//! A name that is declared twice.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::{REFUSED, with_related};

pub(super) static RULE: Rule = Rule {
    code: "OC005",
    name: "duplicate-declaration",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "two declarations of the same package, channel, entry, bundle, or deprecation",
    explanation: "\
In a catalog, the name of a package is unique. In a package, so are the names of channels
and those of bundles, and in a channel those of entries. A package has at most one document
`olm.deprecations`, which deprecates each thing once. opm refuses a catalog with duplicates:
none of its operators can be installed or updated.

opm reads all files in all folders. A copy of a file is a duplicate of all that it
declares, unless `.indexignore` names it.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.0.0
  skipRange: <1.0.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  skipRange: <1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Duplicate { what, name } = &objection.kind else { return None };
    // If the name is empty, another rule reports the missing name.
    if name.is_empty() && matches!(*what, "bundle" | "entry") {
        return None;
    }
    let name = whole(name);
    let span = objection.span;
    let copy = "remove one of them, or name the copied file in `.indexignore`";
    let is_document =
        (subject.declared.deprecations_around(span)).is_some_and(|blob| blob.package.span == span);
    let (message, help) = match *what {
        "channel" => (
            format!("channel `{name}` is declared twice"),
            "move all entries into one declaration, or rename one channel",
        ),
        "entry" => (
            format!("entry `{name}` is in this channel twice"),
            "merge the two entries into one, with all `skips` and one `replaces`",
        ),
        "deprecation" if is_document => (
            format!("package `{name}` has two documents `olm.deprecations`"),
            "move all deprecations into one document",
        ),
        "deprecation" if name.is_empty() => {
            ("the package is deprecated twice".to_owned(), "remove one of the two deprecations")
        }
        "deprecation" => {
            (format!("`{name}` is deprecated twice"), "remove one of the two deprecations")
        }
        what => (format!("{what} `{name}` is declared twice"), copy),
    };
    let finding = Finding::at(&RULE, span, format!("{message}, {REFUSED}")).help(help);
    Some(with_related(finding, objection.related.iter().copied(), "the first one is here"))
}
