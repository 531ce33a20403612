//! The rebuilds of a package: for each bundle, the bundles that take its place.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::HashMap;

/// Chains of rebuilds: a bundle, the bundle that takes its place, and so on.
///
/// No bundle is in two chains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// Each chain begins with a bundle that is not a rebuild.
    chains: Vec<Vec<String>>,
    places: HashMap<String, ChainPlace>,
}

/// A place in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChainPlace {
    pub chain: usize,
    pub at: usize,
}

/// Why substitutions do not form chains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contradiction {
    /// Several bundles take the place of one.
    TwoSubstitutes { base: String, substitutes: Vec<String> },
    /// One bundle takes the place of several.
    TwoBases { substitute: String, bases: Vec<String> },
    /// Bundles take each other's place. The names are in order, and the first is not repeated.
    Cycle { names: Vec<String> },
}

impl Chains {
    /// Makes chains of pairs of a substitute and its base. Pairs can have any order, and can be
    /// repeated.
    pub fn of<'p>(
        pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Result<Self, Vec<Contradiction>> {
        let (mut substitutes, mut bases) = (Relation::default(), Relation::default());
        for (substitute, base) in pairs {
            substitutes.entry(base).or_default().insert(substitute);
            bases.entry(substitute).or_default().insert(base);
        }
        let owned = |names: &BTreeSet<&str>| names.iter().map(|name| (*name).to_owned()).collect();
        let mut contradictions: Vec<Contradiction> = several(&substitutes)
            .map(|(base, all)| {
                let base = base.to_owned();
                Contradiction::TwoSubstitutes { base, substitutes: owned(all) }
            })
            .collect();
        contradictions.extend(several(&bases).map(|(substitute, all)| {
            let substitute = substitute.to_owned();
            Contradiction::TwoBases { substitute, bases: owned(all) }
        }));
        if !contradictions.is_empty() {
            return Err(contradictions);
        }
        let next = |name: &str| substitutes.get(name).and_then(BTreeSet::first).copied();
        let first = substitutes.keys().filter(|base| !bases.contains_key(*base));
        let chains: Vec<Vec<String>> = first
            .map(|base| {
                let members = std::iter::successors(Some(*base), |name| next(name));
                members.map(str::to_owned).collect()
            })
            .collect();
        let chains = Self::with_places(chains);
        // Pairs that are in no chain form circles.
        let cycles = cycles(&substitutes, |name| chains.places.contains_key(name));
        if cycles.is_empty() { Ok(chains) } else { Err(cycles) }
    }

    fn with_places(chains: Vec<Vec<String>>) -> Self {
        let mut places = HashMap::default();
        for (chain, members) in chains.iter().enumerate() {
            for (at, name) in members.iter().enumerate() {
                places.insert(name.clone(), ChainPlace { chain, at });
            }
        }
        Self { chains, places }
    }

    pub(super) fn place(&self, name: &str) -> Option<ChainPlace> {
        self.places.get(name).copied()
    }

    pub(super) fn members(&self, chain: usize) -> &[String] {
        self.chains.get(chain).map_or(&[], Vec::as_slice)
    }

    /// All chains, each from the original bundle to its last rebuild.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[String]> {
        self.chains.iter().map(Vec::as_slice)
    }

    /// The original bundle of a chain. A bundle without a chain is its own origin.
    pub(crate) fn origin<'n>(&'n self, name: &'n str) -> &'n str {
        let chain = self.place(name).map(|member| self.members(member.chain));
        chain.and_then(<[String]>::first).map_or(name, String::as_str)
    }

    /// The last rebuild of a bundle, if it has one.
    pub(crate) fn last_rebuild(&self, name: &str) -> Option<&str> {
        let last = self.members(self.place(name)?.chain).last()?;
        (last != name).then_some(last)
    }
}

type Relation<'p> = BTreeMap<&'p str, BTreeSet<&'p str>>;

fn several<'r, 'p>(
    relation: &'r Relation<'p>,
) -> impl Iterator<Item = (&'p str, &'r BTreeSet<&'p str>)> {
    relation.iter().filter(|(_, names)| names.len() > 1).map(|(name, names)| (*name, names))
}

/// The circles among names that are in no chain. Each of these names has one substitute.
fn cycles(substitutes: &Relation<'_>, is_in_chain: impl Fn(&str) -> bool) -> Vec<Contradiction> {
    let mut seen = BTreeSet::new();
    let mut cycles = Vec::new();
    for start in substitutes.keys().filter(|name| !is_in_chain(name)) {
        let mut names = Vec::new();
        let mut at = *start;
        while seen.insert(at) {
            names.push(at.to_owned());
            let Some(next) = substitutes.get(at).and_then(BTreeSet::first) else { break };
            at = next;
        }
        if !names.is_empty() {
            cycles.push(Contradiction::Cycle { names });
        }
    }
    cycles
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Chains, Contradiction};

    fn contradictions(pairs: &[(&str, &str)]) -> Vec<Contradiction> {
        Chains::of(pairs.iter().copied()).unwrap_err()
    }

    #[test]
    fn chains_do_not_depend_on_the_order_of_pairs() {
        let pairs = [("a2", "a1"), ("b1", "b"), ("a1", "a"), ("a2", "a1")];
        let chains = Chains::of(pairs).unwrap();
        assert_eq!(chains.chains, [vec!["a", "a1", "a2"], vec!["b", "b1"]]);
        let reversed = Chains::of(pairs.into_iter().rev()).unwrap();
        assert_eq!(chains, reversed);
        assert_eq!(chains.last_rebuild("a"), Some("a2"));
        assert_eq!(chains.last_rebuild("a2"), None);
        assert_eq!(chains.origin("a2"), "a");
        assert_eq!(chains.origin("other"), "other");
    }

    #[test]
    fn circles_are_named_once() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(
            contradictions(&[("a", "a"), ("c", "b"), ("b", "c"), ("y", "x")]),
            [
                Contradiction::Cycle { names: names(&["a"]) },
                Contradiction::Cycle { names: names(&["b", "c"]) }
            ]
        );
    }

    #[test]
    fn one_base_each_and_one_substitute_each() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(
            contradictions(&[("a2", "a"), ("a1", "a"), ("a1", "b")]),
            [
                Contradiction::TwoSubstitutes {
                    base: "a".to_owned(),
                    substitutes: names(&["a1", "a2"])
                },
                Contradiction::TwoBases { substitute: "a1".to_owned(), bases: names(&["a", "b"]) }
            ]
        );
    }
}
