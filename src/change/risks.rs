//! What is declared otherwise than before.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::domain::version::strip_build;
use crate::domain::{Arch, Named, Version};
use crate::graph_data::{Affected, BlockedEdge, GraphData, Text, Verdict};

/// A risk of a name, or all blocks, whose declarations are otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RiskChange {
    /// The risk's name; none for blocks.
    pub name: Option<String>,
    /// Whether it is new, gone, or was there all along.
    pub standing: Standing,
    /// The targets that it is declared for now and was not, oldest first.
    pub added: Vec<String>,
    /// The targets that it was declared for and is not.
    pub dropped: Vec<String>,
    /// Where its pattern is otherwise.
    pub patterns: Vec<PatternChange>,
    /// What else is otherwise, by key.
    pub texts: Vec<TextChange>,
}

/// A key that says something else, for some targets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextChange {
    /// The key.
    pub key: &'static str,
    /// What it said; empty where it was not there.
    pub before: String,
    /// What it says; empty where it is not there.
    pub after: String,
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// Of rules: whether no cluster escaped, and whether none does.
    pub for_all: (bool, bool),
}

/// Whether a risk was there before, and is there after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was not declared before.
    New,
    /// It is not declared any more.
    Gone,
    /// It is declared otherwise.
    Changed,
}

/// A pattern that is otherwise, for some targets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternChange {
    /// The pattern before.
    pub before: String,
    /// The pattern after.
    pub after: String,
    /// The targets, oldest first.
    pub targets: Vec<String>,
    /// The releases that it reaches now and did not, oldest first.
    pub includes: Vec<String>,
    /// The releases that it reached and does not now.
    pub excludes: Vec<String>,
    /// Whether that is all there is to it: both patterns are known, and name no architecture.
    pub is_all: bool,
}

impl RiskChange {
    /// Every target that something is otherwise for.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        let patterns = self.patterns.iter().flat_map(|pattern| &pattern.targets);
        let texts = self.texts.iter().flat_map(|text| &text.targets);
        let all = self.added.iter().chain(&self.dropped).chain(patterns).chain(texts);
        all.map(|target| strip_build(target))
    }
}

/// A declaration, as far as it is compared.
struct Declared<'d> {
    data: &'d GraphData,
    edge: &'d BlockedEdge,
}

type ByTarget<'d> = BTreeMap<(Version, String), Declared<'d>>;

/// The risks that changed, by name; blocks last.
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
            let standing = match (had.contains(&name.as_deref()), has.contains(&name.as_deref())) {
                (false, _) => Standing::New,
                (_, false) => Standing::Gone,
                _ => Standing::Changed,
            };
            let change =
                change(name.as_deref(), standing, was.unwrap_or(&nothing), is.unwrap_or(&nothing));
            let is_idle = change.added.is_empty()
                && change.dropped.is_empty()
                && change.patterns.is_empty()
                && change.texts.is_empty();
            (!is_idle).then_some(change)
        })
        .collect();
    changes.sort_by(|a, b| (a.name.is_none(), &a.name).cmp(&(b.name.is_none(), &b.name)));
    changes
}

/// The names and targets of what stands in files that are not the same on both sides: nothing else
/// can be declared otherwise.
fn changed_keys<'d>(before: &'d GraphData, after: &'d GraphData) -> HashSet<(Name<'d>, &'d str)> {
    let changed = |one: &'d GraphData, other: &'d GraphData| {
        let files = one.files.iter();
        let is_changed = files
            .map(|file| !file.is_shared_with(other.at_path(one.path(file.id))))
            .collect::<Vec<bool>>();
        let edges = one.blocked_edges.iter();
        edges.filter(move |edge| is_changed[edge.file.index()]).filter_map(key)
    };
    changed(before, after).chain(changed(after, before)).collect()
}

/// The name of a risk; none of blocks.
type Name<'d> = Option<&'d str>;

/// The name of a risk, and the target that it is declared for.
fn key(edge: &BlockedEdge) -> Option<(Name<'_>, &str)> {
    let is_risk = matches!(edge.affected, Affected::MatchingRules(_));
    let name = edge.name.as_ref().filter(|_| is_risk).map(|name| name.value.as_str());
    Some((name, edge.to.as_ref()?.value.trim()))
}

/// The names of all that the service loads.
fn names(data: &GraphData) -> HashSet<Name<'_>> {
    let is_loaded =
        |edge: &&BlockedEdge| data.file(edge.file).verdict == Verdict::Loads && edge.from.is_some();
    let edges = data.blocked_edges.iter().filter(|edge| edge.target.is_some());
    edges.filter(is_loaded).filter_map(key).map(|(name, _)| name).collect()
}

/// What the service loads of some names and targets.
fn declared<'d>(
    data: &'d GraphData,
    keys: &HashSet<(Name<'d>, &'d str)>,
) -> BTreeMap<Option<String>, ByTarget<'d>> {
    let mut all: BTreeMap<Option<String>, ByTarget<'_>> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let Some((name, to)) = key(edge).filter(|key| keys.contains(key)) else { continue };
        let Some(target) = &edge.target else { continue };
        if data.file(edge.file).verdict != Verdict::Loads || edge.from.is_none() {
            continue;
        }
        let target = (target.clone(), to.to_owned());
        all.entry(name.map(str::to_owned)).or_default().insert(target, Declared { data, edge });
    }
    all
}

fn change(
    name: Option<&str>,
    standing: Standing,
    was: &ByTarget<'_>,
    is: &ByTarget<'_>,
) -> RiskChange {
    let without = |a: &ByTarget<'_>, b: &ByTarget<'_>| -> Vec<String> {
        a.keys().filter(|key| !b.contains_key(key)).map(|(_, to)| to.clone()).collect()
    };
    let mut patterns: BTreeMap<(&str, &str), Patterns> = BTreeMap::new();
    let mut texts: BTreeMap<(&'static str, String, String), TextChange> = BTreeMap::new();
    for (key, now) in is {
        let Some(then) = was.get(key) else { continue };
        let (old, new) = (then.pattern(), now.pattern());
        if old != new {
            patterns.entry((old, new)).or_default().add(&key.1, then, now);
        }
        for ((what, old), (_, new)) in then.texts().into_iter().zip(now.texts()) {
            if old != new {
                let change = texts.entry((what, old.clone(), new.clone()));
                let change = change.or_insert_with(|| TextChange {
                    key: what,
                    before: old,
                    after: new,
                    targets: Vec::new(),
                    for_all: (then.edge.affected.is_everyone(), now.edge.affected.is_everyone()),
                });
                change.targets.push(key.1.clone());
            }
        }
    }
    let patterns = patterns.into_iter().map(|((before, after), all)| all.change(before, after));
    RiskChange {
        name: name.map(str::to_owned),
        standing,
        added: without(is, was),
        dropped: without(was, is),
        patterns: patterns.collect(),
        texts: texts.into_values().collect(),
    }
}

impl Declared<'_> {
    fn pattern(&self) -> &str {
        self.edge.from.as_ref().map_or("", |from| &from.value)
    }

    /// What is declared beside the releases, by key.
    fn texts(&self) -> [(&'static str, String); 5] {
        let edge = self.edge;
        let text =
            |text: &Option<Text>| text.as_ref().map(|text| text.value.clone()).unwrap_or_default();
        let rules = match &edge.affected {
            Affected::MatchingRules(rules) => {
                let rule = rules.iter().map(|rule| text(&rule.kind) + "\n" + &text(&rule.query));
                rule.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        };
        [
            ("url", text(&edge.url)),
            ("message", text(&edge.message)),
            ("matchingRules", rules),
            ("fixedIn", text(&edge.fixed_in)),
            ("autoExtend", text(&edge.auto_extend)),
        ]
    }

    /// The releases that its pattern reaches among those that its target can be updated from; none
    /// where that is not known.
    fn reached(&self) -> Option<BTreeSet<(&Version, &str)>> {
        let releases = &self.data.releases;
        let reach = self.data.patterns.get(self.pattern())?.reach.as_ref()?;
        let possible = releases.possible_origins(self.edge.target.as_ref()?);
        let reached = reach.within(&possible).iter().map(|reached| {
            let release = releases.get(reached.release);
            (&release.version, release.text.as_str())
        });
        Some(reached.collect())
    }
}

/// One pattern in place of another, for several targets.
#[derive(Default)]
struct Patterns<'d> {
    targets: Vec<String>,
    includes: BTreeSet<(&'d Version, &'d str)>,
    excludes: BTreeSet<(&'d Version, &'d str)>,
    is_unknown: bool,
}

impl<'d> Patterns<'d> {
    fn add(&mut self, target: &str, then: &'d Declared<'_>, now: &'d Declared<'_>) {
        self.targets.push(target.to_owned());
        let (Some(old), Some(new)) = (then.reached(), now.reached()) else {
            self.is_unknown = true;
            return;
        };
        // A release that one side does not know was neither included nor excluded.
        let known =
            |side: &Declared<'_>, version: &Version| side.data.releases.find(version).is_some();
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
