//! A bundle without an image, or with one that is not a pull spec.

use crate::catalog::{Objection, ObjectionKind};
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::REFUSED;

pub(super) static RULE: Rule = Rule {
    code: "OC009",
    name: "invalid-image",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a bundle without an image, or an image that is not a valid pull spec",
    explanation: "\
A bundle has an `image`, from which OLM installs it. Only a bundle with properties
`olm.bundle.object` needs none. `image` and the `relatedImages` are pull specs: a registry, a
repository in lowercase, and a tag or a digest. A digest is `sha256:` and 64 hexadecimal
digits, or the longer `sha384:` and `sha512:`.

opm refuses a catalog with a bundle without an image and, since version 1.64, one with an image
that is not a pull spec: none of its operators can be installed or updated.",
    bad: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: https://registry.example.com/example:v1.0.0",
    good: "\
schema: olm.bundle
package: example
name: example.v1.0.0
image: registry.example.com/example:v1.0.0",
    check: Check::Objection(check),
};

fn check(subject: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let span = objection.span;
    match &objection.kind {
        ObjectionKind::NoImage => {
            let name = subject.declared.bundle_around(span).map(|bundle| whole(&bundle.name.value));
            let name = name.unwrap_or_default();
            let message = format!("bundle `{name}` has no `image`, {REFUSED}");
            Some(Finding::at(&RULE, span, message).help("add the pull spec of its bundle image"))
        }
        ObjectionKind::Image { image, why } => {
            let message = format!("`{}` is not a pull spec, {REFUSED}", whole(image));
            Some(Finding::at(&RULE, span, message).help(help(image, why)))
        }
        _ => None,
    }
}

fn help(image: &str, why: &str) -> String {
    let is_digest = why.contains("digest") || image.contains("@sha");
    if let Some((scheme, _)) = image.split_once("://") {
        format!("remove `{}://`", whole(scheme))
    } else if image.contains(char::is_whitespace) {
        "remove the spaces".to_owned()
    } else if why.contains("lowercase") {
        "write the repository in lowercase".to_owned()
    } else if is_digest {
        "a digest is `@sha256:` and 64 lowercase hexadecimal digits".to_owned()
    } else if why.contains("characters") {
        "shorten the name of the repository".to_owned()
    } else {
        "write `registry/repository:tag` or `registry/repository@sha256:` and the digest".to_owned()
    }
}
