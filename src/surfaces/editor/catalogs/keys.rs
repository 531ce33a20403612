//! The keys and the fixed values of catalogs and templates.

use crate::catalog::SEMVER_TEMPLATE_KEYS;
use crate::editor::completion::{Completion, CompletionKind};

use super::blob::BlobKind;

/// The values of `schema` in a catalog, with what each is.
const SCHEMAS: [(&str, &str); 4] = [
    ("olm.package", "An operator, and its default channel."),
    ("olm.channel", "A stream of updates: its entries, and what each replaces and skips."),
    ("olm.bundle", "One version of an operator: its image and its properties."),
    ("olm.deprecations", "Messages for packages, channels, and bundles that are deprecated."),
];

const TEMPLATES: [(&str, &str); 3] = [
    ("olm.template.basic", "A template that `opm alpha render-template basic` reads."),
    ("olm.template.substitutes", "A template whose entries can substitute for others."),
    ("olm.semver", "A template that `opm alpha render-template semver` reads."),
];

/// The values of `type` in properties, with what each says.
const PROPERTIES: [(&str, &str); 8] = [
    ("olm.package", "The package and the version of the bundle."),
    ("olm.package.required", "A package that the operator needs."),
    ("olm.gvk", "An API that the operator provides."),
    ("olm.gvk.required", "An API that the operator needs."),
    ("olm.constraint", "What must hold for the operator to be installed."),
    ("olm.maxOpenShiftVersion", "The last minor version of OpenShift that the operator supports."),
    ("olm.csv.metadata", "What the console shows of the operator."),
    ("olm.bundle.object", "A manifest of the bundle."),
];

/// The values of a key that has a few fixed ones.
pub(super) fn values(kind: BlobKind, keys: &[&str], is_in_template: bool) -> Vec<Completion> {
    let fixed = |values: &[(&str, &str)], detail: &str| -> Vec<Completion> {
        let item = |(value, about): &(&str, &str)| {
            Completion::new(CompletionKind::Value, *value, detail).about(about)
        };
        values.iter().map(item).collect()
    };
    match keys {
        ["schema" | "Schema"] => {
            let mut schemas = fixed(&SCHEMAS, "schema");
            if !is_in_template {
                schemas.extend(fixed(&TEMPLATES, "schema"));
            }
            schemas
        }
        ["entries", "reference", "schema"] => fixed(&SCHEMAS[..3], "schema"),
        ["properties", "type"] => fixed(&PROPERTIES, "property"),
        [key] if matches!(kind, BlobKind::SemverTemplate { .. }) => {
            let values: &[&str] = match key.to_ascii_lowercase().as_str() {
                "generatemajorchannels" | "generateminorchannels" => &["true", "false"],
                "defaultchanneltypepreference" => &["minor", "major"],
                _ => &[],
            };
            values.iter().map(|value| Completion::new(CompletionKind::Value, *value, "")).collect()
        }
        _ => Vec::new(),
    }
}

/// The keys of a mapping, without those that it has.
pub(super) fn keys(kind: BlobKind, parents: &[&str], others: &[String]) -> Vec<Completion> {
    let known: &[&str] = match (kind, parents) {
        (BlobKind::SemverTemplate { .. }, _) => of_semver_template(parents),
        (BlobKind::Package, []) => {
            &["schema", "name", "defaultChannel", "description", "icon", "properties"]
        }
        (BlobKind::Channel, []) => &["schema", "package", "name", "entries", "properties"],
        (BlobKind::Bundle, []) => {
            &["schema", "package", "name", "image", "properties", "relatedImages"]
        }
        (BlobKind::Deprecations, []) => &["schema", "package", "entries"],
        (BlobKind::Deprecations, ["entries"]) => &["reference", "message"],
        (BlobKind::Deprecations, ["entries", "reference"]) => &["schema", "name"],
        (BlobKind::Template, []) => &["schema", "entries"],
        (BlobKind::Template, ["entries"]) | (BlobKind::Unknown, []) => {
            &["schema", "package", "name", "entries", "defaultChannel", "image", "properties"]
        }
        (BlobKind::Channel | BlobKind::Unknown, ["entries"]) => {
            &["name", "replaces", "skips", "skipRange"]
        }
        (_, ["properties"]) => &["type", "value"],
        _ => &[],
    };
    let is_written = |key: &str| others.iter().any(|other| other.eq_ignore_ascii_case(key));
    let is_capitalized = kind == BlobKind::SemverTemplate { is_capitalized: true };
    let item = |key: &&str| {
        let (first, rest) = key.split_at(1);
        let first = if is_capitalized { first.to_uppercase() } else { first.to_owned() };
        Completion::new(kind_of(key), format!("{first}{rest}"), "")
    };
    known.iter().filter(|key| !is_written(key)).map(item).collect()
}

fn of_semver_template(parents: &[&str]) -> &'static [&'static str] {
    let parents: Vec<String> = parents.iter().map(|key| key.to_ascii_lowercase()).collect();
    let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
    match parents.as_slice() {
        [] => &SEMVER_TEMPLATE_KEYS,
        ["candidate" | "fast" | "stable"] => &["bundles"],
        ["candidate" | "fast" | "stable", "bundles"] => &["image"],
        _ => &[],
    }
}

fn kind_of(key: &str) -> CompletionKind {
    match key {
        "entries" | "properties" | "skips" | "relatedImages" | "reference" | "value"
        | "candidate" | "fast" | "stable" | "bundles" => CompletionKind::KeyOfLines,
        _ => CompletionKind::Key,
    }
}
