//! A channel whose head has a lower version than before the change.

use std::cmp::Ordering;

use crate::catalog::simulation::{ChannelMoves, Install, Resolver};
use crate::rules::{CatalogChange, Check, Family, Finding, Properties, Rule, Severity, whole};

use super::shared::{version_of, version_text};

pub(super) static RULE: Rule = Rule {
    code: "OC104",
    name: "head-went-back",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a change that gives a channel a head with a lower version",
    explanation: "\
The head is what new Subscriptions install, and where updates end. After such a change,
new users get an older version than before. The installs of the former head stay on
it until there is an update from it, or OLM v0 moves them down to the new head.
Most operators are not tested for downgrades.

The usual causes are a former head with a wrong version, a bad release that is withdrawn,
and entries in the wrong order. To withdraw a release, publish a fixed one with a higher
version that skips it.

This check needs `--base`.",
    bad: "\
# before: example.v1.1.0 is the head
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
  skips: [example.v1.1.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.1
  replaces: example.v1.0.0
  skips: [example.v1.1.0]",
    check: Check::CatalogChange(check),
};

fn check(change: &CatalogChange<'_>, findings: &mut Vec<Finding>) {
    for was in change.before.moves() {
        let package = change.after.package(&was.package.name);
        let channel = package.and_then(|package| package.channel(&was.channel.name));
        if let (Some(package), Some(channel)) = (package, channel) {
            let Some(head) = was.heads.first() else { continue };
            let former = Install { is_entry: false, ..was.installs[*head].clone() };
            let is_gone = channel.entries.iter().all(|entry| entry.name != former.name);
            let others = if is_gone { vec![former] } else { Vec::new() };
            if let Ok(moves) = ChannelMoves::of(package, channel, &others, Resolver::V0) {
                findings.extend(finding(change, was, &moves));
            }
        }
    }
}

fn finding(
    change: &CatalogChange<'_>,
    was: &ChannelMoves<'_>,
    now: &ChannelMoves<'_>,
) -> Option<Finding> {
    let (former, head) = (*was.heads.first()?, *now.heads.first()?);
    let (old, new) = (version_of(was, former)?, version_of(now, head)?);
    if new.compare(old) != Ordering::Less {
        return None;
    }
    let installed = now.named(was.name(former))?;
    let effect = if now.moves.next(installed).is_empty() {
        format!("installs of `{}` stay on it", whole(was.name(former)))
    } else {
        format!("OLM v0 downgrades installs of `{}`", whole(was.name(former)))
    };
    let message = format!(
        "the head of channel `{}` goes back from {} to {}: new Subscriptions install the lower \
         version, and {effect}",
        whole(&now.channel.name),
        version_text(was, former),
        version_text(now, head),
    );
    let help = format!(
        "publish a version higher than {} that replaces or skips `{}`",
        version_text(was, former),
        whole(was.name(former))
    );
    let place = change.after.entry(now, now.name(head))?.name.span;
    let about = format!("{} {}", now.package.name, now.channel.name);
    Some(Finding::at(&RULE, place, message).help(help).about(about))
}
