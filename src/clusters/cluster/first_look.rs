//! What an operator that just started does for a cluster.

use crate::metrics::{QueryError, Source};
use crate::text::Failure;

use super::object::{ClusterVersion, Condition, HistoryEntry};
use super::{InCluster, Operator, Outcome, Response, ServiceAnswer, Settings, Surroundings};

/// The operator's first look at an answer of the service. The error says which query cannot be
/// evaluated.
pub(crate) fn first_look(
    settings: Settings,
    cluster: &ClusterVersion,
    answer: ServiceAnswer,
    inside: &InCluster,
    source: &Source,
) -> Result<Outcome, Failure> {
    let mut answer = Some(answer);
    let mut surroundings = Surroundings {
        now: source.time(),
        running: &cluster.status.desired,
        cluster,
        inside,
        service: &mut |_| Response::Read(answer.take().unwrap_or_default()),
        ask: &mut |query, _| source.ask(query),
    };
    Operator::new(settings).sync(&mut surroundings).map_err(|error| not_evaluated(&error))
}

/// Why the answer to a query is unknown.
pub(super) fn not_evaluated(error: &QueryError) -> Failure {
    match error {
        QueryError::NoAnswer(why) => Failure::new(why),
        other => Failure::new(format!("a query cannot be evaluated: {}", other.words())),
    }
}

/// The id of a cluster that was not given one.
pub(crate) const UNKNOWN_ID: &str = "00000000-0000-4000-8000-000000000000";

/// A cluster that runs a version, and whose conditions are all good.
pub(crate) fn healthy(version: &str) -> ClusterVersion {
    let condition =
        |kind: &str, status: &str, message: &str| Condition::new(kind, status, "", message);
    let mut cluster = ClusterVersion::default();
    UNKNOWN_ID.clone_into(&mut cluster.spec.cluster_id);
    version.clone_into(&mut cluster.status.desired.version);
    cluster.status.conditions = vec![
        condition("Available", "True", &format!("Done applying {version}")),
        condition("Failing", "False", ""),
        condition("Progressing", "False", &format!("Cluster version is {version}")),
        condition("ReleaseAccepted", "True", ""),
    ];
    cluster.status.history = vec![HistoryEntry {
        state: "Completed".into(),
        version: version.into(),
        ..HistoryEntry::default()
    }];
    cluster
}
