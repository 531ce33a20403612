//! What a cluster makes of the answers to queries, compared with the real operator.

use std::fs;

use exitpath::testing::cluster::{Exposure, MatchingRule, Recommendation, RiskText};
use exitpath::testing::domain::Named;
use exitpath::testing::metrics::QueryError;
use exitpath::testing::promql::{Labels, Value};
use serde_json::Value as Json;

use crate::real_data;

/// The time in the answers of the vectors.
const TIME: i64 = 1_755_896_700_000;

/// The answer that the vectors have for a query. `None` if it is an answer of HTTP, which is the
/// business of the client.
fn answer(given: &Json) -> Option<Result<Value, QueryError>> {
    let number = |value: &Json| value.as_str().unwrap().parse::<f64>().unwrap();
    if let Some(samples) = given["vector"].as_array() {
        let sample = |one: &Json| {
            let labels = one["metric"].as_object().into_iter().flatten();
            let labels = labels.map(|(name, value)| (name.clone(), value.as_str().unwrap()));
            (Labels::new(labels), number(&one["value"]))
        };
        return Some(Ok(Value::Vector(samples.iter().map(sample).collect())));
    }
    if given.get("scalar").is_some() {
        return Some(Ok(Value::Scalar(number(&given["scalar"]))));
    }
    if let Some(text) = given["string"].as_str() {
        return Some(Ok(Value::Text(text.to_owned())));
    }
    if given.get("matrix").is_some() {
        return Some(Ok(Value::Matrix(Vec::new())));
    }
    let error = given.get("error")?;
    let text = |key: &str| error[key].as_str().unwrap().to_owned();
    Some(Err(QueryError::Refused { kind: text("type"), words: text("message") }))
}

/// Whether the case is about what one evaluation means: no feature gates, and no cache.
fn is_plain(input: &Json) -> bool {
    ["gates", "hypershift", "inject_cluster_id", "throttle", "steps", "alerts", "overrides"]
        .iter()
        .all(|key| {
            input.get(key).is_none_or(|value| value == false || value == &Json::Array(vec![]))
        })
        && input.get("prior_conditional_updates").is_none()
}

#[test]
fn clusters_word_the_verdict_on_one_risk_as_the_operator_does() {
    let file = real_data::data("cvo-vectors/cvo-status.jsonl");
    let Some(text) = file.map(|file| fs::read_to_string(file).unwrap()) else {
        eprintln!("skipped: EXITPATH_REAL_DATA names no folder with the operator's verdicts");
        return;
    };
    let mut compared = 0;
    for case in text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()) {
        let updates = case["expected"]["status"]["conditionalUpdates"].as_array();
        if !is_plain(&case["input"]) {
            continue;
        }
        for update in updates.into_iter().flatten() {
            let [risk] = update["risks"].as_array().map_or(&[][..], Vec::as_slice) else {
                continue;
            };
            // Of several definitions of a name, clusters use that of the newest target.
            let all = updates.into_iter().flatten().filter_map(|update| update["risks"].as_array());
            let mut named = all.flatten().filter(|other| other["name"] == risk["name"]);
            if named.any(|other| other != risk) {
                continue;
            }
            let rules = risk["matchingRules"].as_array().unwrap();
            let rules: Vec<MatchingRule<'_>> = rules
                .iter()
                .map(|rule| match rule["promql"]["promql"].as_str() {
                    Some(query) => MatchingRule::PromQl(query),
                    None => MatchingRule::Always,
                })
                .collect();
            let answers = &case["input"]["promql"];
            let is_known = |rule: &MatchingRule<'_>| match rule {
                MatchingRule::Always => true,
                MatchingRule::PromQl(query) => answer(&answers[query]).is_some(),
            };
            let conditions = update["conditions"].as_array().unwrap();
            let is_it = |one: &&Json| one["type"] == "Recommended";
            let Some(expected) = conditions.iter().find(is_it) else { continue };
            if !rules.iter().all(is_known) {
                continue;
            }
            let judge = |query: &str| Exposure::of_answer(answer(&answers[query]).unwrap(), TIME);
            let exposure = Exposure::of_rules(rules, judge).unwrap();
            let words = |key: &str| risk[key].as_str().unwrap();
            let (name, message, url) = (words("name"), words("message"), words("url"));
            let found = Recommendation::of(RiskText { name, message, url }, &exposure);
            assert_eq!(found.status.name(), expected["status"], "{}", case["name"]);
            assert_eq!(found.reason, expected["reason"], "{}", case["name"]);
            assert_eq!(found.message, expected["message"], "{}", case["name"]);
            compared += 1;
        }
    }
    assert!(compared > 60, "only {compared} verdicts were compared");
}
