//! A floor that is still a pre-release.

use crate::domain::{Minor, is_general};
use crate::graph_data::{Bound, GraphData, ListedVersion};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP404",
    name: "suggestions-stale-floor",
    properties: Properties::USUAL,
    family: Family::BuildSuggestions,
    severity: Severity::Warning,
    summary: "a `z_min` or `minor_min` that is a pre-release, although its minor is available",
    explanation: "\
During the development of a minor, clusters can reach its releases from pre-releases.
Once the minor is generally available, the floor moves up to the first release. If
nobody raises it, every new release is offered to clusters on pre-releases, which are
not supported.",
    bad: "\
build-suggestions/4.15.yaml
default:
  z_min: 4.15.0-rc.0
channels/fast-4.15.yaml     4.15.0",
    good: "\
build-suggestions/4.15.yaml
default:
  z_min: 4.15.0
channels/fast-4.15.yaml     4.15.0",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for entry in data.suggestions.iter().flat_map(|suggestions| &suggestions.entries) {
        for floor in entry.z.min.iter().chain(&entry.minor.min) {
            if is_general(&floor.value) {
                continue;
            }
            let minor = Minor::of(&floor.value);
            let Some(first) = first_available(data, minor) else { continue };
            findings.push(finding(floor, minor, first));
        }
    }
}

/// The first generally available release of a minor in its fast or stable channel.
fn first_available(data: &GraphData, minor: Minor) -> Option<&ListedVersion> {
    let channels = data.channels.iter().filter(|channel| {
        let parts = channel.parts();
        parts.is_some_and(|parts| parts.minor == minor && matches!(parts.phase, "fast" | "stable"))
    });
    channels
        .flat_map(|channel| &channel.versions)
        .filter(|member| {
            let version = member.version.as_ref();
            version.is_some_and(|version| is_general(version) && Minor::of(version) == minor)
        })
        .min_by_key(|member| member.release)
}

fn finding(floor: &Bound, minor: Minor, first: &ListedVersion) -> Finding {
    let message =
        format!("the floor is the pre-release {}, although {minor} is available", floor.value);
    Finding::at(&RULE, floor.span, message)
        .related(first.text.span, format!("the first release of {minor}"))
        .help(format!(
            "raise it to {} or later, so that pre-releases are not offered new releases",
            first.text.value
        ))
}
