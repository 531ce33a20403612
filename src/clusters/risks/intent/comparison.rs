//! Compares a query with a condition, on every cluster that a dictionary allows.

use crate::coverage::{Coverage, Dictionary, Difference, ProofVerdict};
use crate::promql::{self, LONGEST, Query};

use super::condition::Condition;
use super::keys;
use super::query::{Form, QueryChoices, Writer};

/// A query, and how conditions are written for it.
pub(super) struct Meant<'a> {
    text: &'a str,
    query: &'a Query,
    asked: QueryChoices,
    dictionary: &'a Dictionary,
}

/// The difference between a query and a condition.
pub(super) struct Compared {
    /// The difference, with the condition as the old query, and the query as the new one.
    pub(super) difference: Difference,
    /// Whether it is proved that there are no other differences.
    pub(super) is_proved: bool,
}

/// The query for a condition is too long or too deep.
#[derive(Debug)]
pub(super) struct TooLarge;

impl<'a> Meant<'a> {
    pub(super) fn new(text: &'a str, query: &'a Query, dictionary: &'a Dictionary) -> Self {
        Self { text, query, asked: QueryChoices::by(query), dictionary }
    }

    /// Whether it is known that a condition is true for no cluster.
    pub(super) fn is_impossible(&self, condition: &Condition) -> Result<bool, TooLarge> {
        let query = parsed(&self.writer(Form::Each).query(condition))?;
        let coverage = Coverage::of(&query, self.dictionary);
        Ok(coverage.verdict == ProofVerdict::Proved && !coverage.one)
    }

    pub(super) fn compared(&self, condition: &Condition) -> Result<Compared, TooLarge> {
        let known = self.in_some_form(condition)?;
        let is_proved = known.is_complete && !is_shown(&known);
        if is_proved || condition.count_near() == 0 {
            return Ok(Compared { difference: known, is_proved });
        }
        if condition.is_about(keys::VERSIONS) {
            return self.with_versions(condition);
        }
        let mut difference = known;
        for nth in 0..condition.count_near() {
            if is_shown(&difference) {
                break;
            }
            difference = self.in_some_form(&condition.clone().with_near(nth))?;
        }
        Ok(Compared { difference, is_proved: false })
    }

    /// Compares only clusters that have a version. The dictionary allows any text as a version, but
    /// texts that are not versions do not matter. The query must apply to each cluster with a
    /// version that the condition means, and to no other cluster with a version.
    fn with_versions(&self, condition: &Condition) -> Result<Compared, TooLarge> {
        let has_version = keys::has_version();
        let least = Condition::All(vec![condition.clone(), has_version.clone()]);
        let most = Condition::Any(vec![condition.clone(), Condition::not(has_version)]);
        let mut difference = Difference::default();
        for nth in 0..condition.count_near() {
            let of = |condition: &Condition| self.in_some_form(&condition.clone().with_near(nth));
            difference.missed = of(&least)?.missed;
            difference.caught = of(&most)?.caught;
            if is_shown(&difference) {
                return Ok(Compared { difference, is_proved: false });
            }
        }
        let is_proved = self.is_never_less(&least)? && self.is_never_more(&most)?;
        Ok(Compared { difference, is_proved })
    }

    /// Whether it is proved that the query applies to all clusters of a condition.
    fn is_never_less(&self, condition: &Condition) -> Result<bool, TooLarge> {
        self.is_proved_same(condition, |meant| {
            format!("({meant} and on () (({}\n) == 1)) or vector(0)", self.text)
        })
    }

    /// Whether it is proved that the query applies to no clusters other than those of a condition.
    fn is_never_more(&self, condition: &Condition) -> Result<bool, TooLarge> {
        self.is_proved_same(condition, |meant| {
            format!("({meant} or on () group(({}\n) == 1)) or vector(0)", self.text)
        })
    }

    /// Whether a condition is proved equivalent to one that is combined with the query.
    fn is_proved_same(
        &self,
        condition: &Condition,
        other: impl Fn(&str) -> String,
    ) -> Result<bool, TooLarge> {
        for form in Form::all(condition) {
            let writer = self.writer(*form);
            let meant = parsed(&writer.query(condition))?;
            let other = parsed(&other(&writer.holds(condition)))?;
            let difference = Difference::of(&meant, &other, self.dictionary);
            if difference.is_complete {
                return Ok(!is_shown(&difference));
            }
        }
        Ok(false)
    }

    /// The difference, with the condition in the first form that gives a decision.
    fn in_some_form(&self, condition: &Condition) -> Result<Difference, TooLarge> {
        let mut difference = Difference::default();
        for form in Form::all(condition) {
            let meant = parsed(&self.writer(*form).query(condition))?;
            difference = Difference::of(&meant, self.query, self.dictionary);
            if difference.is_complete || is_shown(&difference) {
                break;
            }
        }
        Ok(difference)
    }

    fn writer(&self, form: Form) -> Writer<'_> {
        Writer { asked: &self.asked, dictionary: self.dictionary, form }
    }
}

fn parsed(text: &str) -> Result<Query, TooLarge> {
    if text.len() > LONGEST {
        return Err(TooLarge);
    }
    promql::parse(text).map_err(|_| TooLarge)
}

fn is_shown(difference: &Difference) -> bool {
    difference.caught.is_some() || difference.missed.is_some()
}
