//! A package that the catalog of the next OpenShift lacks.

use crate::catalog::next::crossing;
use crate::rules::{
    CatalogSubject, Check, Family, Finding, NextCatalog, Properties, Rule, Severity, whole,
};
use crate::text::words::{counted, listed, quoted};

use super::shared::next::{after_update, or_limit};

pub(super) static RULE: Rule = Rule {
    code: "OC134",
    name: "next-without-package",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a package that the catalog of the next OpenShift does not have",
    explanation: "\
A cluster that is updated to the next minor version of OpenShift gets the catalog of that
version. If it does not have the package of an installed operator, the operator stays as
it is without updates, and OLM reports `no operators found in package` for its
Subscription. OLM resolves all Subscriptions of a namespace together, so the other
operators there get no updates either.

Add the package to the next catalog. If the operator does not support that OpenShift, say
so with `olm.maxOpenShiftVersion` in the last bundle of each channel: then OLM blocks the
update of the cluster while it is installed. Installs of earlier bundles without the
property do not block it.

This check needs the next catalog: `--next-catalog`, or a folder with a catalog for each
version, such as `v4.20` and `v4.21`. Installs that block the update do not count.",
    bad: "\
# v4.20/catalog.yaml. v4.21/catalog.yaml does not have the package.
schema: olm.package
name: example
defaultChannel: stable",
    good: "\
# v4.20/catalog.yaml and v4.21/catalog.yaml
schema: olm.package
name: example
defaultChannel: stable",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let Some(next) = &subject.next else { return };
    for package in subject.packages.iter().filter(|own| next.package(&own.name).is_none()) {
        let channels = package.channels.iter();
        let lost: Vec<(&str, Vec<&str>)> = channels
            .map(|channel| (channel.name.as_str(), crossing(package, channel, next.from)))
            .filter(|(_, names)| !names.is_empty())
            .collect();
        findings.extend(finding(subject, next, &package.name, &lost));
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    next: &NextCatalog<'_>,
    package: &str,
    lost: &[(&str, Vec<&str>)],
) -> Option<Finding> {
    let mut names: Vec<&str> = lost.iter().flat_map(|(_, names)| names).copied().collect();
    let count = counted(names.len(), "entry");
    let of_channels = match lost {
        [] => return None,
        [_] => String::new(),
        several => format!(" in {}", counted(several.len(), "channel")),
    };
    let message = format!(
        "{}, its catalog does not have package `{}`: installs of {count}{of_channels} get no updates, \
         and OLM reports an error for their Subscriptions",
        after_update(next),
        whole(package),
    );
    let channels: Vec<String> = lost.iter().map(|(channel, _)| whole(channel)).collect();
    let (noun, heads) = match channels.as_slice() {
        [_] => ("channel", "a new head"),
        _ => ("channels", "new heads"),
    };
    let help = format!(
        "add the package with {noun} {} to the catalog of {}{}",
        listed(&quoted(&channels), "and"),
        whole(&next.name),
        or_limit(next, heads)
    );
    names.sort_unstable();
    names.dedup();
    let place = subject.places.package(package)?.name.span;
    let about = format!("{package} in {}", next.name);
    Some(Finding::at(&RULE, place, message).help(help).installs(&names).about(about))
}
