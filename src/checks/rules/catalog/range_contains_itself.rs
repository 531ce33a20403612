//! An entry whose `skipRange` contains its own version.

use crate::domain::HashMap;
use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
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
        let (mut places, mut first, mut names) = (Vec::new(), None, Vec::new());
        let mut ended = Some(Vec::new());
        for moves in channels {
            let back = moved_back(moves);
            // `range-contains-newer` reports entries that installs already move back to.
            let entries = installable(moves).filter(|(node, _)| !back.contains_key(node));
            let mut ranges = Some(HashMap::default());
            for (node, entry) in entries {
                let (Some(range), Some(version)) = (&entry.skip_range, version_of(moves, node))
                else {
                    continue;
                };
                if let Some(declared) = subject.entry(moves, &entry.name)
                    && range.contains(&version.version)
                {
                    places.push(declared.skip_range.span);
                    // A range without an upper bound is worse, because it also contains future
                    // versions.
                    if first.is_none_or(|(_, _, known): (_, _, &Range)| known.has_upper_bound()) {
                        first = Some((moves, node, range));
                    }
                    if !names.contains(&entry.name.as_str()) {
                        names.push(&entry.name);
                    }
                    let cut = cut_range(entry, version);
                    ranges = ranges.zip(cut).map(|(mut ranges, cut)| {
                        ranges.insert(entry.name.as_str(), cut);
                        ranges
                    });
                }
            }
            if ranges.as_ref().is_none_or(|ranges| !ranges.is_empty()) {
                let ranges = ranges.filter(|ranges| can_have_ranges(moves, ranges));
                ended = ended.zip(ranges).map(|(mut ended, ranges)| {
                    ended.push((moves, ranges));
                    ended
                });
            }
        }
        let Some((moves, node, range)) = first else { continue };
        let version = version_text(moves, node);
        let (severity, effect) = if range.has_upper_bound() {
            let effect = "so the entry is an update of itself; OLM 0.46 does nothing then";
            (Severity::Info, effect)
        } else {
            let effect = "and all later ones: when a later head is added, OLM v0 moves its installs \
                          back to this entry";
            (Severity::Warning, effect)
        };
        let more = match names.len() {
            1 => String::new(),
            n => format!(" ({} of the package have such a range)", counted(n, "entry")),
        };
        let message = format!(
            "the `skipRange` of `{}` contains its own version {version}, {effect}{more}",
            whole(moves.name(node)),
        );
        let other = "this range contains the version of its entry too";
        let finding = one_finding(&RULE, &places, message, other);
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
