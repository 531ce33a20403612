//! What is declared otherwise than before.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph_data::{Affected, BlockedEdge, GraphData, Verdict};
use crate::version::Version;

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
    /// What else is otherwise, by key, and for how many targets.
    pub texts: Vec<(&'static str, usize)>,
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
}

/// A declaration, as far as it is compared.
struct Declared<'d> {
    data: &'d GraphData,
    edge: &'d BlockedEdge,
}

type ByTarget<'d> = BTreeMap<(Version, String), Declared<'d>>;

/// The risks that are declared otherwise, by name; blocks last.
pub(super) fn changes(before: &GraphData, after: &GraphData) -> Vec<RiskChange> {
    let (was, is) = (declared(before), declared(after));
    let names: BTreeSet<&Option<String>> = was.keys().chain(is.keys()).collect();
    let nothing = ByTarget::new();
    let mut changes: Vec<RiskChange> = names
        .into_iter()
        .filter_map(|name| {
            let (was, is) = (was.get(name), is.get(name));
            let standing = match (was, is) {
                (None, _) => Standing::New,
                (_, None) => Standing::Gone,
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

/// What the service loads, by name and target.
fn declared(data: &GraphData) -> BTreeMap<Option<String>, ByTarget<'_>> {
    let mut all: BTreeMap<Option<String>, ByTarget<'_>> = BTreeMap::new();
    for edge in &data.blocked_edges {
        let (Some(to), Some(target)) = (&edge.to, &edge.target) else { continue };
        if data.file(edge.file).verdict != Verdict::Loads || edge.from.is_none() {
            continue;
        }
        let is_risk = matches!(edge.affected, Affected::MatchingRules(_));
        let name = edge.name.as_ref().filter(|_| is_risk).map(|name| name.value.clone());
        let key = (target.clone(), to.value.trim().to_owned());
        all.entry(name).or_default().insert(key, Declared { data, edge });
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
    let mut patterns: BTreeMap<(&str, &str), PatternChange> = BTreeMap::new();
    let mut texts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (key, now) in is {
        let Some(then) = was.get(key) else { continue };
        let (old, new) = (then.pattern(), now.pattern());
        if old != new {
            let change = || PatternChange {
                before: old.to_owned(),
                after: new.to_owned(),
                targets: Vec::new(),
                includes: beyond(now, then),
                excludes: beyond(then, now),
            };
            patterns.entry((old, new)).or_insert_with(change).targets.push(key.1.clone());
        }
        for ((what, old), (_, new)) in then.texts().into_iter().zip(now.texts()) {
            if old != new {
                *texts.entry(what).or_default() += 1;
            }
        }
    }
    RiskChange {
        name: name.map(str::to_owned),
        standing,
        added: without(is, was),
        dropped: without(was, is),
        patterns: patterns.into_values().collect(),
        texts: texts.into_iter().collect(),
    }
}

impl Declared<'_> {
    fn pattern(&self) -> &str {
        self.edge.from.as_ref().map_or("", |from| &from.value)
    }

    /// What is declared beside the releases, by key.
    fn texts(&self) -> [(&'static str, String); 5] {
        let edge = self.edge;
        let text = |text: &Option<crate::text::Spanned<String>>| {
            text.as_ref().map(|text| text.value.clone()).unwrap_or_default()
        };
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

    /// The releases that its pattern reaches; none where that is not known.
    fn reached(&self) -> Option<BTreeSet<(&Version, &str)>> {
        let reach = self.data.patterns.get(self.pattern())?.reach.as_ref()?;
        let releases = reach.origins.iter().map(|reached| {
            let release = self.data.releases.get(reached.release);
            (&release.version, release.text.as_str())
        });
        Some(releases.collect())
    }
}

/// The releases that both sides know, and that one pattern reaches and the other does not.
fn beyond(one: &Declared<'_>, other: &Declared<'_>) -> Vec<String> {
    let (Some(mine), Some(theirs)) = (one.reached(), other.reached()) else { return Vec::new() };
    let beyond = mine.difference(&theirs);
    let known = beyond.filter(|(version, _)| other.data.releases.find(version).is_some());
    known.map(|(_, text)| (*text).to_owned()).collect()
}
