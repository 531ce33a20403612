//! A head that replaces and skips the same entry.

use crate::catalog::package::Entry;
use crate::catalog::simulation::{ChannelMoves, Why};
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Check, Family, Finding, Rule, Severity, whole};
use crate::text::words::counted;

use super::shared::add_joined;

pub(super) static RULE: Rule = Rule {
    code: "OC114",
    name: "replaces-and-skips",
    aliases: &[],
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a head that replaces and skips the same entry",
    explanation: "\
`replaces` alone updates the installs of an entry. Skipping it too means that OLM never
installs it any more: what could only be updated to it is stuck. That does no harm while
the head also skips all of those, but the next release strands them if it forgets one
([`dead-end`](dead-end.md)). Old versions of opm's semver template write such
channels.

Remove the entry from `skips`, unless it is bad and nobody should install it.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0
  skips: [example.v1.0.0]",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0
  replaces: example.v1.0.0",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.ordered() {
        let Some(head) = moves.heads.first().map(|head| moves.name(*head)) else { continue };
        let Some(entry) = moves.channel.entries.iter().find(|entry| entry.name == head) else {
            continue;
        };
        // Where it already causes a dead end, that is the finding.
        let is_harmful = moves.stuck().iter().any(
            |stuck| matches!(&stuck.why, Why::Skipped { target, .. } if *target == entry.replaces),
        );
        let jumping = jumping(moves, entry);
        if moves.named(&entry.replaces).is_none() || is_harmful || jumping.is_empty() {
            continue;
        }
        let Some(declared) = subject.entry(moves, head) else { continue };
        let skip = declared.skips.iter().find(|skip| skip.value == entry.replaces);
        let Some(skip) = skip else { continue };
        let named = format!("`{}`", whole(jumping[0]));
        let who = match jumping.len() {
            1 => format!("installs of {named}"),
            n => format!("installs of {}, such as {named},", counted(n, "entry")),
        };
        let message = format!(
            "the head `{}` replaces and skips `{}`: OLM never installs a skipped entry, so {who} go \
             past it",
            whole(head),
            whole(&entry.replaces)
        );
        let help = "remove it from `skips`; `replaces` is enough to update its installs";
        let finding = Finding::at(&RULE, skip.span, message).help(help).installs(&jumping);
        found.push(finding.related(declared.replaces.span, "it is replaced here"));
    }
    add_joined(findings, found);
}

/// The installs that would go through the skipped entry if the head only replaced it.
fn jumping<'m>(moves: &ChannelMoves<'m>, head: &Entry) -> Vec<&'m str> {
    let mut channel = moves.channel.clone();
    for entry in channel.entries.iter_mut().filter(|entry| entry.name == head.name) {
        entry.skips.retain(|skip| *skip != head.replaces);
    }
    let Ok(edited) = ChannelMoves::of(moves.package, &channel, &[], moves.resolver) else {
        return Vec::new();
    };
    let goes_through = |node: &NodeId| {
        let next = edited.moves.next(*node);
        next.iter().any(|next| edited.name(*next) == head.replaces)
            && moves.moves.next(*node) != next
    };
    moves.installs.ids().filter(goes_through).map(|node| moves.name(node)).collect()
}
