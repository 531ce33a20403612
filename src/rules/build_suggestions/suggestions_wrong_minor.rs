//! A range of build suggestions in another minor.

use crate::graph_data::{Bound, BuildSuggestions, GraphData, Minor, VersionRange};
use crate::rules::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP401",
    name: "suggestions-wrong-minor",
    aliases: &[],
    family: Family::BuildSuggestions,
    severity: Severity::Error,
    summary: "a range of build suggestions that is not of the file's minor, or the one before",
    explanation: "\
Each release is built with the list of releases that it can be reached from. The `z_`
range is of the file's own minor, the `minor_` range of the minor before. A range
elsewhere makes releases that cannot be reached from where their clusters are; what
is built is built, and no later change of the file mends it.",
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
    for suggestions in &data.suggestions {
        for entry in &suggestions.entries {
            let own = suggestions.minor;
            for bound in bounds(&entry.z).filter(|bound| Minor::of(&bound.value) != own) {
                let message = format!("{} is not of {own}, which this file is about", bound.value);
                findings.push(Finding::at(&RULE, bound.span, message).help(help(suggestions)));
            }
            for bound in bounds(&entry.minor) {
                if precedes(Minor::of(&bound.value), own) {
                    continue;
                }
                let message = format!("{} is not of the minor before {own}", bound.value);
                findings.push(Finding::at(&RULE, bound.span, message).help(help(suggestions)));
            }
        }
    }
}

fn bounds(range: &VersionRange) -> impl Iterator<Item = &Bound> {
    range.ends().chain(&range.blocked)
}

/// Whether a minor may be the one before. How many minors a major has, no file says.
fn precedes(minor: Minor, own: Minor) -> bool {
    match own.minor.checked_sub(1) {
        Some(before) => minor == Minor { minor: before, ..own },
        None => minor.major + 1 == own.major,
    }
}

fn help(suggestions: &BuildSuggestions) -> String {
    let own = suggestions.minor;
    match own.minor.checked_sub(1) {
        Some(before) => format!("`z_…` is of {own}, `minor_…` of {}.{before}", own.major),
        None => format!("`z_…` is of {own}, `minor_…` of the last minor of the major before"),
    }
}
