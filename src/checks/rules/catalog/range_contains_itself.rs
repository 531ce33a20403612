//! An entry whose `skipRange` contains its own version.

use crate::catalog::simulation::ChannelMoves;
use crate::domain::HashMap;
use crate::go::semver::Range;
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::Span;
use crate::text::words::counted;

use super::shared::fixes::with_ranges;
use super::shared::tried::{can_have_ranges, cut_range, range_up_to};
use super::shared::{by_package, installable, moved_back, one_finding, version_of, version_text};

pub(super) static RULE: Rule = Rule {
    code: "OC106",
    name: "range-contains-itself",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a `skipRange` that contains the version of its own entry",
    explanation: "\
An entry updates every install with a version in its `skipRange`. If that contains the
entry itself, the entry is an update of itself. OLM 0.46, with which exitpath is compared, takes
this for nothing to do. It is the usual case for pre-releases, since `<1.1.0` contains
`1.1.0-rc.1`, and only an info.

A range without an upper end also contains all later versions. When a new head is added
and this entry stays in the channel, OLM v0 moves installs of the head back to this entry. That is a
warning: end the range with `<` and the entry's own version.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.1.0
  skipRange: '>=1.0.0'",
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
        let mut found = OwnRanges { places: Vec::new(), worst: None, names: Vec::new() };
        let mut ended = Some(Vec::new());
        for moves in channels {
            let ranges = found.take(subject, moves);
            if ranges.as_ref().is_none_or(|ranges| !ranges.is_empty()) {
                let ranges = ranges.filter(|ranges| can_have_ranges(moves, ranges));
                ended = ended.zip(ranges).map(|(mut ended, ranges)| {
                    ended.push((moves, ranges));
                    ended
                });
            }
        }
        let Some(worst) = found.worst else { continue };
        let OwnRange { moves, node, range } = worst;
        let (severity, effect) = effect(range);
        let message = found.message(worst, effect);
        let other = "this range contains the version of its entry too";
        let finding = one_finding(&RULE, &found.places, message, other);
        let finding = finding.map(|finding| finding.severity(severity));
        // The channel with the worst range comes first, because the help shows its range.
        if let Some(ended) = &mut ended {
            ended.sort_by_key(|(one, _)| !std::ptr::eq(*one, moves));
        }
        let alone = || {
            let entry = moves.channel.entries.get(node.index())?;
            range_up_to(moves, entry, version_of(moves, node)?)
        };
        findings.extend(finding.map(|finding| match ended {
            Some(ended) => with_ranges(finding, subject, moves.name(node), &ended),
            None => match alone() {
                Some(range) => finding.help(format!("write `skipRange: '{}'`", range.text())),
                None => finding,
            },
        }));
    }
}

/// The entries of a package whose ranges contain their own versions.
struct OwnRanges<'m, 'c> {
    places: Vec<Span>,
    /// The first one, or the first one without an upper bound.
    worst: Option<OwnRange<'m, 'c>>,
    /// Each once.
    names: Vec<&'c str>,
}

/// An entry whose range contains its own version.
#[derive(Clone, Copy)]
struct OwnRange<'m, 'c> {
    moves: &'m ChannelMoves<'c>,
    node: NodeId,
    range: &'c Range,
}

impl<'m, 'c> OwnRanges<'m, 'c> {
    /// Adds the entries of a channel. Returns the ranges that end below their own versions, by the
    /// names of the entries. None if one of them cannot be written.
    fn take(
        &mut self,
        subject: &CatalogSubject<'_>,
        moves: &'m ChannelMoves<'c>,
    ) -> Option<HashMap<&'c str, Range>> {
        let back = moved_back(moves);
        // `range-contains-newer` reports entries that installs already move back to.
        let entries = installable(moves).filter(|(node, _)| !back.contains_key(node));
        let mut ranges = Some(HashMap::default());
        for (node, entry) in entries {
            let (Some(range), Some(version)) = (&entry.skip_range, version_of(moves, node)) else {
                continue;
            };
            let Some(declared) = subject.entry(moves, &entry.name) else { continue };
            if !range.contains(&version.version) {
                continue;
            }
            self.places.push(declared.skip_range.span);
            // A range without an upper bound is worse, because it also contains future versions.
            if self.worst.is_none_or(|known| known.range.has_upper_bound()) {
                self.worst = Some(OwnRange { moves, node, range });
            }
            if !self.names.contains(&entry.name.as_str()) {
                self.names.push(&entry.name);
            }
            let cut = cut_range(entry, version);
            ranges = ranges.zip(cut).map(|(mut ranges, cut)| {
                ranges.insert(entry.name.as_str(), cut);
                ranges
            });
        }
        ranges
    }

    fn message(&self, worst: OwnRange<'_, '_>, effect: &str) -> String {
        let OwnRange { moves, node, .. } = worst;
        let version = version_text(moves, node);
        let more = match self.names.len() {
            1 => String::new(),
            n => format!(" ({} of the package have such a range)", counted(n, "entry")),
        };
        format!(
            "the `skipRange` of `{}` contains its own version {version}, {effect}{more}",
            whole(moves.name(node)),
        )
    }
}

fn effect(range: &Range) -> (Severity, &'static str) {
    if range.has_upper_bound() {
        let effect = "so the entry is an update of itself; OLM 0.46 does nothing then";
        return (Severity::Info, effect);
    }
    let effect = "and all later ones: when a later head is added, OLM v0 moves its installs back \
                  to this entry";
    (Severity::Warning, effect)
}
