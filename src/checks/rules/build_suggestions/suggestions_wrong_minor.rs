//! A range of build suggestions in another minor.

use crate::domain::Minor;
use crate::graph_data::{Bound, BuildSuggestions, GraphData, VersionRange};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP401",
    name: "suggestions-wrong-minor",
    properties: Properties::USUAL,
    family: Family::BuildSuggestions,
    severity: Severity::Error,
    summary: "a range of build suggestions that is not in the file's minor or the previous minor",
    explanation: "\
Each release is built with the list of releases that can update to it. The `z_` range is
in the file's own minor, and the `minor_` range is in the previous minor. A range
elsewhere creates releases that clusters cannot reach from their current releases. A
later change to the file does not fix releases that are already built.",
    bad: "\
build-suggestions/4.15.yaml
default:
  minor_min: 4.13.30
  minor_max: 4.13.9999",
    good: "\
build-suggestions/4.15.yaml
default:
  minor_min: 4.14.5
  minor_max: 4.14.9999",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for suggestions in data.suggestions.iter() {
        for entry in &suggestions.entries {
            let own = suggestions.minor;
            for (key, bound) in bounds(&entry.z) {
                if Minor::of(&bound.value) == own {
                    continue;
                }
                let message =
                    format!("`z_{key}` must be a {own} version, but it is {}", bound.value);
                findings.push(Finding::at(&RULE, bound.span, message).help(help(suggestions)));
            }
            for (key, bound) in bounds(&entry.minor) {
                if can_precede(Minor::of(&bound.value), own) {
                    continue;
                }
                let message = match own.minor.checked_sub(1) {
                    Some(before) => format!(
                        "`minor_{key}` must be a {}.{before} version, but it is {}",
                        own.major, bound.value
                    ),
                    None => format!(
                        "`minor_{key}` must be a version of the minor before {own}, but it is {}",
                        bound.value
                    ),
                };
                findings.push(Finding::at(&RULE, bound.span, message).help(help(suggestions)));
            }
        }
    }
}

/// The versions of a range, each with the end of its key.
fn bounds(range: &VersionRange) -> impl Iterator<Item = (&'static str, &Bound)> {
    let min = range.min.iter().map(|bound| ("min", bound));
    let max = range.max.iter().map(|bound| ("max", bound));
    let blocked = range.blocked.iter().map(|bound| ("block_list", bound));
    min.chain(max).chain(blocked)
}

/// Whether `minor` can be the minor before `own`. No file says which minor is the last of a major.
fn can_precede(minor: Minor, own: Minor) -> bool {
    match own.minor.checked_sub(1) {
        Some(before) => minor == Minor { minor: before, ..own },
        None => minor.major + 1 == own.major,
    }
}

fn help(suggestions: &BuildSuggestions) -> String {
    let own = suggestions.minor;
    match own.minor.checked_sub(1) {
        Some(before) => format!("`z_…` is for {own}, `minor_…` is for {}.{before}", own.major),
        None => {
            format!("`z_…` is for {own}, `minor_…` is for the last minor of the previous major")
        }
    }
}
