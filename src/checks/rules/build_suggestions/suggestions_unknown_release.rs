//! A bound that names a release that does not exist and is not one of the next.

use crate::graph_data::{Bound, GraphData};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP405",
    name: "suggestions-unknown-release",
    properties: Properties::USUAL,
    family: Family::BuildSuggestions,
    severity: Severity::Warning,
    summary: "a range of build suggestions with a bound far beyond the newest release",
    explanation: "\
A range without an end goes up to 9999, such as `4.15.9999`. Any other bound is a release,
or one of the next three of its minor. Otherwise two digits changed places, or one was typed
twice: a `z_min` or `minor_min` that is too high leaves the next release without origins.",
    bad: "\
default:
  minor_min: 4.14.155",
    good: "\
default:
  minor_min: 4.14.15",
    check: Check::Repository(check),
};

/// The patch number that means "no upper end".
const NO_END: u64 = 9999;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let is_unknown =
        |bound: &&Bound| bound.value.patch != NO_END && data.releases.is_beyond(&bound.value);
    for entry in data.suggestions.iter().flat_map(|suggestions| &suggestions.entries) {
        for range in [&entry.minor, &entry.z] {
            let ends = range.min.iter().map(|bound| (bound, true));
            let ends = ends.chain(range.max.iter().map(|bound| (bound, false)));
            let ends = ends.chain(range.blocked.iter().map(|bound| (bound, true)));
            findings.extend(
                ends.filter(|(bound, _)| is_unknown(bound))
                    .map(|(bound, is_release)| finding(data, bound, is_release)),
            );
        }
    }
}

fn finding(data: &GraphData, bound: &Bound, is_release: bool) -> Finding {
    let message = format!(
        "no channel has {}, and it is not one of the next releases of its minor",
        bound.value
    );
    let finding = Finding::at(&RULE, bound.span, message);
    match data.releases.nearest(&bound.value) {
        Some(meant) if is_release => finding.help(format!("did you mean {meant}?")),
        _ => finding.help(format!("a range without an end goes up to {NO_END}")),
    }
}
