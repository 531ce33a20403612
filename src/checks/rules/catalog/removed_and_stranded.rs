//! Bundles that a change removes from a channel, although installs of them find no update.

use std::cmp::Ordering;

use crate::catalog::package::{CatalogChannel, Package};
use crate::catalog::simulation::{ChannelMoves, Install, Resolver, Trial};
use crate::domain::HashSet;
use crate::rules::{
    CatalogChange, CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole,
};
use crate::text::words::{counted, listed, quoted};

use super::shared::{names_to_copy, version_of};

pub(super) static RULE: Rule = Rule {
    code: "OC102",
    name: "removed-and-stranded",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a published entry that the change removes without an update for its installs",
    explanation: "\
Somebody may have installed every bundle that was ever published. When a change removes
its entry, an install stays where it is until an entry of the channel replaces it, skips
it, or has a `skipRange` that contains its version. Without one, the install is stranded:
there is no update and no error, and its Subscription says `AtLatestKnown`.

An entry can replace or skip a bundle that is not in the catalog. So it is enough to keep
the name: under `skips` of the head, or as `replaces` of the oldest entry. This also holds
if the bundle is withdrawn because it is bad.

This check needs `--base`. It takes the entries before the change as installs, and looks
where OLM v0 moves them after the change.",
    bad: "\
# before: example.v1.0.0 is the only entry
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0",
    good: "\
# before: example.v1.0.0 is the only entry
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::CatalogChange(check),
};

fn check(change: &CatalogChange<'_>, findings: &mut Vec<Finding>) {
    for before in change.before.packages {
        let Some(after) = change.after.package(&before.name) else { continue };
        for channel in &before.channels {
            if let Some(now) = after.channel(&channel.name) {
                findings.extend(finding(change.after, before, channel, after, now));
            }
        }
    }
}

fn finding(
    subject: &CatalogSubject<'_>,
    before: &Package,
    was: &CatalogChannel,
    after: &Package,
    now: &CatalogChannel,
) -> Option<Finding> {
    let kept: HashSet<&str> = now.entries.iter().map(|entry| entry.name.as_str()).collect();
    let removed = was.entries.iter().filter(|entry| !kept.contains(entry.name.as_str()));
    let removed: Vec<Install<'_>> = removed
        .filter_map(|entry| {
            let bundle = before.bundle(&entry.name)?;
            let version = bundle.version.as_ref();
            Some(Install { name: &entry.name, version, is_entry: false })
        })
        .collect();
    let moves = ChannelMoves::of(after, now, &removed, Resolver::V0).ok()?;
    // opm refuses a channel without an order.
    moves.order.as_ref().ok()?;
    let stuck = moves.stuck().into_iter().map(|stuck| stuck.install);
    let stuck = stuck.filter(|install| !kept.contains(moves.name(*install)));
    let names: Vec<&str> = stuck.map(|install| moves.name(install)).collect();
    let head = moves.name(*moves.heads.first()?);
    let place = subject.entry(&moves, head)?.name.span;
    let who = match names.as_slice() {
        [] => return None,
        [one] => format!("`{}` is", whole(one)),
        several => format!("{} are", counted(several.len(), "entry")),
    };
    let what = match names.as_slice() {
        [_] => "no entry updates it: its installs are",
        _ => "no entry updates them: their installs are",
    };
    let list = match names.as_slice() {
        [_] => String::new(),
        several => format!(" ({})", listed(&quoted(several), "and")),
    };
    let message =
        format!("{who} removed from channel `{}`{list}, and {what} stranded", whole(&now.name));
    let was_target = names.first().and_then(|name| {
        let entry = was.entries.iter().find(|entry| entry.replaces == *name)?;
        Some(entry.name.as_str())
    });
    let help = help(&moves, &removed, &names, was_target);
    let about = format!("{} {} {}", after.name, now.name, names.join(" "));
    Some(Finding::at(&RULE, place, message).help(help).about(about))
}

/// Suggests what unblocks the installs. Each edit has been tried.
fn help(
    moves: &ChannelMoves<'_>,
    removed: &[Install<'_>],
    names: &[&str],
    was_target: Option<&str>,
) -> String {
    let (it, back) = if names.len() == 1 { ("it", "the entry") } else { ("them", "the entries") };
    let head = moves.heads.first().copied();
    let version = head.and_then(|head| version_of(moves, head));
    let is_higher = |name: &&str| {
        let install = removed.iter().find(|install| install.name == *name);
        let install = install.and_then(|install| install.version);
        install.zip(version).is_some_and(|(own, head)| own.compare(head) == Ordering::Greater)
    };
    if names.iter().any(is_higher) {
        return format!("add {back} back, or publish a higher version that skips {it}");
    }
    let head = head.map(|head| moves.name(head)).unwrap_or_default();
    let trial = Trial::new(moves);
    // An entry that replaces nothing could replace the removed one, as it did before.
    if let [name] = names {
        for target in was_target.into_iter().chain([head]) {
            let edit = |channel: &mut CatalogChannel| {
                let mut entries = channel.entries.iter_mut();
                let entry = entries.find(|entry| entry.name == target);
                if let Some(entry) = entry.filter(|entry| entry.replaces.is_empty()) {
                    (*name).clone_into(&mut entry.replaces);
                }
            };
            if trial.unblocks(names, edit) {
                let (target, name) = (whole(target), whole(name));
                return format!(
                    "let `{target}` replace it (`replaces: {name}`), or add {back} back"
                );
            }
        }
    }
    match trial.skips_that_unblock(names, head) {
        Some(skips) => format!(
            "add {} to the `skips` of `{}`, or add {back} back",
            names_to_copy(&skips),
            whole(head)
        ),
        None => format!("add {back} back, or let an entry of the channel replace or skip {it}"),
    }
}
