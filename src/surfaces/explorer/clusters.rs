//! Which risks affect the sample clusters.

use rayon::prelude::*;
use serde::Serialize;

use crate::cluster::{Exposure, MatchingRule};
use crate::domain::{Named, RuleKind};
use crate::graph::Risk;
use crate::metrics::{Question, SampleCluster, Source};
use crate::promql::{Dialect, Limits};

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
    let questions = queries.filter_map(|rule| rule.promql.as_deref());
    let questions: Vec<Question<'_>> = questions.map(Question::new).collect();
    let questions: std::collections::BTreeMap<&str, &Question<'_>> =
        questions.iter().map(|question| (question.text, question)).collect();
    let limits = Limits::shared_by(questions.len() * SampleCluster::ALL.len());
    let samples = SampleCluster::ALL.par_iter();
    let clusters = samples.map(|sample| {
        let source = Source::Series(sample.series(None), Dialect::Three);
        let affected = risks.iter().map(|risk| {
            let exposure = Exposure::of_rules(rules(risk), |query| {
                let answer = match questions.get(query) {
                    Some(question) => source.answer(question, limits),
                    None => source.ask_within(query, limits),
                };
                Exposure::of_answer(answer, source.time())
            });
            match exposure {
                Ok(Exposure::Exposed) => AFFECTED,
                Ok(Exposure::NotExposed) => NOT_AFFECTED,
                Ok(Exposure::Unknown(_)) | Err(_) => UNKNOWN,
            }
        });
        ClusterJson { name: sample.name(), title: sample.title(), affected: affected.collect() }
    });
    clusters.collect()
}

/// The rules that clusters understand.
fn rules(risk: &Risk) -> impl Iterator<Item = MatchingRule<'_>> {
    let understood = risk.matching_rules.iter().filter(|rule| rule.is_understood());
    understood.filter_map(|rule| match RuleKind::named(&rule.kind)? {
        RuleKind::Always => Some(MatchingRule::Always),
        RuleKind::PromQl => Some(MatchingRule::PromQl(rule.promql.as_deref()?.trim_end())),
    })
}
