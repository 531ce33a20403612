//! Finds risks and blocks whose declarations change.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::domain::version::strip_build;
use crate::domain::{Arch, Arena, HashMap, HashSet, Named, Version, each_id};
use crate::graph_data::{Affected, BlockedEdge, GraphData, LoadVerdict, Reached, ReleaseId, Text};
use crate::text::SourceId;

use super::queries::{ChangedQueries, QueryChange};

/// A risk, or all blocks together, with a changed declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskChange {
    /// The risk's name. None: this is about blocks.
    pub name: Option<String>,
    pub status: RiskStatus,
    /// The targets that it is newly declared for, oldest first.
    pub added: Vec<String>,
    /// The targets that it is no longer declared for, oldest first.
    pub dropped: Vec<String>,
    pub patterns: Vec<PatternChange>,
    pub texts: Vec<TextChange>,
    /// The effects of changed queries.
    pub queries: Vec<QueryChange>,
    /// The effects on updates to targets that no channel has yet.
    pub awaited: Vec<Awaited>,
}

/// Targets that no channel has yet, and the updates to them that the declaration will apply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// The origins to which it will apply, in ranges. None if there are none.
    pub applies: Option<String>,
    /// The other origins, in ranges. None if there are none.
    pub others: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextChange {
    pub key: &'static str,
    /// The old value. None if there was none.
    pub before: Option<String>,
    /// The new value. None if the key was removed.
    pub after: Option<String>,
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// For `matchingRules`, whether the risk affects all clusters before the change.
    pub was_for_all: bool,
    /// For `matchingRules`, whether the risk affects all clusters after the change.
    pub is_for_all: bool,
    /// For `matchingRules`, whether clusters understand one of the rules after the change.
    pub is_understood: bool,
}

/// Whether a risk or block is new, removed, or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskStatus {
    /// It was not declared for any target before.
    New,
    /// It is no longer declared for any target.
    Gone,
    Changed,
}

/// A change of a pattern, for some targets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternChange {
    pub before: String,
    pub after: String,
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// The releases that only the new pattern reaches, oldest first.
    pub includes: Vec<String>,
    /// The releases that only the old pattern reaches, oldest first.
    pub excludes: Vec<String>,
    /// Whether `includes` and `excludes` are complete: both patterns are valid, and neither names
    /// an architecture.
    pub is_all: bool,
}

impl RiskChange {
    /// All targets with a changed declaration, without architecture.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        let patterns = self.patterns.iter().flat_map(|pattern| &pattern.targets);
        let texts = self.texts.iter().flat_map(|text| &text.targets);
        let all = self.added.iter().chain(&self.dropped).chain(patterns).chain(texts);
        all.map(|target| strip_build(target))
    }
}

/// A declaration and the repository that it is in.
struct DeclaredEdge<'d> {
    data: &'d GraphData,
    edge: &'d BlockedEdge,
}

/// A risk can have several declarations for one target.
type ByTarget<'d> = BTreeMap<(Version, String), Vec<DeclaredEdge<'d>>>;

/// The changed risks by name, then blocks.
pub(super) fn changes(before: &GraphData, after: &GraphData) -> Vec<RiskChange> {
    let keys = changed_keys(before, after);
    let (was, is) = (declared(before, &keys), declared(after, &keys));
    let (had, has) = (names(before), names(after));
    let names: BTreeSet<&Option<String>> = was.keys().chain(is.keys()).collect();
    let nothing = ByTarget::new();
    let mut changes: Vec<RiskChange> = names
        .into_iter()
        .filter_map(|name| {
            let (was, is) = (was.get(name), is.get(name));
            let status = match (had.contains(&name.as_deref()), has.contains(&name.as_deref())) {
                (false, _) => RiskStatus::New,
                (_, false) => RiskStatus::Gone,
                _ => RiskStatus::Changed,
            };
            let change =
                change(name.as_deref(), status, was.unwrap_or(&nothing), is.unwrap_or(&nothing));
            let is_idle = change.added.is_empty()
                && change.dropped.is_empty()
                && change.patterns.is_empty()
                && change.texts.is_empty();
            (!is_idle).then_some(change)
        })
        .collect();
    for change in &mut changes {
        change.awaited = awaited(after, change);
    }
    changes.sort_by(|a, b| (a.name.is_none(), &a.name).cmp(&(b.name.is_none(), &b.name)));
    changes
}

/// What a declaration will do to the updates to its added targets that no channel has yet.
fn awaited(after: &GraphData, change: &RiskChange) -> Vec<Awaited> {
    let mut all: Vec<Awaited> = Vec::new();
    for target in &change.added {
        let is_it = |edge: &&BlockedEdge| {
            let (name, to) = key(edge).unzip();
            name == Some(change.name.as_deref()) && to == Some(target.as_str())
        };
        let edges: Vec<&BlockedEdge> = after.blocked_edges.iter().filter(is_it).collect();
        let Some(version) = edges.first().and_then(|edge| edge.target.as_ref()) else { continue };
        let public = || after.channels.iter().filter(|channel| channel.public);
        let is_served = |id| public().any(|channel| channel.holds(id));
        if after.releases.find(version).is_some_and(is_served) || after.releases.is_beyond(version)
        {
            continue;
        }
        let possible = || each_id(after.releases.possible_origins(version)).collect();
        let origins = after.suggested_origins(version).unwrap_or_else(possible);
        let is_reached = |id: &ReleaseId| {
            let mut reached = edges.iter().filter_map(|edge| after.reached(edge));
            reached.any(|reached| Reached::holds(reached, *id))
        };
        let (applies, others): (Vec<ReleaseId>, Vec<ReleaseId>) =
            origins.into_iter().partition(is_reached);
        let in_ranges =
            |ids: &[ReleaseId]| (!ids.is_empty()).then(|| after.releases.in_ranges(ids));
        let (applies, others) = (in_ranges(&applies), in_ranges(&others));
        match all.iter_mut().find(|one| (&one.applies, &one.others) == (&applies, &others)) {
            Some(known) => known.targets.push(target.clone()),
            None => all.push(Awaited { targets: vec![target.clone()], applies, others }),
        }
    }
    all
}

/// The names and targets of declarations in files that differ between the two sides. No other
/// declarations can have changed.
fn changed_keys<'d>(before: &'d GraphData, after: &'d GraphData) -> HashSet<(Name<'d>, &'d str)> {
    let changed = |one: &'d GraphData, other: &'d GraphData| {
        let files = one.files.iter();
        let is_changed: Arena<SourceId, bool> =
            files.map(|file| !file.is_shared_with(other.at_path(one.path(file.id)))).collect();
        let edges = one.blocked_edges.iter();
        edges.filter(move |edge| is_changed[edge.file]).filter_map(key)
    };
    changed(before, after).chain(changed(after, before)).collect()
}

/// The name of a risk. None for a block.
type Name<'d> = Option<&'d str>;

/// The name and the target of a declaration.
fn key(edge: &BlockedEdge) -> Option<(Name<'_>, &str)> {
    let name = edge.name.as_ref().filter(|_| !edge.is_block()).map(|name| name.value.as_str());
    Some((name, edge.to.as_ref()?.value.trim()))
}

/// The names of all declarations that the service loads.
fn names(data: &GraphData) -> HashSet<Name<'_>> {
    let is_loaded = |edge: &&BlockedEdge| {
        data.file(edge.file).verdict == LoadVerdict::Loads && edge.from.is_some()
    };
    let edges = data.blocked_edges.iter().filter(|edge| edge.target.is_some());
    edges.filter(is_loaded).filter_map(key).map(|(name, _)| name).collect()
}

/// The declarations of some names and targets that the service loads.
fn declared<'d>(
    data: &'d GraphData,
    keys: &HashSet<(Name<'d>, &'d str)>,
) -> BTreeMap<Option<String>, ByTarget<'d>> {
    let mut all: BTreeMap<Option<String>, ByTarget<'_>> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let Some((name, to)) = key(edge).filter(|key| keys.contains(key)) else { continue };
        let Some(target) = &edge.target else { continue };
        if data.file(edge.file).verdict != LoadVerdict::Loads || edge.from.is_none() {
            continue;
        }
        let by_target = all.entry(name.map(str::to_owned)).or_default();
        let declared = by_target.entry((target.clone(), to.to_owned())).or_default();
        // If there are several blocks, the service uses the last one.
        if edge.is_block() {
            declared.clear();
        }
        declared.push(DeclaredEdge { data, edge });
    }
    all
}

fn change(
    name: Option<&str>,
    status: RiskStatus,
    was: &ByTarget<'_>,
    is: &ByTarget<'_>,
) -> RiskChange {
    let (mut added, mut dropped) = (Vec::new(), Vec::new());
    let mut patterns: BTreeMap<(&str, &str), PatternTargets> = BTreeMap::new();
    let mut texts: BTreeMap<(&'static str, Option<String>, Option<String>), TextChange> =
        BTreeMap::new();
    let mut queries = ChangedQueries::default();
    let keys: BTreeSet<_> = was.keys().chain(is.keys()).collect();
    for key in keys {
        let count = |side: &ByTarget<'_>| side.get(key).map_or(0, Vec::len);
        let (then, now) = different(was.get(key), is.get(key));
        let to = &key.1;
        match count(is).cmp(&count(was)) {
            Ordering::Greater => added.push(to.clone()),
            Ordering::Less => dropped.push(to.clone()),
            Ordering::Equal => {}
        }
        for (then, now) in then.into_iter().zip(now) {
            let (old, new) = (then.pattern(), now.pattern());
            if old != new {
                patterns.entry((old, new)).or_default().add(to, then, now);
            }
            queries.add(to, then.edge, now.edge);
            for ((what, old), (_, new)) in then.texts().into_iter().zip(now.texts()) {
                if old != new {
                    let change = texts.entry((what, old.clone(), new.clone()));
                    let (before, after) = (&then.edge.affected, &now.edge.affected);
                    let change = change.or_insert_with(|| TextChange {
                        key: what,
                        before: old,
                        after: new,
                        targets: Vec::new(),
                        is_understood: after.is_understood(),
                        was_for_all: before.is_everyone(),
                        is_for_all: after.is_everyone(),
                    });
                    change.targets.push(to.clone());
                }
            }
        }
    }
    let known = is.values().flatten().next().map(|edge| &edge.data.queries);
    let patterns = patterns.into_iter().map(|((before, after), all)| all.change(before, after));
    RiskChange {
        name: name.map(str::to_owned),
        status,
        added,
        dropped,
        patterns: patterns.collect(),
        texts: texts.into_values().collect(),
        queries: known.map_or_else(Vec::new, |known| queries.compared(known)),
        awaited: Vec::new(),
    }
}

/// The declarations for one target that the other side does not have.
fn different<'a, 'd>(
    was: Option<&'a Vec<DeclaredEdge<'d>>>,
    is: Option<&'a Vec<DeclaredEdge<'d>>>,
) -> (Vec<&'a DeclaredEdge<'d>>, Vec<&'a DeclaredEdge<'d>>) {
    let (was, is) = (was.map_or(&[][..], Vec::as_slice), is.map_or(&[][..], Vec::as_slice));
    let without = |one: &'a [DeclaredEdge<'d>], other: &'a [DeclaredEdge<'d>]| {
        let mut counts: HashMap<_, usize> = HashMap::default();
        for edge in other {
            *counts.entry(edge.content()).or_default() += 1;
        }
        let is_left = |edge: &&DeclaredEdge<'_>| {
            let count = counts.get_mut(&edge.content()).filter(|count| **count > 0);
            count.map(|count| *count -= 1).is_none()
        };
        one.iter().filter(is_left).collect()
    };
    (without(was, is), without(is, was))
}

impl DeclaredEdge<'_> {
    fn pattern(&self) -> &str {
        self.edge.from.as_ref().map_or("", |from| &from.value)
    }

    fn content(&self) -> (String, [(&'static str, Option<String>); 5]) {
        (self.pattern().to_owned(), self.texts())
    }

    /// The values of all keys except `to` and `from`.
    fn texts(&self) -> [(&'static str, Option<String>); 5] {
        let edge = self.edge;
        let text = |text: &Option<Text>| {
            text.as_ref().map(|text| text.value.to_string()).filter(|text| !text.is_empty())
        };
        let rules = match &edge.affected {
            Affected::MatchingRules(rules) => {
                let parts = rules.iter().flat_map(|rule| [text(&rule.kind), text(&rule.query)]);
                Some(parts.map(Option::unwrap_or_default).collect::<Vec<_>>().join("\n"))
            }
            _ => None,
        };
        [
            ("url", text(&edge.url)),
            ("message", text(&edge.message)),
            ("matchingRules", rules),
            ("fixedIn", text(&edge.fixed_in)),
            ("autoExtend", text(&edge.auto_extend)),
        ]
    }

    /// The releases that its pattern reaches, among the possible origins of its target. None:
    /// unknown.
    fn reached(&self) -> Option<BTreeSet<(&Version, &str)>> {
        let releases = &self.data.releases;
        let reached = self.data.reached(self.edge)?.iter().map(|reached| {
            let release = releases.get(reached.release);
            (&release.version, release.text.as_str())
        });
        Some(reached.collect())
    }
}

/// The targets for which one pattern replaces another, and the effect.
#[derive(Default)]
struct PatternTargets<'d> {
    targets: Vec<String>,
    includes: BTreeSet<(&'d Version, &'d str)>,
    excludes: BTreeSet<(&'d Version, &'d str)>,
    is_unknown: bool,
}

impl<'d> PatternTargets<'d> {
    fn add(&mut self, target: &str, then: &'d DeclaredEdge<'_>, now: &'d DeclaredEdge<'_>) {
        self.targets.push(target.to_owned());
        let (Some(old), Some(new)) = (then.reached(), now.reached()) else {
            self.is_unknown = true;
            return;
        };
        // Skip releases that only one side has: the pattern did not include or exclude them.
        let known =
            |side: &DeclaredEdge<'_>, version: &Version| side.data.releases.find(version).is_some();
        self.includes.extend(new.difference(&old).filter(|(version, _)| known(then, version)));
        self.excludes.extend(old.difference(&new).filter(|(version, _)| known(now, version)));
    }

    fn change(self, before: &str, after: &str) -> PatternChange {
        let texts = |set: BTreeSet<(&Version, &str)>| -> Vec<String> {
            set.into_iter().map(|(_, text)| text.to_owned()).collect()
        };
        let names_one = |text: &str| Arch::ALL.iter().any(|arch| text.contains(arch.name()));
        PatternChange {
            is_all: !self.is_unknown && !names_one(before) && !names_one(after),
            before: before.to_owned(),
            after: after.to_owned(),
            targets: self.targets,
            includes: texts(self.includes),
            excludes: texts(self.excludes),
        }
    }
}
