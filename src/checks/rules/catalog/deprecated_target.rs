//! A deprecated bundle that installs of supported ones are updated to.

use crate::catalog::simulation::ChannelMoves;
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::counted;

use super::shared::{add_joined, installable, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC123",
    name: "deprecated-target",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "a deprecated bundle that installs of supported bundles are updated to",
    explanation: "\
`olm.deprecations` does not change what OLM v0 installs. It adds a warning to the
Subscription. So installs without a warning are updated to a bundle with one.

Let a later entry skip the deprecated one and what it replaces, so that updates pass it,
or deprecate the older entries too.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0 # deprecated
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.0.0
- name: example.v1.1.0 # deprecated
  replaces: example.v1.0.0
- name: example.v1.2.0
  replaces: example.v1.1.0
  skips: [example.v1.0.0]",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for moves in subject.moves() {
        // In a deprecated channel, all Subscriptions have a warning anyway.
        if moves.package.deprecation.is_some() || moves.channel.deprecation.is_some() {
            continue;
        }
        for (target, entry) in installable(moves).filter(|(node, _)| is_deprecated(moves, *node)) {
            let origins = moves.installs.ids().filter(|node| {
                !is_deprecated(moves, *node) && moves.moves.next(*node).contains(&target)
            });
            let names: Vec<&str> = origins.map(|node| moves.name(node)).collect();
            let Some(declared) = subject.entry(moves, &entry.name) else { continue };
            let who = match names.as_slice() {
                [] => continue,
                [one] => format!("installs of `{}`", whole(one)),
                several => format!("installs of {}", counted(several.len(), "entry")),
            };
            let message =
                format!("{who} are updated to `{}`, which is deprecated", whole(&entry.name));
            let others = names.iter().filter_map(|name| subject.entry(moves, name));
            let others = others.map(|entry| entry.name.span);
            let places: Vec<_> = std::iter::once(declared.name.span).chain(others).collect();
            let help = "let a later entry skip it together with what it replaces";
            let finding = one_finding(&RULE, &places, message, "this entry is not deprecated");
            found.extend(finding.map(|finding| finding.help(help)));
        }
    }
    add_joined(findings, found);
}

fn is_deprecated(moves: &ChannelMoves<'_>, node: NodeId) -> bool {
    let bundle = moves.package.bundle(moves.name(node));
    bundle.is_some_and(|bundle| bundle.deprecation.is_some())
}
