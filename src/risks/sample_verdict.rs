//! What a risk means for the sample clusters.

use rayon::prelude::*;

use crate::cluster::{Exposure, Recommendation};
use crate::domain::Named;
use crate::metrics::{QueryError, SampleCluster, Source};
use crate::promql::{Dialect, Limits, Value};

use super::Definition;

/// What a risk means for a sample cluster.
#[derive(Debug)]
pub(crate) struct SampleVerdict {
    pub(crate) cluster: SampleCluster,
    /// The error says why it is not known.
    pub(crate) exposure: Result<Exposure, QueryError>,
    /// None where it is not known.
    pub(crate) recommendation: Option<Recommendation>,
    /// The answer to each query, in the order of the rules.
    pub(crate) answers: Vec<Result<Value, QueryError>>,
}

/// What a risk means for each sample cluster.
pub(crate) fn sample_verdicts(definition: &Definition<'_>, dialect: Dialect) -> Vec<SampleVerdict> {
    let clusters = SampleCluster::ALL.par_iter();
    clusters.map(|cluster| verdict(definition, *cluster, dialect)).collect()
}

fn verdict(definition: &Definition<'_>, cluster: SampleCluster, dialect: Dialect) -> SampleVerdict {
    let source = Source::Series(cluster.series(None), dialect);
    let queries = definition.queries().count();
    let limits = Limits::shared_by(queries * SampleCluster::ALL.len());
    let exposure = definition.exposure(&source, limits);
    let recommendation = exposure.as_ref().ok().map(|found| definition.recommendation(found));
    let answers = definition.queries().map(|query| source.ask_within(query, limits)).collect();
    SampleVerdict { cluster, exposure, recommendation, answers }
}
