//! Searches for clusters on which a query goes wrong.

use crate::metrics::FIXED_TIME;
use crate::promql::Query;

use super::by_part::ByPart;
use super::classes::{Class, Classes, MOST_NODES};
use super::dictionary::Dictionary;
use super::outcome::Outcome;
use super::population::Population;
use super::random_clusters::RandomClusters;
use super::rarity::Rarity;
use super::witness::{Witness, in_words};

/// The most clusters on which any query is evaluated.
pub(super) const MOST_CLUSTERS: usize = 1_500;

/// The most clusters on which this query is evaluated.
pub(super) fn most_clusters(query: &Query) -> usize {
    MOST_CLUSTERS.min(MOST_NODES / (query.root().index() + 1)).max(50)
}

/// The number of random clusters to try.
pub(super) const RANDOM_CLUSTERS: usize = 200;

/// The result of a search.
#[derive(Default)]
pub(super) struct SearchResult {
    /// One witness for each kind of wrong answer, the most usual first.
    pub(super) witnesses: Vec<Witness>,
    /// Whether some cluster gets a 0.
    pub(super) zero: bool,
    pub(super) one: bool,
}

/// Evaluates a query on one cluster of each class. If nothing goes wrong, tries again with a label
/// of the scrape on each series, and then with random clusters.
pub(super) fn search(query: &Query, dictionary: &Dictionary) -> SearchResult {
    let (found, is_known) = among_classes(query, dictionary);
    if !found.witnesses.is_empty() || !is_known {
        return found;
    }
    let (scraped, _) = among_classes(query, &dictionary.with_job(query.metrics()));
    let mut witnesses = scraped.witnesses;
    if witnesses.is_empty() {
        witnesses.extend(among_random(query, dictionary));
    }
    SearchResult { witnesses, ..found }
}

/// Searches among the classes. Also returns whether the dictionary knows all metrics. If not, no
/// cluster is a witness.
fn among_classes(query: &Query, dictionary: &Dictionary) -> (SearchResult, bool) {
    let mut classes = Classes::of(&[query], dictionary, FIXED_TIME);
    let by_part = ByPart::of(query, &mut classes);
    let is_known = classes.unknown.is_empty();
    let mut search = Search::new(query, &classes, by_part);
    for class in classes.some(most_clusters(query)) {
        search.try_class(class);
    }
    let witnesses = if is_known { search.witnesses() } else { Vec::new() };
    (SearchResult { witnesses, zero: search.zero, one: search.one }, is_known)
}

/// The first wrong answer on a random cluster.
fn among_random(query: &Query, dictionary: &Dictionary) -> Option<Witness> {
    let mut clusters = RandomClusters::of(query, dictionary)?;
    (0..RANDOM_CLUSTERS).find_map(|_| {
        let cluster = clusters.next();
        let wrong = clusters.outcome(query, &cluster).filter(Outcome::is_wrong)?;
        let simplest = clusters.populations(&clusters.simplest(cluster, query, &wrong));
        let chosen: Vec<&Population> = simplest.iter().collect();
        Witness::of(query, &wrong, Rarity::Rare, &chosen, in_words(&chosen, &[]))
    })
}

/// What the search has found so far.
struct Search<'a> {
    query: &'a Query,
    classes: &'a Classes,
    by_part: ByPart<'a>,
    /// The most usual class for each kind of wrong answer.
    found: Vec<(Outcome, Rarity, Class)>,
    zero: bool,
    one: bool,
}

impl<'a> Search<'a> {
    fn new(query: &'a Query, classes: &'a Classes, by_part: ByPart<'a>) -> Self {
        Self { query, classes, by_part, found: Vec::new(), zero: false, one: false }
    }

    fn outcome(&mut self, class: &Class) -> Option<Outcome> {
        Outcome::of(&self.by_part.answer(self.classes, class).0)
    }

    fn try_class(&mut self, class: Class) {
        let Some(outcome) = self.outcome(&class) else { return };
        match outcome {
            Outcome::Zero => self.zero = true,
            Outcome::One => self.one = true,
            _ => {
                let rarity = self.classes.rarity(&class);
                match self.found.iter_mut().find(|(known, ..)| known.is_like(&outcome)) {
                    None => self.found.push((outcome, rarity, class)),
                    Some(known) if rarity < known.1 => *known = (outcome, rarity, class),
                    Some(_) => {}
                }
            }
        }
    }

    fn witnesses(&mut self) -> Vec<Witness> {
        self.found.sort_by_key(|(_, rarity, _)| *rarity);
        let found = std::mem::take(&mut self.found);
        let witnesses = found
            .iter()
            .filter_map(|(outcome, rarity, class)| self.witness(outcome, *rarity, class));
        witnesses.collect()
    }

    /// The simplest possible witness of an outcome.
    fn witness(&mut self, outcome: &Outcome, rarity: Rarity, class: &Class) -> Option<Witness> {
        let classes = self.classes;
        let mut is_like =
            |class: &Class| self.outcome(class).is_some_and(|simple| simple.is_like(outcome));
        let class = classes.simplest(class.clone(), &mut is_like);
        let words = classes.words(&class, is_like);
        let chosen: Vec<&Population> = classes.chosen(&class).collect();
        Witness::of(self.query, outcome, rarity, &chosen, words)
    }
}
