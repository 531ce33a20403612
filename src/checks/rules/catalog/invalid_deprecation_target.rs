//! A deprecation of something that does not exist or cannot be deprecated.

use crate::catalog::{Objection, ObjectionKind, Owner};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::closest;

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC021",
    name: "invalid-deprecation-target",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a deprecation of something that the package does not have or that is never deprecated",
    explanation: "\
Each entry of `olm.deprecations` has a `reference` with a `schema`: `olm.package`,
`olm.channel`, or `olm.bundle`. For a channel or a bundle, `name` is that of one in the same
package. For the package itself, there is no `name`. opm refuses a catalog with any
other reference: none of its operators can be installed or updated.

Whoever removes a channel or a bundle removes its deprecation too.",
    bad: "\
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: stabel
  message: The channel stable ends in June. Use stable-v2.",
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

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let (message, help) = match &objection.kind {
        ObjectionKind::DeprecationSchema => (
            "the `reference` of this deprecation has no `schema`".to_owned(),
            "add `schema: olm.package`, `olm.channel`, or `olm.bundle`".to_owned(),
        ),
        ObjectionKind::UnknownDeprecationSchema(schema) => {
            let known = ["olm.package", "olm.channel", "olm.bundle"];
            let help = match closest(schema, known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "use `olm.package`, `olm.channel`, or `olm.bundle`".to_owned(),
            };
            (format!("`{}` cannot be deprecated", whole(schema)), help)
        }
        ObjectionKind::DeprecatedPackageName(name) => (
            format!("the deprecation of a package names `{}`", whole(name)),
            "remove `name`: the package is that of the document".to_owned(),
        ),
        ObjectionKind::UnknownDeprecated { owner, name } => {
            let blob = subject.declared.deprecations_around(objection.span)?;
            let what = if *owner == Owner::Bundle { "bundle" } else { "channel" };
            if name.is_empty() {
                (
                    format!("the `reference` of this deprecation has no `name` of a {what}"),
                    format!("add `name`, below `schema: olm.{what}`"),
                )
            } else {
                let package = &blob.package.value;
                let help = match similar(subject, *owner, package, name) {
                    Some(meant) => format!("did you mean `{}`?", whole(meant)),
                    None => "correct the name, or remove this deprecation".to_owned(),
                };
                let message = format!(
                    "{what} `{}` is deprecated, but package `{}` does not have it",
                    whole(name),
                    whole(package)
                );
                (message, help)
            }
        }
        _ => return None,
    };
    Some(Finding::at(&RULE, objection.span, format!("{message}, {REFUSED}")).help(help))
}

/// The known name that an unknown name probably means. Names with different numbers mean different
/// things.
fn similar<'a>(
    subject: &CatalogSubject<'a>,
    owner: Owner,
    package: &str,
    name: &str,
) -> Option<&'a str> {
    const MANY: usize = 1000;
    let package = subject.package(package)?;
    let names: Vec<&str> = if owner == Owner::Bundle {
        package.bundles.iter().map(|bundle| bundle.name.as_str()).collect()
    } else {
        package.channels.iter().map(|channel| channel.name.as_str()).collect()
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    if names.len() > MANY {
        return None;
    }
    closest(name, names.into_iter().filter(|known| digits(known) == digits(name)))
}
