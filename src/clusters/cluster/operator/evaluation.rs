//! Evaluates whether the risks of updates apply, and which updates are recommended.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::super::in_cluster::{self, Targets};
use super::super::object::{
    ClusterVersion, Condition, ConditionalUpdate, ObjectRisk, Release, condition, newest_first,
};
use super::super::offer::Offer;
use super::super::recommendation::EvaluatedRisk;
use super::super::{Applies, Exposure, Log, MatchingRule, Recommendation, RiskText, Status};
use super::{Settings, Surroundings, Throttle};
use crate::domain::time::write_time;
use crate::domain::{HashMap, Named, RuleKind};
use crate::metrics::QueryError;

/// The updates of a cluster after an evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) updates: Vec<Release>,
    pub(super) conditional_updates: Vec<ConditionalUpdate>,
    /// For each risk by name, whether it applies.
    pub(super) applies: BTreeMap<String, Applies>,
    /// The versions whose condition `Recommended` got a new time, newest first.
    pub(super) changed: Vec<String>,
}

/// The inputs of an evaluation.
pub(super) struct Evaluator<'e, 'w> {
    pub(super) settings: &'e Settings,
    pub(super) surroundings: &'e mut Surroundings<'w>,
    pub(super) throttle: &'e mut Throttle,
    pub(super) accepted: &'e BTreeSet<String>,
    pub(super) queries: &'e mut Vec<String>,
    pub(super) log: &'e mut Log,
}

impl Evaluation {
    /// What the object stored before the operator started.
    pub(super) fn stored_in(cluster: &ClusterVersion) -> Self {
        let conditional_updates = cluster.status.conditional_updates.clone();
        Self { conditional_updates, ..Self::default() }
    }

    /// The conditions of each target, by the target's image.
    pub(super) fn into_conditions(self) -> HashMap<String, Vec<Condition>> {
        let updates = self.conditional_updates.into_iter().rev();
        updates.map(|update| (update.release.image, update.conditions)).collect()
    }

    /// Whether a recommendation is neither True nor False.
    pub(super) fn is_unfinished(&self) -> bool {
        self.conditional_updates.iter().any(|update| {
            let status = condition(&update.conditions, "Recommended").map(|one| &*one.status);
            !matches!(status, Some("True" | "False"))
        })
    }
}

impl Evaluator<'_, '_> {
    /// Evaluates an offer. `conditions` are those of the previous evaluation.
    pub(super) fn evaluate(
        &mut self,
        offer: &Offer,
        mut conditions: HashMap<String, Vec<Condition>>,
    ) -> Result<Evaluation, QueryError> {
        let mut found = Evaluation {
            updates: offer.updates.clone(),
            conditional_updates: offer.conditional_updates.clone(),
            ..Evaluation::default()
        };
        for update in &mut found.conditional_updates {
            update.conditions = conditions.remove(&update.release.image).unwrap_or_default();
        }
        if self.settings.has_own_risks() {
            self.add_own_risks(&mut found, &mut conditions);
        }
        if self.settings.level.evaluates_by_name() {
            self.check_names(&mut found)?;
        }
        self.recommend(&mut found)?;
        Ok(found)
    }

    fn add_own_risks(
        &mut self,
        found: &mut Evaluation,
        conditions: &mut HashMap<String, Vec<Condition>>,
    ) {
        let Surroundings { cluster, running, inside, .. } = *self.surroundings;
        let targets = Targets {
            updates: &mut found.updates,
            conditional_updates: &mut found.conditional_updates,
        };
        let level = self.settings.level;
        in_cluster::merge(cluster, &running.version, inside, level, targets, self.log);
        for update in &mut found.conditional_updates {
            if let Some(known) = conditions.remove(&update.release.image) {
                update.conditions = known;
            }
            if let Some(risks) = &mut update.risks {
                risks.sort_by(|a, b| a.name.cmp(&b.name));
            }
        }
        let oldest_first = |a: &ConditionalUpdate, b: &ConditionalUpdate| {
            newest_first(&b.release.version, &a.release.version)
        };
        found.conditional_updates.sort_by(oldest_first);
    }

    /// Evaluates each risk once by name. If definitions differ, that of the newest target counts.
    fn check_names(&mut self, found: &mut Evaluation) -> Result<(), QueryError> {
        let mut newest: BTreeMap<&str, (&str, &ObjectRisk)> = BTreeMap::new();
        for update in &found.conditional_updates {
            let version = update.release.version.as_str();
            for risk in update.risks.iter().flatten() {
                let known = newest.entry(&risk.name).or_insert((version, risk));
                if newest_first(version, known.0) == Ordering::Less {
                    *known = (version, risk);
                }
            }
        }
        let mut names: Vec<(&str, (&str, &ObjectRisk))> = newest.into_iter().collect();
        names.sort_by(|a, b| newest_first(a.1.0, b.1.0));
        for (name, (_, risk)) in names {
            let applies = self.applies(risk)?;
            found.applies.insert(name.to_owned(), applies);
        }
        Ok(())
    }

    /// Decides about all targets, the newest first. Moves the recommended ones to the unconditional
    /// updates.
    fn recommend(&mut self, found: &mut Evaluation) -> Result<(), QueryError> {
        let mut order: Vec<usize> = (0..found.conditional_updates.len()).collect();
        if !self.settings.level.evaluates_by_name() {
            let version = |at: usize| &*found.conditional_updates[at].release.version;
            order.sort_by(|a, b| newest_first(version(*a), version(*b)));
        }
        for at in order {
            let own = self.own_verdicts(&found.conditional_updates[at], &found.applies)?;
            let update = &mut found.conditional_updates[at];
            let risks = update.risks.iter().flatten().zip(&own);
            let evaluated: Vec<EvaluatedRisk<'_>> = risks
                .map(|(risk, applies)| EvaluatedRisk {
                    text: text(risk),
                    applies,
                    is_accepted: self.accepted.contains(&risk.name),
                })
                .collect();
            let verdict = Recommendation::of_all(&evaluated, self.settings.level);
            let image = &update.release.image;
            let is_listed = found.updates.iter().any(|other| other.image == *image);
            match verdict.status {
                Status::True if is_listed => {}
                Status::True => found.updates.push(update.release.clone()),
                _ => found.updates.retain(|other| other.image != *image),
            }
            if set(&mut update.conditions, verdict.condition(), self.surroundings.now) {
                found.changed.push(update.release.version.clone());
            }
            if self.settings.has_own_risks() {
                for (risk, applies) in update.risks.iter_mut().flatten().zip(&own) {
                    risk.conditions = vec![applies.condition()];
                }
                let names: BTreeSet<&String> =
                    update.risks.iter().flatten().map(|risk| &risk.name).collect();
                update.risk_names = names.into_iter().cloned().collect();
            }
        }
        found.changed.sort_by(|a, b| newest_first(a, b));
        Ok(())
    }

    /// Whether each risk of an update applies, in order.
    fn own_verdicts(
        &mut self,
        update: &ConditionalUpdate,
        by_name: &BTreeMap<String, Applies>,
    ) -> Result<Vec<Applies>, QueryError> {
        let risks = update.risks.iter().flatten();
        risks
            .map(|risk| match by_name.get(&risk.name) {
                Some(known) => Ok(known.clone()),
                None => self.applies(risk),
            })
            .collect()
    }

    fn applies(&mut self, risk: &ObjectRisk) -> Result<Applies, QueryError> {
        let rules =
            risk.matching_rules.iter().filter_map(|rule| match RuleKind::named(&rule.kind)? {
                RuleKind::Always => Some(MatchingRule::Always),
                RuleKind::PromQl => Some(MatchingRule::PromQl(&rule.promql.as_ref()?.promql)),
            });
        let exposure = Exposure::of_rules(rules, |query| self.exposure(query))?;
        let mut applies = Applies::of(text(risk), &exposure, self.settings.level);
        // A risk can have its own words for its condition.
        let own = condition(&risk.conditions, "Applies");
        if let Some(own) = own.filter(|own| own.status == applies.status.name()) {
            applies.reason.clone_from(&own.reason);
            applies.message.clone_from(&own.message);
        }
        Ok(applies)
    }

    fn exposure(&mut self, query: &str) -> Result<Exposure, QueryError> {
        let now = self.surroundings.now;
        let (queries, ask, log) = (&mut *self.queries, &mut *self.surroundings.ask, &mut *self.log);
        let mut asked = |query: &str| {
            queries.push(query.to_owned());
            Exposure::of_answer(ask(query, log), now)
        };
        if self.settings.is_throttled {
            self.throttle.exposure(query, now, self.settings, asked)
        } else {
            asked(query)
        }
    }
}

fn text(risk: &ObjectRisk) -> RiskText<'_> {
    RiskText { name: &risk.name, message: &risk.message, url: &risk.url }
}

/// Sets a condition. Its time changes only if its status does. Returns whether the status changed.
fn set(conditions: &mut Vec<Condition>, new: Condition, now: i64) -> bool {
    let known = conditions.iter_mut().find(|old| old.kind == new.kind);
    if let Some(old) = known {
        let is_same = old.status == new.status;
        let time = std::mem::take(&mut old.last_transition_time);
        let time = if is_same { time } else { write_time(now) };
        *old = Condition { last_transition_time: time, ..new };
        return !is_same;
    }
    conditions.push(Condition { last_transition_time: write_time(now), ..new });
    true
}
