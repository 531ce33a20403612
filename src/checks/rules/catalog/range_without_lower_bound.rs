//! A `skipRange` without a lowest version.

use crate::catalog::simulation::{ChannelMoves, EdgeKind, TypedEdge};
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::counted;

use super::shared::{by_package, installable, one_finding};

pub(super) static RULE: Rule = Rule {
    code: "OC109",
    name: "range-without-lower-bound",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Info,
    summary: "a `skipRange` without a lowest version",
    explanation: "\
The entry updates the installs of all lower versions in one step, even those from years
ago. If some versions must be installed in between, for example because they migrate data,
OLM skips them.

If every version can be updated to this one, write `>=0.0.0`: then readers know that it is
meant.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '<1.1.0'",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '>=1.0.0 <1.1.0'",
    check: Check::Catalog(check),
};

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for (_, channels) in by_package(subject) {
        let (mut places, mut names): (Vec<_>, Vec<&str>) = (Vec::new(), Vec::new());
        for moves in channels {
            for (node, entry) in installable(moves) {
                let is_open =
                    entry.skip_range.as_ref().is_some_and(|range| !range.has_lower_bound());
                if !is_open || !updates_somebody(moves, node) {
                    continue;
                }
                if let Some(declared) = subject.entry(moves, &entry.name) {
                    places.push(declared.skip_range.span);
                    if !names.contains(&entry.name.as_str()) {
                        names.push(&entry.name);
                    }
                }
            }
        }
        let what = match names.as_slice() {
            [] => continue,
            [one] => format!("the `skipRange` of `{}` has", whole(one)),
            [first, ..] => {
                let first = whole(first);
                format!(
                    "the `skipRange` of {}, such as `{first}`, has",
                    counted(names.len(), "entry")
                )
            }
        };
        let message = format!(
            "{what} no lowest version, so OLM updates even the oldest installs in one step"
        );
        let help = "begin the range with the lowest version that can be updated directly, or with \
                    `>=0.0.0`";
        let other = "this range has no lowest version either";
        findings.extend(one_finding(&RULE, &places, message, other).map(|one| one.help(help)));
    }
}

/// Whether OLM moves an install to an entry because of its range alone.
fn updates_somebody(moves: &ChannelMoves<'_>, target: NodeId) -> bool {
    let by_range = |edge: &&TypedEdge| edge.kind == EdgeKind::SkipRange && edge.to == target;
    let mut edges = moves.edges.iter().filter(by_range);
    edges.any(|edge| edge.from != target && moves.moves.next(edge.from).contains(&target))
}
