//! A file of a catalog that is neither JSON nor YAML.

use crate::catalog::declared::LoadCause;
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Place, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "OC001",
    name: "catalog-syntax",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a file of a catalog that cannot be read: neither JSON nor YAML",
    explanation: "\
opm reads every file of a catalog, whatever its name. A file is a stream of JSON
values, or of YAML documents between lines with `---`. If one file cannot be read,
opm loads nothing: the catalog image does not start, and its operators cannot be
installed or updated.

`.indexignore` names files that opm does not read, such as `README.md`. It has the
format of `.gitignore`.",
    bad: "schema: olm.package\n name: example",
    good: "schema: olm.package\nname: example",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::Load(cause) = &objection.kind else { return None };
    let span = objection.span;
    match cause {
        LoadCause::Syntax(why) => {
            let message = format!("opm cannot read this file: {why}");
            let help =
                "fix the syntax; a file that is not part of the catalog belongs in `.indexignore`";
            Some(Finding::at(&RULE, span, message).help(help))
        }
        LoadCause::Input(why) => {
            let help = "exitpath reads catalogs, templates of `opm`, and folders of bundles";
            Some(Finding::at(&RULE, span, why.clone()).help(help))
        }
        LoadCause::Unreadable(why) => {
            let message = format!("this file is not read: {why}");
            let help = "a file that is not part of the catalog belongs in `.indexignore`";
            Some(Finding::on(&RULE, Place::File(span.source), message).help(help))
        }
        _ => None,
    }
}
