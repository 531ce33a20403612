//! What a risk means for the sample clusters.

use rayon::prelude::*;

use crate::cluster::{Exposure, Recommendation};
use crate::domain::Named;
use crate::metrics::{QueryError, Question, SampleCluster, Source};
use crate::promql::{Dialect, Limits, Value};

use super::Definition;

/// What a risk means for a sample cluster.
#[derive(Debug)]
pub(crate) struct SampleVerdict {
    pub(crate) cluster: SampleCluster,
    /// The error says why it is unknown.
    pub(crate) exposure: Result<Exposure, QueryError>,
    /// None if the exposure is unknown.
    pub(crate) recommendation: Option<Recommendation>,
    /// The answer to each query, in the order of the rules.
    pub(crate) answers: Vec<Result<Value, QueryError>>,
}

/// What a risk means for each sample cluster.
pub(crate) fn sample_verdicts(definition: &Definition<'_>, dialect: Dialect) -> Vec<SampleVerdict> {
    let questions: Vec<Question> = definition.queries().map(Question::new).collect();
    let clusters = SampleCluster::ALL.par_iter();
    clusters.map(|cluster| verdict(definition, &questions, *cluster, dialect)).collect()
}

/// Whether a risk with a query is known to apply to none of the sample clusters.
pub(crate) fn applies_to_no_sample(
    definition: &Definition<'_>,
    verdicts: &[SampleVerdict],
) -> bool {
    let applies_not = |verdict: &SampleVerdict| {
        matches!(verdict.exposure, Ok(Exposure::NotExposed | Exposure::Unknown(_)))
    };
    definition.queries().next().is_some() && verdicts.iter().all(applies_not)
}

fn verdict(
    definition: &Definition<'_>,
    questions: &[Question],
    cluster: SampleCluster,
    dialect: Dialect,
) -> SampleVerdict {
    let source = Source::Series(cluster.series(None), dialect);
    let limits = Limits::shared_by(questions.len() * SampleCluster::ALL.len());
    let answers: Vec<_> =
        questions.iter().map(|question| source.answer(question, limits)).collect();
    let exposure = definition.exposure_by(source.time(), |query| {
        let mut answered = questions.iter().zip(&answers);
        let known = answered.find(|(question, _)| question.text == query);
        known.map_or_else(|| source.ask_within(query, limits), |(_, answer)| answer.clone())
    });
    let recommendation = exposure.as_ref().ok().map(|found| definition.recommendation(found));
    SampleVerdict { cluster, exposure, recommendation, answers }
}
