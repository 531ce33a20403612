//! Two keys of a document that differ only by case.

use crate::catalog::declared::LoadCause;
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC023",
    name: "ambiguous-key",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "two keys of a document of a catalog that differ only by case",
    explanation: "\
opm reads the keys of a catalog in any case: `Name` is `name`. If two keys at the top of a document
differ only by case, opm refuses the catalog: none of its operators can be installed or
updated.",
    bad: "schema: olm.package\nname: example\nName: example",
    good: "schema: olm.package\nname: example",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Load(LoadCause::RepeatedKey(key)) = &objection.kind else { return None };
    let message =
        format!("this document has the key `{}` twice, in different case, {REFUSED}", whole(key));
    Some(Finding::at(&RULE, objection.span, message).help("keep one of the two keys"))
}
