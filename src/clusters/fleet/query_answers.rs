//! What a cluster answers to queries.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::cluster::Exposure;
use crate::graph::Risk;
use crate::metrics::QueryError;
use crate::risks::understood_rules;

use super::risk_answer::RiskAnswer;

/// The answers of a cluster to queries that all clusters of a fleet were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueryAnswers {
    queries: Arc<[String]>,
    answers: Vec<RiskAnswer>,
}

impl QueryAnswers {
    /// Answers in the order of the queries.
    pub(crate) fn new(queries: &Arc<[String]>, answers: Vec<RiskAnswer>) -> Self {
        Self { queries: Arc::clone(queries), answers }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The answer to a query. A cluster that was not asked cannot tell.
    pub(super) fn to(&self, query: &str) -> RiskAnswer {
        let query = query.trim_end();
        let mut known = self.queries.iter().zip(&self.answers);
        known.find(|(known, _)| *known == query).map_or(RiskAnswer::Unknown, |(_, answer)| *answer)
    }

    /// Whether a risk of a graph applies to the cluster.
    pub(super) fn exposure(&self, risk: &Risk) -> Result<Exposure, QueryError> {
        Exposure::of_rules(understood_rules(risk), |query| {
            Ok(match self.to(query) {
                RiskAnswer::Yes => Exposure::Exposed,
                RiskAnswer::No => Exposure::NotExposed,
                RiskAnswer::Unknown => Exposure::Unknown(String::new()),
            })
        })
    }
}

impl Hash for QueryAnswers {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The queries are the same for all clusters, and long.
        self.answers.hash(state);
    }
}
