//! A document without a schema.

use crate::catalog::declared::LoadCause;
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC003",
    name: "missing-schema",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a document of a catalog that has no `schema`",
    explanation: "\
Each document of a catalog says what it declares: `olm.package`, `olm.channel`,
`olm.bundle`, or `olm.deprecations`. opm accepts other schemas too, and ignores them. It
refuses a document without a schema, and with it the whole catalog: none of its operators
can be installed or updated.

A document with only a comment or blank lines also has no schema: a license above a
`---`, for example. A JSON or YAML file of another program belongs in `.indexignore`.",
    bad: "name: example\ndefaultChannel: stable",
    good: "schema: olm.package\nname: example\ndefaultChannel: stable",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Load(LoadCause::NoSchema) = &objection.kind else { return None };
    let message = format!("this document has no `schema`, {REFUSED}");
    let help = "add `schema: olm.package`, `olm.channel`, `olm.bundle`, or `olm.deprecations`; if \
                the document is empty or only a comment, remove the `---` beside it; a file that \
                is not part of the catalog belongs in `.indexignore`";
    Some(Finding::at(&RULE, objection.span, message).help(help))
}
