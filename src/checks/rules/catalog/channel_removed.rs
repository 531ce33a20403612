//! A channel that a change removes.

use crate::catalog::package::Package;
use crate::rules::{
    CatalogChange, Check, Family, Finding, Place, Properties, Rule, Severity, whole,
};
use crate::text::closest;
use crate::text::words::{counted, listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "OC103",
    name: "channel-removed",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a channel or a package that the change removes from the catalog",
    explanation: "\
A Subscription names its channel. If the channel is gone, its operator gets no updates,
and OLM reports `no operators found in channel`. OLM resolves all Subscriptions of a
namespace together, so the other operators there get no updates either.

Keep the channel, even if it gets no new entries, and deprecate it with
`olm.deprecations`: then the console tells users to switch. A renamed channel is a removed
one for Subscriptions.

This check needs `--base`.",
    bad: "\
# before: there is also a channel beta
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0",
    good: "\
schema: olm.deprecations
package: example
entries:
- reference:
    schema: olm.channel
    name: beta
  message: Channel beta gets no updates. Switch to stable.",
    check: Check::CatalogChange(check),
};

fn check(change: &CatalogChange<'_>, findings: &mut Vec<Finding>) {
    for before in change.before.packages {
        match change.after.package(&before.name) {
            Some(after) => findings.extend(removed_channels(change, before, after)),
            None => findings.extend(removed_package(change, before)),
        }
    }
}

fn removed_channels(
    change: &CatalogChange<'_>,
    before: &Package,
    after: &Package,
) -> Option<Finding> {
    let channels = before.channels.iter().filter(|channel| !channel.entries.is_empty());
    let gone = channels.filter(|channel| after.channel(&channel.name).is_none());
    let names: Vec<&str> = gone.map(|channel| channel.name.as_str()).collect();
    let place = change.after.places.package(&after.name)?.name.span;
    let known = after.channels.iter().map(|channel| channel.name.as_str());
    let known: Vec<&str> = known.filter(|name| before.channel(name).is_none()).collect();
    let shown: Vec<String> = names.iter().map(|name| whole(name)).collect();
    let message = match names.as_slice() {
        [] => return None,
        [_] => format!(
            "channel `{}` is removed: OLM reports an error for Subscriptions to it, and their \
             operators get no updates",
            shown[0]
        ),
        _ => format!(
            "channels {} are removed: OLM reports an error for Subscriptions to them, and their \
             operators get no updates",
            listed(&quoted(&shown), "and")
        ),
    };
    let (channel, it) =
        if names.len() == 1 { ("the channel", "it") } else { ("the channels", "them") };
    let renamed = match names.as_slice() {
        [one] => closest(one, known.iter().copied()),
        _ => None,
    };
    let more = renamed.map_or_else(String::new, |new| {
        format!("; a rename to `{}` is a removal for Subscriptions", whole(new))
    });
    let help = format!("keep {channel}, and deprecate {it} with `olm.deprecations`{more}");
    let about = format!("{} {}", after.name, names.join(" "));
    Some(Finding::at(&RULE, place, message).help(help).about(about))
}

/// The finding for a removed package. It is at another package or file, because a finding needs a
/// place after the change.
fn removed_package(change: &CatalogChange<'_>, before: &Package) -> Option<Finding> {
    let package = change.after.declared.packages.first();
    let package = package.map(|package| Place::Text(package.name.span));
    let file = || change.after.files.first().map(|file| Place::File(*file));
    let place = package.or_else(file)?;
    let message = format!(
        "package `{}` with {} is removed from the catalog: its installs get no updates, and OLM \
         reports an error for their Subscriptions",
        whole(&before.name),
        counted(before.channels.len(), "channel")
    );
    let help = "keep the package, and deprecate it with `olm.deprecations`";
    Some(Finding::on(&RULE, place, message).help(help).about(before.name.clone()))
}
