//! What a risk of a graph means for a cluster.

use crate::cluster::{Exposure, MatchingRule};
use crate::domain::{HashMap, Named, RuleKind};
use crate::graph::Risk;
use crate::metrics::{QueryError, Question, Source};
use crate::promql::Limits;

/// Queries that were asked before, by their texts. Each is parsed once.
pub(crate) type Questions<'r> = HashMap<&'r str, Question<'r>>;

/// Whether a risk of a graph applies to a cluster. The error says why that is unknown.
pub(crate) fn exposure_of<'r>(
    risk: &'r Risk,
    source: &Source,
    questions: &mut Questions<'r>,
    limits: Limits,
) -> Result<Exposure, QueryError> {
    Exposure::of_rules(understood_rules(risk), |query| {
        let question = questions.entry(query).or_insert_with(|| Question::new(query));
        Exposure::of_answer(source.answer(question, limits), source.time())
    })
}

/// The rules that clusters understand.
pub(crate) fn understood_rules(risk: &Risk) -> impl Iterator<Item = MatchingRule<'_>> {
    let understood = risk.matching_rules.iter().filter(|rule| rule.is_understood());
    understood.filter_map(|rule| match RuleKind::named(&rule.kind)? {
        RuleKind::Always => Some(MatchingRule::Always),
        RuleKind::PromQl => Some(MatchingRule::PromQl(rule.promql.as_deref()?.trim_end())),
    })
}
