//! What the operator of a cluster stores, compared with the real operator.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use exitpath::testing::cluster::object::{Alert, ClusterVersion, Condition, Release};
use exitpath::testing::cluster::{
    ClusterOperator, InCluster, Level, Log, Operator, Outcome, Request, Response, Settings,
    Surroundings,
};
use exitpath::testing::metrics::QueryError;
use promql::{Labels, Value};
use serde_json::{Value as Json, json};

use crate::shared::vectors::compare;
use crate::{Scratch, exitpath};

/// The time of the first evaluation, which the vectors' answers have.
const START: i64 = 1_755_896_700_000;

/// The releases whose condition Recommended got a new transition time.
const TRANSITIONS: &str = "recommended_transition_time_set_now";

/// The surroundings of one case: what its service and its Prometheus answer.
struct Situation {
    input: Json,
    folder: std::path::PathBuf,
}

impl Situation {
    fn response(&self, request: &Request) -> Response {
        if self.input["unreachable"] == true {
            let host = request.url.split('/').nth(2).unwrap_or_default();
            let host = host.split('?').next().unwrap_or_default();
            let words = format!("dial tcp {host}:80: connect: connection refused");
            return Response::Unreachable(words);
        }
        if let Some(response) = self.input.get("response") {
            let status = response["status"].as_u64().unwrap().try_into().unwrap();
            let body = response["body"].as_str().unwrap_or_default().to_owned();
            return Response::Http { status, body };
        }
        let body = match self.input["graph_file"].as_str() {
            Some(file) => fs::read_to_string(self.folder.join(file)).unwrap(),
            None => self.input["graph"].to_string(),
        };
        Response::Http { status: 200, body }
    }

    fn answer(&self, query: &str) -> Result<Value, QueryError> {
        let given = &self.input["promql"][query];
        let number = |value: &Json| value.as_str().unwrap().parse::<f64>().unwrap();
        if let Some(samples) = given["vector"].as_array() {
            let sample = |one: &Json| {
                let labels = one["metric"].as_object().into_iter().flatten();
                let labels = labels.map(|(name, value)| (name.clone(), value.as_str().unwrap()));
                (Labels::new(labels), number(&one["value"]))
            };
            return Ok(Value::Vector(samples.iter().map(sample).collect()));
        }
        if given.get("scalar").is_some() {
            return Ok(Value::Scalar(number(&given["scalar"])));
        }
        if let Some(text) = given["string"].as_str() {
            return Ok(Value::Text(text.to_owned()));
        }
        if given.get("matrix").is_some() {
            return Ok(Value::Matrix(Vec::new()));
        }
        let refused =
            |kind: &str, words: String| Err(QueryError::Refused { kind: kind.into(), words });
        if let Some(status) = given["http"]["status"].as_u64() {
            return match status {
                500.. => refused("server_error", format!("server error: {status}")),
                _ => refused("client_error", format!("client error: {status}")),
            };
        }
        let error = &given["error"];
        let words = error["message"].as_str().unwrap_or_default().to_owned();
        match error["type"].as_str().unwrap_or_default() {
            "timeout" => refused("server_error", "server error: 503".into()),
            "internal" => refused("server_error", "server error: 500".into()),
            kind => refused(kind, words),
        }
    }

    fn cluster(&self) -> ClusterVersion {
        let input = &self.input;
        let upstream = input["upstream"].as_str().unwrap_or("http://update-service.example");
        // A flag replaces what the object says.
        let upstream = if input["update_service_flag"].is_null() { upstream } else { "" };
        let spec = json!({
            "clusterID": input["cluster_id"],
            "channel": input["channel"],
            "upstream": upstream,
            "desiredUpdate": input["desired_update"],
            "overrides": input["overrides"],
        });
        let status = json!({
            "conditions": input["conditions"],
            "conditionalUpdates": input["prior_conditional_updates"],
        });
        serde_json::from_value(json!({"spec": spec, "status": status})).unwrap()
    }

    fn inside(&self) -> InCluster {
        let list = |key: &str| self.input[key].clone();
        let operators = self.input["cluster_operators"].as_array();
        let operator = |one: &Json| ClusterOperator {
            name: one["name"].as_str().unwrap().to_owned(),
            conditions: serde_json::from_value::<Option<Vec<Condition>>>(one["conditions"].clone())
                .unwrap()
                .unwrap_or_default(),
        };
        InCluster {
            alerts: serde_json::from_value::<Option<Vec<Alert>>>(list("alerts"))
                .unwrap()
                .unwrap_or_default(),
            cluster_operators: operators.into_iter().flatten().map(operator).collect(),
            admin_gates: texts(&list("admin_gates")),
            admin_acks: texts(&list("admin_acks")),
            ..InCluster::default()
        }
    }

    fn settings(&self) -> Settings {
        let gates = self.input["gates"].as_array();
        let has = |gate: &str| gates.is_some_and(|gates| gates.iter().any(|one| one == gate));
        Settings {
            accepts_risks: has("ClusterUpdateAcceptRisks"),
            shows_architecture: has("ImageStreamImportMode"),
            is_hosted: self.input["hypershift"] == true,
            injects_cluster_id: self.input["inject_cluster_id"] == true,
            is_throttled: self.input["throttle"] == true,
            update_service: self.input["update_service_flag"].as_str().map(str::to_owned),
            // The recorded operators were built without one.
            has_default_service: false,
            ..Settings::of(Level::NEWEST)
        }
    }

    fn sync(&self, operator: &mut Operator, now: i64) -> Outcome {
        let running: Release = serde_json::from_value(self.input["current"].clone()).unwrap();
        let (cluster, inside) = (self.cluster(), self.inside());
        let mut service = |request: &Request| self.response(request);
        let mut ask = |query: &str, log: &mut Log| {
            for warning in self.input["promql"][query]["warnings"].as_array().into_iter().flatten()
            {
                log.warn(warning.as_str().unwrap().to_owned());
            }
            self.answer(query)
        };
        let mut surroundings = Surroundings {
            now,
            running: &running,
            cluster: &cluster,
            inside: &inside,
            service: &mut service,
            ask: &mut ask,
        };
        operator.sync(&mut surroundings).unwrap()
    }
}

fn texts(json: &Json) -> BTreeMap<String, String> {
    serde_json::from_value::<Option<_>>(json.clone()).unwrap().unwrap_or_default()
}

/// An outcome as the vectors have it.
fn shown(outcome: &Outcome, with_changes: bool) -> Json {
    let request = outcome.request.as_ref().map(|request| {
        let value = |values: &Vec<String>| match values.as_slice() {
            [only] => json!(only),
            several => json!(several),
        };
        let pairs = request.parameters.iter().map(|(name, values)| (name.clone(), value(values)));
        Json::Object(pairs.collect())
    });
    let log = outcome.log.lines().iter().map(|line| {
        let level = if line.is_error { 'E' } else { 'W' };
        format!("{level} {}", line.text)
    });
    let applies = outcome.applies.iter().map(|(name, applies)| {
        let mut condition = json!(applies.condition());
        condition.as_object_mut().unwrap().remove("lastTransitionTime");
        (name.clone(), condition)
    });
    let mut retrieved = json!(outcome.retrieved);
    retrieved.as_object_mut().unwrap().retain(|_, value| value != "");
    let mut shown = json!({
        "request": request,
        "queries": outcome.queries,
        "retrieved": retrieved,
        "status": outcome.stored.to_json(),
        "applies": applies.collect::<serde_json::Map<_, _>>(),
        "evaluate_again_after_1s": outcome.is_unfinished,
        "log": log.collect::<Vec<_>>(),
    });
    if with_changes {
        shown[TRANSITIONS] = json!(outcome.changed);
    }
    without_times(&mut shown);
    shown
}

fn without_times(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(without_times),
        Json::Object(fields) => {
            fields.remove("lastTransitionTime");
            fields.values_mut().for_each(without_times);
        }
        _ => {}
    }
}

/// A text without times of day, which the vectors replace, in whatever time zone they are.
fn without_clock(text: &str) -> String {
    let pattern =
        r"throttled until (<[^>]*>|[0-9:]{8}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2}| ?[A-Z]{3,4}))";
    let pattern = regex::Regex::new(pattern).unwrap();
    pattern.replace_all(text, "throttled until <TIME>").into_owned()
}

/// What is compared of a field. The releases that got a new transition time are the recorder's
/// list, and have no order.
fn comparable(field: &str, value: &Json) -> String {
    let mut value = value.clone();
    if let (TRANSITIONS, Json::Array(releases)) = (field, &mut value) {
        releases.sort_by_key(Json::to_string);
    }
    without_clock(&value.to_string())
}

/// The differences between what is found and what is expected.
fn differences(case: &Json, folder: &Path) -> Vec<String> {
    let mut situation = Situation { input: case["input"].clone(), folder: folder.join("served") };
    let mut operator = Operator::new(situation.settings());
    let mut now = START;
    let mut expected = case["expected"].clone();
    let steps = expected.as_object_mut().unwrap().remove("then");
    let mut found = shown(&situation.sync(&mut operator, now), false);
    let mut all = vec![(found, expected)];
    for (change, expected) in case["input"]["then"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(steps.iter().filter_map(|steps| steps.as_array()).flatten())
    {
        now += change["elapsed_seconds"].as_i64().unwrap() * 1000;
        let input = situation.input.as_object_mut().unwrap();
        for (key, value) in change.as_object().unwrap() {
            match key.as_str() {
                "elapsed_seconds" => {}
                "clear_desired_update" => {
                    input.remove("desired_update");
                }
                "promql" => {
                    for (query, answer) in value.as_object().unwrap() {
                        input["promql"][query] = answer.clone();
                    }
                }
                key => {
                    if ["graph", "response", "graph_file"].contains(&key) {
                        input.retain(|key, _| {
                            !["graph", "response", "graph_file"].contains(&key.as_str())
                        });
                    }
                    input.insert(key.to_owned(), value.clone());
                }
            }
        }
        found = shown(&situation.sync(&mut operator, now), true);
        all.push((found, expected.clone()));
    }
    let mut differences = Vec::new();
    for (step, (found, expected)) in all.iter().enumerate() {
        for (key, expected) in expected.as_object().unwrap() {
            let (found, expected) = (comparable(key, &found[key]), comparable(key, expected));
            if found != expected {
                differences.push(format!(
                    "step {step}, {key}:\n  found    {found}\n  expected {expected}"
                ));
            }
        }
    }
    differences
}

#[test]
fn cvo_vectors() {
    compare("cvo_vectors", "cvo-vectors/cvo-status.jsonl", |case, folder| {
        let differences = differences(case, folder);
        (!differences.is_empty()).then(|| differences.join("\n"))
    });
}

/// Whether the operator recommends a release with these risks accepted.
fn recommends(case: &Json, folder: &Path, release: &str, accepted: &[&str]) -> bool {
    let mut input = case["input"].clone();
    let risks: Vec<Json> = accepted.iter().map(|name| json!({"name": name})).collect();
    input["desired_update"] = json!({"acceptRisks": risks});
    input["gates"] = json!(["ClusterUpdateAcceptRisks"]);
    let situation = Situation { input, folder: folder.join("served") };
    let outcome = situation.sync(&mut Operator::new(situation.settings()), START);
    let stored = outcome.stored.to_json();
    let available = stored["availableUpdates"].as_array().into_iter().flatten();
    available.into_iter().any(|update| update["version"] == release)
}

/// What `fleet --to` says must be accepted is enough for the operator, and each of it is needed.
#[test]
fn accept_lists_of_cvo_vectors() {
    let checked = std::cell::Cell::new(0);
    compare("accept_lists_of_cvo_vectors", "cvo-vectors/cvo-status.jsonl", |case, folder| {
        let (graph, channel) = (&case["input"]["graph"], case["input"]["channel"].as_str()?);
        let groups = graph["conditionalEdges"].as_array()?.iter();
        let risks = groups.flat_map(|group| group["risks"].as_array().into_iter().flatten());
        let names: Vec<&str> = risks.filter_map(|risk| risk["name"].as_str()).collect();
        let mut row = json!({"version": case["input"]["current"]["version"], "channel": channel});
        for (name, applies) in case["expected"]["applies"].as_object()? {
            if !names.contains(&name.as_str()) {
                // The operator found this risk in its cluster.
                return None;
            }
            row[format!("risk:{name}")] = match applies["status"].as_str()? {
                "True" => json!("yes"),
                "False" => json!("no"),
                _ => json!("unknown"),
            };
        }
        let scratch = Scratch::new(&format!("accept-{}", case["name"].as_str()?));
        let graph = scratch.write(&format!("{channel}.json"), graph.to_string());
        let table = scratch.write("cluster.jsonl", row.to_string());
        let updates = case["expected"]["status"]["conditionalUpdates"].as_array()?;
        for update in updates {
            let release = update["release"]["version"].as_str()?;
            let [table, graph] = [&table, &graph].map(|path| path.to_str().unwrap());
            let flags = ["fleet", table, "--graph", graph, "--to", release, "--format", "json"];
            let run = exitpath(flags);
            let Ok(report) = serde_json::from_str::<Json>(&run.out) else { continue };
            let goal = &report["kinds"][0]["goal"];
            let accept: Vec<&str> =
                goal["accept"].as_array()?.iter().filter_map(Json::as_str).collect();
            if goal["state"] != "accept" || goal["through"].as_array()?.len() != 1 {
                continue;
            }
            if !recommends(case, folder, release, &accept) {
                return Some(format!("{release}: {accept:?} is not enough"));
            }
            for omitted in &accept {
                let fewer: Vec<&str> =
                    accept.iter().copied().filter(|name| name != omitted).collect();
                if recommends(case, folder, release, &fewer) {
                    return Some(format!("{release}: {omitted} is not needed"));
                }
            }
            checked.set(checked.get() + 1);
        }
        None
    });
    assert!(checked.get() == 0 || checked.get() > 100, "only {} were checked", checked.get());
}
