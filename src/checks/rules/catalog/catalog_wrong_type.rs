//! A value of the wrong type.

use crate::catalog::declared::LoadCause;
use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC002",
    name: "catalog-wrong-type",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a number, boolean, list, or mapping where a catalog needs another type",
    explanation: "\
opm expects one type for each value. If one value has another type, opm refuses the
whole catalog: none of its operators can be installed or updated.

The usual cause is text without quotes. YAML reads `4.10` as the number 4.1, and `on`,
`off`, `yes`, `no`, `y`, and `n` as booleans. Put quotes around them.",
    bad: "\
schema: olm.channel
package: example
name: 4.10
entries:
- name: example.v1.0.0",
    good: "\
schema: olm.channel
package: example
name: \"4.10\"
entries:
- name: example.v1.0.0",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let (cause, property) = match &objection.kind {
        ObjectionKind::Load(cause) => (cause, None),
        ObjectionKind::PropertyValue { property, cause } => (cause, Some(property.as_str())),
        _ => return None,
    };
    let (message, help) = match cause {
        LoadCause::WrongType { key, expected, found } => {
            let what = what(key, expected, property);
            let is =
                if *found == "nothing" { "has no value".into() } else { format!("is {found}") };
            let message = format!("expected {expected}, but {what} {is}, {REFUSED}");
            (message, help(expected, found).to_owned())
        }
        LoadCause::NotAnObject(found) => {
            let message = format!("expected a mapping, but this document is {found}, {REFUSED}");
            let help = "begin the document with keys such as `schema:`; a file that is not part of \
                        the catalog belongs in `.indexignore`";
            (message, help.to_owned())
        }
        LoadCause::BundleObject => {
            let message = format!("opm cannot decode this bundle object, {REFUSED}");
            let help = "`value` needs a key `data` with a Kubernetes object in base64";
            (message, help.to_owned())
        }
        _ => return None,
    };
    Some(Finding::at(&RULE, objection.span, message).help(help))
}

/// The name of the value with the wrong type. A fault does not say whether it is about a list or
/// one of its items.
fn what(key: &str, expected: &str, property: Option<&str>) -> String {
    let lists = ["entries", "keywords", "properties", "relatedImages", "skips"];
    let key = if key.is_empty() { "value" } else { key };
    let part = match key {
        _ if lists.contains(&key) && expected != "a list" => format!("an item of `{key}`"),
        "annotations" | "labels" if expected == "text" => format!("a value of `{key}`"),
        key => format!("`{key}`"),
    };
    match property {
        Some("") => format!("{part} of this property"),
        Some(property) => format!("{part} of the property `{}`", whole(property)),
        None => part,
    }
}

fn help(expected: &str, found: &str) -> &'static str {
    match (expected, found) {
        ("text", "a number") => {
            "put quotes around the value: without them, YAML reads `4.10` as the number 4.1"
        }
        ("text", "a boolean") => {
            "put quotes around the value: without them, YAML reads `on`, `off`, `yes`, `no`, `y`, \
             and `n` as booleans"
        }
        ("text", "a list") => "write one text, without `- ` and brackets",
        ("text", "nothing") => "add the value",
        ("text", _) => "write text; text with `: ` or braces needs quotes",
        ("base64", _) => "encode the bytes with base64, without a prefix such as `data:`",
        ("a boolean", _) => "write `true` or `false`, without quotes",
        ("a list", _) => "begin each item with `- `, also if there is only one",
        ("a mapping", "text") => "write keys with values, such as `name: example`",
        ("a mapping", _) => "write keys with values",
        _ => "add `value:`",
    }
}
