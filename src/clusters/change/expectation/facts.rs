//! Compares statements with what a change does.

use std::collections::BTreeSet;

use crate::change::{AlteredUpdate, Fate, GraphChange};
use crate::domain::version::{self, Version};
use crate::text::words::listed;

use super::statement::{StatementKind, StatementPart};
use super::{ReleaseSpan, Stated, Statement, UpdateSpan};

/// A statement that is wrong or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenStatement<'s> {
    pub stated: &'s Stated,
    pub why: String,
}

/// One effect of a change.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    Stranded(FactVersion, String),
    Update(FactVersion, FactVersion),
    Channel(String),
}

/// A version, if it is valid, and its text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FactVersion(Option<Version>, String);

pub(super) fn broken<'s>(
    stated: &'s [Stated],
    change: &GraphChange<'_>,
) -> Vec<BrokenStatement<'s>> {
    let mut broken: Vec<BrokenStatement<'s>> = Vec::new();
    for one in stated {
        let why = one.statement.as_ref().err();
        broken.extend(why.map(|why| BrokenStatement { stated: one, why: why.to_string() }));
    }
    for kind in StatementKind::ALL {
        let of_kind = stated.iter().filter_map(|one| {
            let statement = one.statement.as_ref().ok()?;
            (statement.kind() == kind).then_some((one, statement))
        });
        let of_kind: Vec<(&Stated, &Statement)> = of_kind.collect();
        let unchecked = change.unchecked.as_ref().filter(|_| kind == StatementKind::Strands);
        if let Some(unchecked) = unchecked {
            let why = format!("no release was checked: {unchecked}");
            let all = of_kind.iter();
            broken.extend(all.map(|(one, _)| BrokenStatement { stated: one, why: why.clone() }));
        } else if !of_kind.is_empty() {
            find_broken(kind, &of_kind, &facts(kind, change), &mut broken);
        }
    }
    broken.sort_by_key(|broken| stated.iter().position(|one| std::ptr::eq(one, broken.stated)));
    broken
}

/// Compares all statements of one kind with all effects of that kind.
fn find_broken<'s>(
    kind: StatementKind,
    stated: &[(&'s Stated, &Statement)],
    facts: &BTreeSet<Fact>,
    broken: &mut Vec<BrokenStatement<'s>>,
) {
    let parts: Vec<(&'s Stated, Vec<StatementPart<'_>>)> =
        stated.iter().map(|(one, statement)| (*one, statement.parts())).collect();
    let mut add = |stated, why| broken.push(BrokenStatement { stated, why });
    for (one, parts) in &parts {
        if parts.is_empty() && !facts.is_empty() {
            add(one, format!("the change {} {}", kind.does(), some_of(facts.iter())));
        }
        // `only` allows changes in a channel, but does not require them.
        let mut wanted = parts.iter().filter(|_| kind != StatementKind::Only);
        if let Some(missing) = wanted.find(|part| !facts.iter().any(|fact| fact.is_in(part))) {
            add(one, format!("the change does not {} {missing}", kind.do_it()));
        }
    }
    let named = |fact: &&Fact| parts.iter().flat_map(|(_, parts)| parts).any(|p| fact.is_in(p));
    let mut others = facts.iter().filter(|fact| !named(fact)).peekable();
    if let Some((one, _)) = parts.iter().find(|(_, parts)| !parts.is_empty())
        && others.peek().is_some()
    {
        add(one, format!("the change also {} {}", kind.does(), some_of(others)));
    }
}

fn facts(kind: StatementKind, change: &GraphChange<'_>) -> BTreeSet<Fact> {
    let GraphChange { comparison, exits, .. } = change;
    let stranded = exits.stranded.iter().map(|entry| {
        let (channel, one) = entry.of(&exits.after);
        let version = FactVersion::of(channel.graph.version(one.release));
        Fact::Stranded(version, exits.after.name(channel.channel).to_owned())
    });
    let update = |altered: &AlteredUpdate| {
        let version = |id| FactVersion::of(&comparison.versions[id]);
        Fact::Update(version(altered.from), version(altered.to))
    };
    let gains_risk = |altered: &&AlteredUpdate| {
        let risks = |id| comparison.seen[id].risks();
        matches!(altered.fate, Fate::MadeConditional | Fate::RisksChanged)
            && risks(altered.after).iter().any(|risk| !risks(altered.before).contains(risk))
    };
    let altered = comparison.altered.iter();
    match kind {
        StatementKind::Strands => stranded.collect(),
        StatementKind::Blocks => altered.filter(|one| one.fate == Fate::Lost).map(update).collect(),
        StatementKind::Conditional => altered.filter(gains_risk).map(update).collect(),
        StatementKind::Only => {
            let moves = comparison.moves.iter();
            let moved_in = moves.flat_map(|one| one.joins.iter().chain(&one.leaves));
            let channels = altered.flat_map(|one| &one.channels).chain(moved_in);
            let names = channels.map(|at| comparison.channels[*at].clone());
            let own = stranded.filter_map(|fact| match fact {
                Fact::Stranded(_, channel) => Some(channel),
                Fact::Update(..) | Fact::Channel(_) => None,
            });
            names.chain(own).map(Fact::Channel).collect()
        }
    }
}

impl FactVersion {
    fn of(text: &str) -> Self {
        Self(version::parse(text), text.to_owned())
    }

    fn is_in(&self, releases: &ReleaseSpan) -> bool {
        self.0.as_ref().is_some_and(|version| releases.hold(version))
    }
}

impl Fact {
    fn is_in(&self, part: &StatementPart<'_>) -> bool {
        match (self, part) {
            (Self::Stranded(version, own), StatementPart::Release(releases, channel)) => {
                version.is_in(releases) && channel.is_none_or(|channel| channel == own)
            }
            (
                Self::Update(from, to),
                StatementPart::Updates(UpdateSpan { from: origins, to: targets }),
            ) => to.is_in(targets) && origins.as_ref().is_none_or(|origins| from.is_in(origins)),
            (Self::Channel(own), StatementPart::Channel(channel)) => own == *channel,
            _ => false,
        }
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stranded(version, channel) => write!(f, "{} in {channel}", version.1),
            Self::Update(from, to) => write!(f, "{} -> {}", from.1, to.1),
            Self::Channel(name) => f.write_str(name),
        }
    }
}

fn some_of<'f>(facts: impl Iterator<Item = &'f Fact>) -> String {
    let texts: Vec<String> = facts.map(ToString::to_string).collect();
    listed(&texts.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}
