//! Which risks affect the sample clusters.

use rayon::prelude::*;
use serde::Serialize;

use crate::cluster::Exposure;
use crate::domain::Named;
use crate::graph::Risk;
use crate::metrics::{SampleCluster, Source};
use crate::promql::{Dialect, Limits};
use crate::risks::{Questions, exposure_of};

#[derive(Debug, Serialize)]
pub(super) struct ClusterJson {
    name: &'static str,
    title: &'static str,
    /// For each risk: whether it affects the cluster, as a digit.
    affected: String,
}

const NOT_AFFECTED: char = '0';
const AFFECTED: char = '1';
/// The cluster cannot tell, and does not recommend the update.
const UNKNOWN: char = '2';

pub(super) fn clusters(risks: &[Risk]) -> Vec<ClusterJson> {
    let queries = risks.iter().flat_map(|risk| &risk.matching_rules);
    let queries = queries.filter(|rule| rule.promql.is_some()).count();
    let limits = Limits::shared_by(queries * SampleCluster::ALL.len());
    let samples = SampleCluster::ALL.par_iter();
    let clusters = samples.map(|sample| {
        let source = Source::Series(sample.series(None), Dialect::Three);
        let mut questions = Questions::default();
        let affected =
            risks.iter().map(|risk| match exposure_of(risk, &source, &mut questions, limits) {
                Ok(Exposure::Exposed) => AFFECTED,
                Ok(Exposure::NotExposed) => NOT_AFFECTED,
                Ok(Exposure::Unknown(_)) | Err(_) => UNKNOWN,
            });
        ClusterJson { name: sample.name(), title: sample.title(), affected: affected.collect() }
    });
    clusters.collect()
}
