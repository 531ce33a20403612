//! A block list entry of build suggestions that has no effect.

use crate::graph_data::{Bound, GraphData, VersionRange};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP403",
    name: "suggestions-idle-block",
    properties: Properties::USUAL,
    family: Family::BuildSuggestions,
    severity: Severity::Info,
    summary: "a block list entry outside the range that the list applies to",
    explanation: "\
A block list removes releases from its own range. A release outside the range is not
suggested anyway: the entry is left over, or it is in the wrong one of the two lists.",
    bad: "\
default:
  z_min: 4.15.9
  z_max: 4.15.9999
  z_block_list: [4.15.3]",
    good: "\
default:
  z_min: 4.15.9
  z_max: 4.15.9999
  z_block_list: []",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for entry in data.suggestions.iter().flat_map(|suggestions| &suggestions.entries) {
        for range in [&entry.minor, &entry.z] {
            for blocked in range.blocked.iter().filter(|blocked| is_outside(range, blocked)) {
                let message = format!(
                    "{} is not in the range {}, so this entry has no effect",
                    blocked.value,
                    ends(range)
                );
                findings.push(
                    Finding::at(&RULE, blocked.span, message)
                        .help("delete it, or move it to the other list"),
                );
            }
        }
    }
}

fn is_outside(range: &VersionRange, blocked: &Bound) -> bool {
    let below =
        range.min.as_ref().is_some_and(|min| blocked.value.cmp_precedence(&min.value).is_lt());
    let above =
        range.max.as_ref().is_some_and(|max| blocked.value.cmp_precedence(&max.value).is_gt());
    below || above
}

fn ends(range: &VersionRange) -> String {
    range.ends().map(|end| end.value.to_string()).collect::<Vec<_>>().join("–")
}
