//! A channel that the catalog of the next OpenShift lacks, although it has the package.

use crate::catalog::next::{crossing, is_saved_by_channel, without_update};
use crate::catalog::simulation::ChannelMoves;
use crate::rules::{
    CatalogSubject, Check, Family, Finding, NextCatalog, Properties, Rule, Severity, whole,
};
use crate::text::words::{counted, listed, quoted};

use super::shared::next::after_update;

pub(super) static RULE: Rule = Rule {
    code: "OC135",
    name: "next-without-channel",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a channel that the catalog of the next OpenShift does not have",
    explanation: "\
A Subscription names its channel. After the update of a cluster to the next minor version
of OpenShift, OLM looks for the channel in the catalog of that version. If it is not there,
the operator gets no updates, and OLM reports `no operators found in channel`. The other
operators of the namespace get no updates either.

Add the channel to the next catalog, even if it gets no new entries there, and deprecate it
with `olm.deprecations`. Users who follow another channel before the update keep their
updates, if the next catalog has that channel.

This check needs the next catalog: `--next-catalog`, or a folder with a catalog for each
version, such as `v4.20` and `v4.21`. Installs that block the update do not count.",
    bad: "\
# v4.20/catalog.yaml. v4.21/catalog.yaml has the package, but not this channel.
schema: olm.channel
package: example
name: release-1
entries:
- name: example.v1.0.0",
    good: "\
# v4.20/catalog.yaml and v4.21/catalog.yaml
schema: olm.channel
package: example
name: release-1
entries:
- name: example.v1.0.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let Some(next) = &subject.next else { return };
    for moves in subject.moves() {
        let Some(package) = next.package(&moves.package.name) else { continue };
        if package.channel(&moves.channel.name).is_some() {
            continue;
        }
        let names = crossing(moves.package, moves.channel, next.from);
        if !names.is_empty() {
            findings.extend(finding(subject, next, moves, &names));
        }
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    next: &NextCatalog<'_>,
    moves: &ChannelMoves<'_>,
    names: &[&str],
) -> Option<Finding> {
    let (package, channel) = (&moves.package.name, &moves.channel.name);
    let message = format!(
        "{}, its catalog does not have channel `{}` of package `{}`: installs of {} get no updates, \
         and OLM reports an error for their Subscriptions",
        after_update(next),
        whole(channel),
        whole(package),
        counted(names.len(), "entry"),
    );
    let place = subject.places.channel(package, channel)?.name.span;
    let about = format!("{package} {channel} in {}", next.name);
    let finding = Finding::at(&RULE, place, message).installs(names).about(about);
    let finding = match next.places.package(package) {
        Some(there) => finding.related(there.name.span, "the package in the next catalog"),
        None => finding,
    };
    Some(finding.help(help(subject, next, moves, names)))
}

/// Suggests what rescues all of these installs. Each suggestion has been tried.
fn help(
    subject: &CatalogSubject<'_>,
    next: &NextCatalog<'_>,
    moves: &ChannelMoves<'_>,
    names: &[&str],
) -> String {
    let package = next.package(&moves.package.name);
    let is_enough = package.is_some_and(|package| is_saved_by_channel(moves, package, names));
    let entries: Vec<String> =
        moves.channel.entries.iter().map(|entry| whole(&entry.name)).collect();
    let minor = whole(&next.name);
    let mut help = if is_enough {
        let with = listed(&quoted(&entries), "and");
        format!("add the channel with {with} to the catalog of {minor}")
    } else {
        format!(
            "add the channel to the catalog of {minor}, and let its entries update the installs"
        )
    };
    // Another channel that both catalogs have, and in which the installs reach the head here.
    let others = subject.ordered().filter(|other| {
        other.package.name == moves.package.name
            && package.is_some_and(|package| package.channel(&other.channel.name).is_some())
    });
    let takes_all = |other: &&ChannelMoves<'_>| {
        let far = other.far_from_head();
        let there = package.and_then(|one| Some((one, one.channel(&other.channel.name)?)));
        let lost = there.and_then(|there| without_update(other, there, next.from));
        let is_lost = |name: &str| lost.as_ref().is_some_and(|lost| lost.names.contains(&name));
        if other.heads.iter().any(|head| is_lost(other.name(*head))) {
            return false;
        }
        names.iter().all(|name| other.named(name).is_some_and(|node| !far.contains(&node)))
    };
    if let Some(other) = others.into_iter().find(takes_all) {
        help.push_str("; users can also switch to channel `");
        help.push_str(&whole(&other.channel.name));
        help.push_str("` before the update, and update there first");
    }
    help
}
