//! Installs that the catalog of the next OpenShift neither has nor updates.

use crate::catalog::next::{Rescue, WithoutUpdate, without_update};
use crate::rules::{
    CatalogSubject, Check, Family, Finding, NextCatalog, Properties, Rule, Severity, whole,
};
use crate::text::words::{counted, listed, quoted};

use super::shared::names_to_copy;
use super::shared::next::after_update;

pub(super) static RULE: Rule = Rule {
    code: "OC136",
    name: "next-without-update",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "installs that the catalog of the next OpenShift strands",
    explanation: "\
After the update of a cluster to the next minor version of OpenShift, installed operators
get their updates from the catalog of that version. An install whose entry is not in it
needs an entry there that replaces it, skips it, or has a `skipRange` that contains it.
Without one, it is stranded: there is no update and no error, and its Subscription says
`AtLatestKnown`.

The usual cause: the next catalog begins with a later version, and its first entry lost its
`replaces`. An entry can replace or skip a bundle that is not in the catalog, so keep the
name, or give the entry a `skipRange` with all earlier versions.

The help has the smallest edit of the next catalog that saves all of the installs. It was
tried: they reach the head, and nobody else is stranded, with OLM v0 and v1.

This check needs the next catalog: `--next-catalog`, or a folder with a catalog for each
version, such as `v4.20` and `v4.21`. Installs that block the update do not count, nor do
those that are stuck before the update.",
    bad: "\
# v4.20/catalog.yaml also has example.v1.0.0
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0",
    good: "\
# v4.20/catalog.yaml also has example.v1.0.0
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let Some(next) = &subject.next else { return };
    for moves in subject.ordered() {
        let Some(package) = next.package(&moves.package.name) else { continue };
        let Some(channel) = package.channel(&moves.channel.name) else { continue };
        if let Some(lost) = without_update(moves, (package, channel), next.from) {
            findings.extend(finding(subject, next, &lost));
        }
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    next: &NextCatalog<'_>,
    lost: &WithoutUpdate<'_>,
) -> Option<Finding> {
    let (package, channel) = (&lost.moves.package.name, &lost.moves.channel.name);
    let first = subject.places.entry(package, channel, lost.names.first()?)?;
    let names: Vec<String> = lost.names.iter().map(|name| whole(name)).collect();
    let who = match names.as_slice() {
        [one] => format!("installs of `{one}`"),
        several => format!(
            "installs of {} ({})",
            counted(several.len(), "entry"),
            listed(&quoted(several), "and")
        ),
    };
    let message = format!(
        "{}, {who} never reach the head of channel `{}`: its catalog has no update for them",
        after_update(next),
        whole(channel),
    );
    let about = format!("{package} {channel} {} in {}", lost.names.join(" "), next.name);
    let mut finding = Finding::at(&RULE, first.name.span, message).about(about);
    let edited = match &lost.rescue {
        Some(Rescue::Replaces { entry, .. }) => Some(entry.as_str()),
        Some(Rescue::Edit(edit)) => Some(edit.entry()),
        Some(Rescue::Bring(_)) | None => None,
    };
    let there = edited.and_then(|entry| next.places.entry(package, channel, entry));
    if let (Some(there), Some(entry)) = (there, edited) {
        let declared = lost.moves.channel.entries.iter().find(|one| one.name == entry);
        let has_replaces = declared.is_some_and(|one| !one.replaces.is_empty());
        let words = if has_replaces {
            "this entry of the next catalog can update them"
        } else {
            "this entry of the next catalog has no `replaces`"
        };
        finding = finding.related(there.name.span, words);
    } else if let Some(there) = next.places.channel(package, channel) {
        finding = finding.related(there.name.span, "the channel in the next catalog");
    }
    Some(finding.help(help(next, lost)).installs(&lost.names))
}

fn help(next: &NextCatalog<'_>, lost: &WithoutUpdate<'_>) -> String {
    let there = format!("in the catalog of {}", whole(&next.name));
    match &lost.rescue {
        Some(Rescue::Replaces { entry, name }) => {
            format!("{there}, let `{}` replace it (`replaces: {}`)", whole(entry), whole(name))
        }
        Some(Rescue::Edit(edit)) => format!("{there}, {}", edit.in_words()),
        Some(Rescue::Bring(names)) => {
            format!("{there}, add {} to the channel, with their bundles", names_to_copy(names))
        }
        None => format!("{there}, let an entry of the channel replace or skip them"),
    }
}
