//! What several rules about catalogs need.

pub(super) mod fixes;
pub(super) mod next;
pub(super) mod requirer;
pub(super) mod tried;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::catalog::package::{CatalogChannel, Entry, Package};
use crate::catalog::simulation::{ChannelMoves, EdgeKind};
use crate::catalog::version::BundleVersion;
use crate::domain::{HashMap, HashSet};
use crate::go::semver::{Range, Version};
use crate::moves::NodeId;
use crate::rules::{CatalogSubject, Finding, Related, Rule, whole};
use crate::text::words::{list_all, listed, quoted};
use crate::text::{Span, closest};

/// The end of a sentence about any objection: its effect.
pub(super) const REFUSED: &str = "so opm refuses the catalog";

/// Adds a few places with the same words.
pub(super) fn with_related(
    finding: Finding,
    places: impl IntoIterator<Item = Span>,
    words: &str,
) -> Finding {
    const FEW: usize = 4;
    places.into_iter().take(FEW).fold(finding, |finding, place| finding.related(place, words))
}

/// One finding for all places with one cause. It is at the first place, and up to five others are
/// related.
pub(super) fn one_finding(
    rule: &'static Rule,
    places: &[Span],
    message: impl Into<String>,
    other: &str,
) -> Option<Finding> {
    const MOST_RELATED: usize = 5;
    let (first, others) = places.split_first()?;
    let finding = Finding::at(rule, *first, message);
    let others = others.iter().take(MOST_RELATED);
    Some(others.fold(finding, |finding, place| finding.related(*place, other)))
}

/// The end of a message about several items: their number and `rest`. Empty for a single item.
pub(super) fn of_several(count: usize, rest: &str) -> String {
    if count > 1 { format!(" ({count} {rest})") } else { String::new() }
}

/// The entries that OLM v0 can install. None if it cannot order the channel, which opm refuses.
pub(super) fn installable<'m, 'c>(
    moves: &'m ChannelMoves<'c>,
) -> impl Iterator<Item = (NodeId, &'c Entry)> + use<'m, 'c> {
    let ranks = moves.order.as_ref().ok();
    let has_rank = move |node: NodeId| ranks.is_some_and(|ranks| ranks[node].is_some());
    moves.installs.ids().zip(&moves.channel.entries).filter(move |(node, _)| has_rank(*node))
}

/// The channels that OLM v0 can order, grouped by package.
pub(super) fn by_package<'s, 'a>(
    subject: &'s CatalogSubject<'a>,
) -> impl Iterator<Item = (&'a Package, Vec<&'s ChannelMoves<'a>>)> {
    let of = |package: &Package| {
        subject.ordered().filter(|moves| moves.package.name == package.name).collect()
    };
    subject.packages.iter().map(move |package| (package, of(package)))
}

pub(super) fn version_of<'c>(moves: &ChannelMoves<'c>, node: NodeId) -> Option<&'c BundleVersion> {
    moves.installs[node].version
}

/// The version of an install as written.
pub(super) fn version_text(moves: &ChannelMoves<'_>, node: NodeId) -> String {
    let text = version_of(moves, node).map(BundleVersion::text);
    whole(&text.unwrap_or_else(|| "unknown version".to_owned()))
}

/// For each entry, the installs with higher versions that move back to it because of its
/// `skipRange`.
pub(super) fn moved_back(moves: &ChannelMoves<'_>) -> BTreeMap<NodeId, Vec<NodeId>> {
    let mut by_target: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for edge in moves.edges.iter().filter(|edge| edge.kind == EdgeKind::SkipRange) {
        let versions = version_of(moves, edge.from).zip(version_of(moves, edge.to));
        let is_down = versions.is_some_and(|(from, to)| from.compare(to) == Ordering::Greater);
        if is_down && moves.moves.next(edge.from).contains(&edge.to) {
            by_target.entry(edge.to).or_default().push(edge.from);
        }
    }
    by_target
}

/// Adds findings. The same mistake in several channels is one finding.
pub(super) fn add_joined(findings: &mut Vec<Finding>, found: Vec<Finding>) {
    const MOST_RELATED: usize = 6;
    let mut by_message: HashMap<String, usize> = HashMap::default();
    for finding in found {
        let known = by_message.get(&finding.message).and_then(|at| findings.get_mut(*at));
        if let Some(known) = known {
            // A fix edits all channels. If one cannot be edited, there is no fix.
            known.fix = known.fix.take().zip(finding.fix).map(|(mut fix, more)| {
                fix.edits.extend(more.edits);
                fix
            });
            if known.related.len() < MOST_RELATED {
                let message = "the same in another channel".to_owned();
                known.related.push(Related { place: finding.place, message, is_copy: false });
            }
        } else {
            by_message.insert(finding.message.clone(), findings.len());
            findings.push(finding);
        }
    }
}

/// Whether no version can be in a range.
pub(super) fn is_empty(range: &Range) -> bool {
    some_contained(range).is_empty()
}

/// Whether a range with versions has only versions below one.
pub(super) fn is_below(range: &Range, version: &Version) -> bool {
    let contained = some_contained(range);
    let is_lower = |one: &Version| one.precedence(version) == Ordering::Less;
    range.has_upper_bound() && !contained.is_empty() && contained.iter().all(is_lower)
}

/// The first versions of each part of a range, and those that it names. If a range contains any
/// version, it contains the lowest of all, or a version that it names, or the first one after that.
fn some_contained(range: &Range) -> Vec<Version> {
    let named = range.text().split(|c: char| c.is_whitespace() || "<>=!|".contains(c));
    let mut candidates = vec!["0.0.0-0".to_owned()];
    for text in named {
        // `1.x` is `>=1.0.0 <2.0.0`.
        let text = text.replace(".x", ".0");
        let text = if text.matches('.').count() == 1 { text + ".0" } else { text };
        if let Ok(version) = Version::parse(&text) {
            let (major, minor, patch) = (version.major(), version.minor(), version.patch());
            let next = if version.has_pre_release() {
                format!("{}.0", version.without_build())
            } else {
                format!("{major}.{minor}.{}-0", patch.saturating_add(1))
            };
            candidates.extend([
                next,
                format!("{major}.{}.0", minor.saturating_add(1)),
                format!("{}.0.0", major.saturating_add(1)),
                version.to_string(),
            ]);
        }
    }
    let versions = candidates.iter().filter_map(|text| Version::parse(text).ok());
    versions.filter(|version| range.contains(version)).collect()
}

/// Names to copy into a file. All are listed unless there are very many.
pub(super) fn names_to_copy<T: AsRef<str>>(names: &[T]) -> String {
    const MANY: usize = 20;
    let names: Vec<String> = names.iter().map(|name| whole(name.as_ref())).collect();
    let names = quoted(&names);
    if names.len() > MANY { listed(&names, "and") } else { list_all(&names, "and") }
}

/// The prefix and the version of a bundle's name: `example.v1.2.0` is `example.v` and 1.2.0.
pub(super) fn split_name(name: &str) -> Option<(&str, Version)> {
    let starts = name.char_indices().filter(|(at, c)| {
        let before = name[..*at].chars().next_back();
        c.is_ascii_digit() && !before.is_some_and(|c| c.is_ascii_digit())
    });
    starts
        .filter_map(|(at, _)| Some((&name[..at], Version::parse(&name[at..]).ok()?)))
        .find(|(prefix, _)| !prefix.ends_with(|c: char| c.is_ascii_digit()))
}

/// The bundle that an unknown name probably means. It has the version in the name with another
/// prefix, or the name has no version and is closest to it.
pub(super) fn meant_bundle<'p>(package: &'p Package, unknown: &str) -> Option<&'p str> {
    let names = || package.bundles.iter().map(|bundle| bundle.name.as_str());
    let Some((prefix, version)) = split_name(unknown) else { return closest(unknown, names()) };
    let mut known = names().filter_map(|name| {
        let (prefix, version) = split_name(name)?;
        Some((name, prefix, version))
    });
    if known.clone().any(|(_, known, _)| known == prefix) {
        return None;
    }
    known.find(|(_, _, known)| *known == version).map(|(name, ..)| name)
}

/// The entry that an unknown name in `replaces` probably means. A name with the usual prefix may
/// belong to a bundle that left the catalog. It then means a head only if the edit leaves the
/// channel with one head.
pub(super) fn meant_entry<'p>(moves: &ChannelMoves<'p>, entry: &Entry) -> Option<&'p str> {
    let unknown = entry.replaces.as_str();
    if unknown.is_empty() || moves.package.bundle(unknown).is_some() {
        return None;
    }
    let heads = unreplaced(moves.channel);
    let likely = || closest(unknown, heads.iter().copied().filter(|name| *name != entry.name));
    let makes_one_head = |meant: &&str| {
        let mut channel = moves.channel.clone();
        for edited in channel.entries.iter_mut().filter(|edited| edited.name == entry.name) {
            (*meant).clone_into(&mut edited.replaces);
        }
        unreplaced(&channel).len() == 1
    };
    meant_bundle(moves.package, unknown).or_else(|| likely().filter(makes_one_head))
}

/// The entries that no entry replaces or skips.
fn unreplaced(channel: &CatalogChannel) -> Vec<&str> {
    let mut replaced: HashSet<&str> = HashSet::default();
    for entry in &channel.entries {
        replaced.insert(&entry.replaces);
        replaced.extend(entry.skips.iter().map(String::as_str));
    }
    let names = channel.entries.iter().map(|entry| entry.name.as_str());
    names.filter(|name| !replaced.contains(name)).collect()
}
