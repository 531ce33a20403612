//! The cluster-version operator: what it asks, what it concludes from the answers, and what it
//! stores.

mod evaluation;
mod freshness;
mod limits;
mod preconditions;
mod retrieval;
mod service;
mod settings;
mod stored;
mod throttle;

pub use preconditions::Acceptance;
pub use service::{Request, Response};
pub(crate) use service::{get_failed, unexpected_status};
pub use settings::Settings;
pub use stored::Stored;

use std::collections::{BTreeMap, BTreeSet};

use super::in_cluster::{self, Blockers, InCluster};
use super::object::{ClusterVersion, Condition, Release};
use super::{Applies, Log};
use crate::domain::HashMap;
use crate::metrics::QueryError;
use crate::promql::Value;
use evaluation::{Evaluation, Evaluator};
use freshness::Freshness;
use retrieval::{Origin, Retrieval};
use throttle::Throttle;

/// The cluster-version operator of one cluster.
#[derive(Debug)]
pub struct Operator {
    settings: Settings,
    /// What it remembers since its first evaluation.
    memory: Option<Memory>,
    throttle: Throttle,
}

/// What the operator remembers between evaluations.
#[derive(Debug)]
struct Memory {
    retrieval: Retrieval,
    evaluation: Evaluation,
    accepted: BTreeSet<String>,
}

/// What the operator sees at one moment.
pub struct Surroundings<'w> {
    /// In milliseconds since 1970.
    pub now: i64,
    /// The release that the cluster runs.
    pub running: &'w Release,
    /// The object with its current conditions.
    pub cluster: &'w ClusterVersion,
    /// What the operator sees in the cluster besides the object.
    pub inside: &'w InCluster,
    /// Asks the update service.
    pub service: &'w mut dyn FnMut(&Request) -> Response,
    /// Asks Prometheus. Warnings in its answers go to the log.
    pub ask: &'w mut dyn FnMut(&str, &mut Log) -> Result<Value, QueryError>,
}

/// What the operator did and stores.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The request to the update service. None if it did not ask.
    pub request: Option<Request>,
    /// The queries to Prometheus, in order.
    pub queries: Vec<String>,
    /// The condition `RetrievedUpdates`.
    pub retrieved: Condition,
    /// For each risk by name, whether it applies.
    pub applies: BTreeMap<String, Applies>,
    /// What it writes to the object.
    pub stored: Stored,
    /// The versions whose condition `Recommended` just changed, newest first.
    pub changed: Vec<String>,
    /// Whether it evaluates again after one second.
    pub is_unfinished: bool,
    /// What it writes to its log.
    pub log: Log,
}

impl Operator {
    /// An operator that just started.
    pub fn new(settings: Settings) -> Self {
        Self { settings, memory: None, throttle: Throttle::default() }
    }

    /// Retrieves and evaluates what is due. The error says why the answer to a query is unknown.
    pub fn sync(&mut self, surroundings: &mut Surroundings<'_>) -> Result<Outcome, QueryError> {
        let mut outcome = Outcome::default();
        let accepted = self.settings.accepted(surroundings.cluster);
        let origin = Origin::of(&self.settings, surroundings);
        let known = self.memory.as_ref();
        let due = Freshness::of(known, &self.settings, &origin, &accepted, surroundings.now);
        let memory = match (self.memory.take(), due) {
            (Some(memory), Freshness::Fresh) => memory,
            (memory, _) => {
                self.renewed(memory, due, origin, accepted, surroundings, &mut outcome)?
            }
        };
        let Memory { retrieval, evaluation, .. } = &memory;
        outcome.retrieved = retrieval.condition.clone();
        outcome.applies.clone_from(&evaluation.applies);
        outcome.is_unfinished = evaluation.is_unfinished();
        if due != Freshness::Fresh {
            outcome.changed.clone_from(&evaluation.changed);
        }
        let reaches_object = self.settings.has_own_risks()
            || retrieval.origin.service == surroundings.cluster.spec.upstream;
        outcome.stored =
            Stored::of(&self.settings, surroundings.running, retrieval, evaluation, reaches_object);
        let blockers =
            Blockers::of(surroundings.cluster, &surroundings.running.version, surroundings.inside);
        if !blockers.errors.is_empty() {
            outcome.log.error(format!(
                "errors while calculating risks for the Upgradeable condition: {}",
                blockers.errors.join("\n")
            ));
        }
        let level = self.settings.level;
        let conditions =
            in_cluster::conditions(&blockers, surroundings.cluster, surroundings.inside, level);
        outcome.stored.conditions.extend(conditions);
        self.memory = Some(memory);
        Ok(outcome)
    }

    /// Retrieves and evaluates again, as far as that is due.
    fn renewed(
        &mut self,
        memory: Option<Memory>,
        due: Freshness,
        origin: Origin,
        accepted: BTreeSet<String>,
        surroundings: &mut Surroundings<'_>,
        outcome: &mut Outcome,
    ) -> Result<Memory, QueryError> {
        let (retrieval, before) = match memory {
            Some(memory) => (Some(memory.retrieval), memory.evaluation),
            None => (None, Evaluation::stored_in(surroundings.cluster)),
        };
        let (retrieval, is_new) = match (retrieval, due) {
            (Some(retrieval), Freshness::Fresh | Freshness::Evaluate) => (retrieval, false),
            (known, due) => {
                let known = known.filter(|_| due == Freshness::Retrieve { keeps: true });
                let Outcome { request, log, .. } = outcome;
                Retrieval::new(origin, &self.settings, surroundings, known, request, log)
            }
        };
        // The earlier conditions survive only if the retrieval succeeds.
        let conditions = if is_new { before.into_conditions() } else { HashMap::default() };
        let mut evaluator = Evaluator {
            settings: &self.settings,
            surroundings,
            throttle: &mut self.throttle,
            accepted: &accepted,
            queries: &mut outcome.queries,
            log: &mut outcome.log,
        };
        let evaluation = evaluator.evaluate(&retrieval.offer, conditions)?;
        Ok(Memory { retrieval, evaluation, accepted })
    }
}
