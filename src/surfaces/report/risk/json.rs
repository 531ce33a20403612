//! Writes the report as JSON. The format is versioned, and fields are only added;
//! `schemas/risk.json` describes it.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::cluster::MatchingRule;
use crate::domain::Named;
use crate::graph_data::{BlockedEdge, Text};
use crate::report::json::write_json;
use crate::report::query::answer_in_words;
use crate::risks::{Definition, SampleVerdict, applies_to_no_sample};

use super::RiskReport;

pub(super) fn write(report: &RiskReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let name = report.definitions.first().map(|(definition, _)| definition.name);
    let definitions = report.definitions.iter();
    let definitions = definitions.map(|(one, verdicts)| definition(report, one, verdicts));
    let document = json!({
        "version": 1,
        "name": name,
        "definitions": definitions.collect::<Vec<_>>(),
    });
    write_json(&document, out)
}

fn definition(
    report: &RiskReport<'_>,
    definition: &Definition<'_>,
    verdicts: &[SampleVerdict],
) -> Json {
    let rules = definition.rules.iter().map(|rule| match rule {
        MatchingRule::Always => json!({"type": "Always"}),
        MatchingRule::PromQl(query) => json!({"type": "PromQL", "promql": {"promql": query}}),
    });
    json!({
        "message": definition.message,
        "url": definition.url,
        "matchingRules": rules.collect::<Vec<_>>(),
        "coverage": definition.queries().map(|query| {
            report.checked(query).map(|checked| checked.json())
        }).collect::<Vec<_>>(),
        "updates": definition.edges.iter().map(|edge| update(report, edge)).collect::<Vec<_>>(),
        "applies_to_no_sample": applies_to_no_sample(definition, verdicts),
        "samples": verdicts.iter().map(sample).collect::<Vec<_>>(),
    })
}

fn update(report: &RiskReport<'_>, edge: &BlockedEdge) -> Json {
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.to_string());
    json!({
        "path": report.data.path(edge.file),
        "to": text(&edge.to),
        "from": text(&edge.from),
        "reaches": report.reached(&[edge]),
        "fixedIn": text(&edge.fixed_in),
    })
}

fn sample(verdict: &SampleVerdict) -> Json {
    let recommended = verdict.recommendation.as_ref().map(
        |one| json!({"status": one.status.name(), "reason": one.reason, "message": one.message}),
    );
    json!({
        "name": verdict.cluster.name(),
        "title": verdict.cluster.title(),
        "answers": verdict.answers.iter().map(answer_in_words).collect::<Vec<_>>(),
        "recommended": recommended,
    })
}
