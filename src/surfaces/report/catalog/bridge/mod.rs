//! The report of `catalog bridge`: which installed operators hold clusters back.

mod human;
mod json;
mod whole_catalog;
mod words;

use serde::Serialize;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::analysis::RouteKind;
use crate::bridge::{Outcome, Stage, Step, Verdict};
use crate::catalog::simulation::Resolver;
use crate::text::Failure;

#[derive(Debug)]
pub(crate) struct BridgeReport<'a> {
    pub clusters: Vec<CheckedClusters<'a>>,
    pub resolver: Resolver,
    /// Whether no installs were given. If so, all entries of the catalog are checked.
    pub is_whole_catalog: bool,
}

/// Clusters of one version with the same operators.
#[derive(Debug)]
pub(crate) struct CheckedClusters<'a> {
    pub names: Vec<&'a str>,
    pub from: String,
    pub to: String,
    /// The minor versions on the path, or why nothing was checked.
    pub stages: Result<Vec<Stage<'a>>, Failure>,
    pub paths: Vec<ClusterPath>,
    pub verdicts: Vec<Verdict<'a>>,
}

/// A path of updates of the cluster.
#[derive(Clone, Debug)]
pub(crate) struct ClusterPath {
    /// The kind of the route. None for a path of minor versions only.
    pub kind: Option<RouteKind>,
    pub hops: Vec<ClusterHop>,
}

#[derive(Clone, Debug)]
pub(crate) struct ClusterHop {
    pub from: String,
    pub to: String,
    pub risks: Vec<String>,
    /// The stage that this update leaves. None if it stays in its stage.
    pub leaves: Option<usize>,
}

impl CheckedClusters<'_> {
    pub(crate) fn is_held_back(&self) -> bool {
        self.verdicts.iter().any(|verdict| verdict.held_at.is_some())
    }

    /// The operators that must be updated before the cluster can leave a stage, as they are
    /// installed by then.
    fn held_by(&self, stage: usize) -> Vec<&str> {
        let mut names = Vec::new();
        for verdict in &self.verdicts {
            for (_, outcome) in &verdict.outcomes {
                let name = installed_at(verdict, outcome, stage);
                names.extend(name.filter(|name| !names.contains(name)));
            }
        }
        names
    }
}

impl Printed for BridgeReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl BridgeReport<'_> {
    /// The report as a part of another one in JSON.
    pub(crate) fn as_json(&self) -> impl Serialize {
        json::ReportJson::of(self)
    }

    pub(crate) fn is_held_back(&self) -> bool {
        self.clusters.iter().any(CheckedClusters::is_held_back)
    }

    /// Whether an update of a cluster leaves an operator without updates.
    pub(crate) fn has_losses(&self) -> bool {
        self.clusters.iter().any(|one| one.verdicts.iter().any(|verdict| verdict.lost().is_some()))
    }
}

/// What is installed when the cluster arrives at a stage, if the operator must be updated there.
fn installed_at<'v>(
    verdict: &'v Verdict<'_>,
    outcome: &'v Outcome<'_>,
    stage: usize,
) -> Option<&'v str> {
    let (steps, end) = match outcome {
        Outcome::Reached(steps) => (steps, None),
        Outcome::Stopped(stop) => (&stop.steps, Some(stop.stage)),
    };
    let is_change = |step: &Step<'_>| match step {
        Step::Switch { stage: at, .. } | Step::Update { stage: at, .. } => *at == stage,
        Step::Cluster { .. } => false,
    };
    let is_needed = end == Some(stage) || steps.iter().any(is_change);
    let arrives = steps.iter().find_map(|step| match step {
        Step::Cluster { stage: from, with, .. } if from + 1 == stage => Some(*with),
        _ => None,
    });
    is_needed.then(|| arrives.unwrap_or(&verdict.installed.name))
}
