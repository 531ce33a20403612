//! For every release of the served channels, what operators of each level store is what a second,
//! plain computation over the answer finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use exitpath::testing::cluster::object::{ClusterVersion, Release};
use exitpath::testing::cluster::{
    ConditionalEdges, InCluster, Operator, Outcome, Response, ServiceAnswer, Settings,
    Surroundings, level,
};
use promql::{Labels, Value};
use semver::Version;
use serde_json::{Value as Json, json};

use crate::checks::real_data;

/// The answer of a made-up cluster to a query: 0, 1, or nothing.
fn answer(query: &str) -> Option<f64> {
    match query.bytes().map(u32::from).sum::<u32>() % 3 {
        0 => Some(0.0),
        1 => Some(1.0),
        _ => None,
    }
}

/// Whether a risk applies. None if no rule has an answer.
fn applies(risk: &Json) -> Option<bool> {
    let rules = risk["matchingRules"].as_array().unwrap();
    rules.iter().find_map(|rule| match rule["promql"]["promql"].as_str() {
        Some(query) => answer(query).map(|value| value > 0.5),
        None => Some(true),
    })
}

/// Status, reason, and message.
type Verdict = (&'static str, String, String);

/// The risks of each target.
type Targets<'j> = BTreeMap<Version, &'j [Json]>;

fn verdict(risks: &[Json], targets: &Targets<'_>, minor: u64) -> Verdict {
    let mut reasons = Vec::new();
    let mut texts = Vec::new();
    let (mut is_exposed, mut is_unknown) = (false, false);
    for risk in risks {
        let newest = targets
            .values()
            .rev()
            .find_map(|risks| risks.iter().find(|other| other["name"] == risk["name"]));
        let judged = if minor >= 22 { newest.unwrap() } else { risk };
        let text = |risk: &Json, key: &str| risk[key].as_str().unwrap().to_owned();
        let name = text(risk, "name");
        match applies(judged) {
            Some(false) => {}
            Some(true) => {
                is_exposed = true;
                reasons.push(name);
                texts.push(format!("{} {}", text(risk, "message"), text(risk, "url")));
            }
            None => {
                is_unknown = true;
                reasons.push("EvaluationFailed".to_owned());
                let why = "invalid PromQL result length must be one, but is 0";
                let (message, url) = (text(judged, "message"), text(judged, "url"));
                texts.push(if minor >= 14 {
                    format!(
                        "Could not evaluate exposure to update risk {name} ({why})\n  {name} \
                         description: {message}\n  {name} URL: {url}"
                    )
                } else {
                    format!(
                        "Exposure to {name} is unknown due to an evaluation failure: {why}\n\
                         {message} {url}"
                    )
                });
            }
        }
    }
    let Some(first) = reasons.first().cloned() else {
        let reason = if minor >= 16 { "NotExposedToRisks" } else { "AsExpected" };
        let message = "The update is recommended, because none of the conditional update risks \
                       apply to this cluster.";
        return ("True", reason.into(), message.into());
    };
    let are_equal = reasons.iter().all(|reason| *reason == first);
    let is_single = reasons.len() == 1 || minor >= 16 || first == "EvaluationFailed";
    let reason = if are_equal && is_single { first } else { "MultipleReasons".into() };
    let status = match (is_exposed, is_unknown) {
        (true, _) => "False",
        (false, true) => "Unknown",
        (false, false) => "True",
    };
    (status, reason, texts.join("\n\n"))
}

/// What an operator stores for a cluster that runs a version.
fn stored(answer: &ServiceAnswer, version: &str, minor: u64) -> Outcome {
    let running = Release { version: version.into(), ..Release::default() };
    let cluster: ClusterVersion = serde_json::from_value(json!({
        "spec": {"clusterID": "01234567-0123-0123-0123-0123456789ab", "channel": "any"},
    }))
    .unwrap();
    let mut given = Some(answer.clone());
    let mut surroundings = Surroundings {
        now: 0,
        running: &running,
        cluster: &cluster,
        inside: &InCluster::default(),
        service: &mut |_| Response::Read(given.take().unwrap()),
        ask: &mut |query, _| {
            let value = self::answer(query);
            let none: [(String, &str); 0] = [];
            Ok(Value::Vector(value.map(|value| (Labels::new(none), value)).into_iter().collect()))
        },
    };
    let level = level(&format!("4.{minor}")).unwrap();
    Operator::new(Settings::of(level)).sync(&mut surroundings).unwrap()
}

#[test]
fn views_of_all_levels_are_those_of_a_plain_computation() {
    let Some(folder) = real_data::data("served/stable-4.18.json") else {
        return;
    };
    let mut compared = BTreeMap::new();
    for entry in fs::read_dir(folder.parent().unwrap()).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let json: Json = serde_json::from_str(&text).unwrap();
        let whole = ServiceAnswer::parse(&text).unwrap();
        for (place, node) in json["nodes"].as_array().unwrap().iter().enumerate() {
            let version = node["version"].as_str().unwrap();
            let mut own = ServiceAnswer { nodes: whole.nodes.clone(), ..ServiceAnswer::default() };
            let from = i64::try_from(place).unwrap();
            own.edges = whole.edges.iter().copied().filter(|edge| edge.0 == from).collect();
            let is_own = |(origin, _): &&(String, String)| origin == version;
            let mut targets = Targets::new();
            for (group, read) in
                json["conditionalEdges"].as_array().unwrap().iter().zip(&whole.conditional_edges)
            {
                let edges: Vec<_> = read.edges.iter().filter(is_own).cloned().collect();
                if edges.is_empty() {
                    continue;
                }
                for (_, to) in &edges {
                    let risks = group["risks"].as_array().unwrap().as_slice();
                    targets.insert(Version::parse(to).unwrap(), risks);
                }
                own.conditional_edges.push(ConditionalEdges { edges, risks: read.risks.clone() });
            }
            for minor in [12, 14, 16, 22] {
                let outcome = stored(&own, version, minor);
                let mut recommended = BTreeSet::new();
                for update in &outcome.stored.conditional_updates {
                    let target = Version::parse(&update.release.version).unwrap();
                    let expected = verdict(targets[&target], &targets, minor);
                    let found = &update.conditions[0];
                    let found = (found.status.as_str(), &found.reason, &found.message);
                    assert_eq!(
                        found,
                        (expected.0, &expected.1, &expected.2),
                        "{version} 4.{minor}"
                    );
                    *compared.entry(expected.0).or_insert(0) += 1;
                    if expected.0 == "True" {
                        recommended.insert(target);
                    }
                }
                assert_eq!(outcome.stored.conditional_updates.len(), targets.len());
                for (_, to) in &own.edges {
                    let to = &whole.nodes[usize::try_from(*to).unwrap()].version;
                    if !targets.contains_key(to) {
                        recommended.insert(to.clone());
                    }
                }
                let updates = &outcome.stored.available_updates;
                let found: Vec<Version> =
                    updates.iter().map(|one| Version::parse(&one.version).unwrap()).collect();
                let expected: Vec<Version> = recommended.into_iter().rev().collect();
                assert_eq!(found, expected, "{version} 4.{minor}");
            }
        }
    }
    eprintln!("compared {compared:?}");
    assert!(compared.len() == 3 && compared.values().all(|count| *count > 1_000), "{compared:?}");
}
