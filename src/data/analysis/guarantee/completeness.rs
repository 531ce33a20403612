//! Whether a list of stranding sets is complete.
//!
//! A set of risks that contains none of the listed sets lacks at least one risk of each listed set.
//! So it lacks all risks of some smallest choice of one risk from each listed set. If, for each
//! such choice, there is a path that only the chosen risks can close, then the set does not close
//! all paths, and the list is complete.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Arena;

use super::super::channel_graph::MemberId;
use super::super::risk_names::RiskNameId;

/// The most choices to try for one release.
const MOST_CHOICES: usize = 2_000;

/// Remembers from which releases a goal can be reached while only some risks do not apply.
pub(super) struct Checks<'f> {
    reaching: &'f dyn Fn(&[RiskNameId]) -> Arena<MemberId, bool>,
    known: BTreeMap<Vec<RiskNameId>, Arena<MemberId, bool>>,
}

impl<'f> Checks<'f> {
    /// `reaching` says for each release whether it reaches the goal if all risks apply except the
    /// given ones.
    pub(super) fn new(reaching: &'f dyn Fn(&[RiskNameId]) -> Arena<MemberId, bool>) -> Self {
        Self { reaching, known: BTreeMap::new() }
    }

    pub(super) fn are_all(&mut self, release: MemberId, sets: &[Vec<RiskNameId>]) -> bool {
        // The empty set has no risk to omit: it is in every set.
        if sets.iter().any(Vec::is_empty) {
            return sets.len() == 1;
        }
        let Some(choices) = choices(sets) else { return false };
        choices.into_iter().all(|choice| {
            let reaching = self.reaching;
            self.known.entry(choice).or_insert_with_key(|choice| reaching(choice))[release]
        })
    }
}

/// The smallest choices of at least one risk of each set. None if there are too many.
fn choices(sets: &[Vec<RiskNameId>]) -> Option<BTreeSet<Vec<RiskNameId>>> {
    let mut choices = BTreeSet::from([Vec::new()]);
    for set in sets {
        let mut larger: BTreeSet<Vec<RiskNameId>> = BTreeSet::new();
        for choice in &choices {
            if choice.iter().any(|risk| set.contains(risk)) {
                larger.insert(choice.clone());
                continue;
            }
            for risk in set {
                let mut with = choice.clone();
                with.push(*risk);
                with.sort_unstable();
                larger.insert(with);
            }
        }
        if larger.len() > MOST_CHOICES {
            return None;
        }
        choices = larger
            .iter()
            .filter(|one| !larger.iter().any(|other| other != *one && is_within(other, one)))
            .cloned()
            .collect();
    }
    Some(choices)
}

fn is_within(small: &[RiskNameId], large: &[RiskNameId]) -> bool {
    small.iter().all(|risk| large.binary_search(risk).is_ok())
}
