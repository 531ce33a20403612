//! A range of build suggestions that contains nothing.

use crate::domain::Minor;
use crate::graph_data::{GraphData, VersionRange};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP402",
    name: "suggestions-empty-range",
    properties: Properties::USUAL,
    family: Family::BuildSuggestions,
    severity: Severity::Error,
    summary: "a range of build suggestions that ends before it begins",
    explanation: "\
The next release is built without any origin from this range, so clusters of that minor
are never offered an update to it.",
    bad: "\
default:
  z_min: 4.15.20
  z_max: 4.15.9",
    good: "\
default:
  z_min: 4.15.9
  z_max: 4.15.20",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for entry in data.suggestions.iter().flat_map(|suggestions| &suggestions.entries) {
        for range in [&entry.minor, &entry.z] {
            findings.extend(empty(range));
        }
    }
}

fn empty(range: &VersionRange) -> Option<Finding> {
    let (min, max) = (range.min.as_ref()?, range.max.as_ref()?);
    // `suggestions-wrong-minor` reports an end in another minor than the other.
    let of_one_minor = Minor::of(&min.value) == Minor::of(&max.value);
    if min.value.cmp_precedence(&max.value).is_le() || !of_one_minor {
        return None;
    }
    let message =
        format!("the range ends at {}, before it begins, so it contains no releases", max.value);
    Some(
        Finding::at(&RULE, max.span, message)
            .related(min.span, "it begins here")
            .help("swap the two versions, or correct the wrong one"),
    )
}
