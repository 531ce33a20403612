//! A small cluster that a query counts as affected.

use crate::metrics::FIXED_TIME;
use crate::promql::{self, Query};

use super::classes::{Class, Classes, MOST_NODES};
use super::dictionary::Dictionary;
use super::outcome::{Outcome, settings};
use super::proof::MOST_CLUSTERS;

/// The series of a cluster that a query counts as affected, as lines of a `.series` file. The cluster
/// is as usual and as simple as possible. None: none is found.
pub(crate) fn affected_cluster(query: &Query, dictionary: &Dictionary) -> Option<Vec<String>> {
    let classes = Classes::of(&[query], dictionary, FIXED_TIME);
    let is_affected = |class: &Class| {
        let answer = promql::evaluate(query, &classes.store(class), &settings());
        Outcome::of(&answer) == Some(Outcome::One)
    };
    let unusual = |class: &Class| class.iter().filter(|choice| **choice > 0).count();
    let most = MOST_CLUSTERS.min(MOST_NODES / (query.root().index() + 1)).max(50);
    let affected = classes.some(most).into_iter().filter(is_affected);
    let mut class = affected.min_by_key(|class| (classes.rarity(class), unusual(class)))?;
    let rarity = classes.rarity(&class);
    for part in 0..class.len() {
        let choice = std::mem::replace(&mut class[part], 0);
        if classes.rarity(&class) > rarity || !is_affected(&class) {
            class[part] = choice;
        }
    }
    let series = classes.chosen(&class).flat_map(|population| &population.series);
    Some(series.map(|series| series.line()).collect())
}
