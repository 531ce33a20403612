//! OLM at work in a namespace, compared with what the real one did.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::{
    Bundle, BundleVersion, Gvk, Package, Pool, Version, load_texts, packages,
};
use exitpath::testing::domain::Named;
use exitpath::testing::olm::{
    Condition, Csv, Health, Namespace, Plan, State, Strategy, Subscription,
};
use serde_json::{Value, json};

use crate::vectors;

#[test]
fn olm_vectors_fail_forward() {
    vectors::compare("fail-forward.jsonl", &[], |case| {
        let got = match case["kind"].as_str().unwrap() {
            "namespace" => trace_of_namespace(case),
            "csv-phases" => trace_of_csvs(&case["input"]),
            kind => panic!("{kind}"),
        };
        let expected = &case["expected"];
        let others = expected["other_traces"].as_array().into_iter().flatten();
        let mut traces = std::iter::once(&expected["trace"]).chain(others);
        let got = Value::Array(got);
        traces.all(|trace| *trace != got).then(|| first_difference(&got, &expected["trace"]))
    });
}

fn first_difference(got: &Value, expected: &Value) -> String {
    let pairs = got.as_array().unwrap().iter().zip(expected.as_array().unwrap());
    let mut differing = pairs.filter(|(got, expected)| got != expected);
    let (got, expected) = differing.next().unwrap_or((got, expected));
    format!("\n   got      {got}\n   expected {expected}")
}

// Whole namespaces

fn trace_of_namespace(case: &Value) -> Vec<Value> {
    let input = &case["input"];
    let mut namespace = namespace(input);
    let mut packages = packages_of(&input["catalog"]);
    let mut trace = Vec::new();
    for (at, event) in list(&input["events"]).iter().enumerate() {
        let (event, about) = event.as_object().unwrap().iter().next().unwrap();
        let name = about["name"].as_str().or(about.as_str()).unwrap_or_default();
        match event.as_str() {
            "sync" => {
                for sync in 1..=about.as_u64().unwrap() {
                    let error = look(&mut namespace, &packages, case);
                    trace.push(state(&namespace, at, sync, error));
                }
            }
            "setCatalog" | "catalog" => packages = packages_of(about),
            "setPlanPhase" => {
                namespace.plans.get_mut(name).unwrap().phase = phase(&about["phase"]);
            }
            "createCSVFromPlan" => {
                assert!(namespace.complete_plan(name, &packages, Health::Waiting));
            }
            "setCSVPhase" => {
                let mut csv = namespace.csvs.get(name).unwrap().clone();
                csv.phase = phase(&about["phase"]);
                namespace.csvs.insert(csv);
            }
            "createCSV" => namespace.csvs.insert(csv(about)),
            "deleteCSV" => assert!(namespace.csvs.remove(name)),
            "deletePlan" => assert!(namespace.plans.remove(name).is_some()),
            "setStrategy" => namespace.strategy = Strategy::of(name),
            other => panic!("{other}"),
        }
    }
    trace
}

fn look(namespace: &mut Namespace, packages: &[Package], case: &Value) -> Option<String> {
    let look = namespace.look(&Pool::new("cat/olm", packages));
    for sub in namespace.subscriptions.values() {
        let failure = sub.failure.as_ref();
        if let Some(failure) = failure.filter(|why| why.reason == "ConstraintsNotSatisfiable") {
            is_known_explanation(&failure.message, case);
        }
    }
    look.error().map(str::to_owned)
}

/// OLM gives one of several explanations at random: ours is one of those seen, where those that
/// were seen are all.
fn is_known_explanation(message: &str, case: &Value) {
    let seen = list(&case["expected"]["unsatisfiable_messages"]);
    let texts: Vec<&str> = seen.iter().map(|text| text.as_str().unwrap()).collect();
    assert!(texts.contains(&message), "{}: {message}\nseen: {texts:#?}", case["name"]);
}

fn namespace(input: &Value) -> Namespace {
    let mut namespace = Namespace::new("ns", Strategy::of(input["strategy"].as_str().unwrap()));
    if let Some(count) = input["operatorGroups"].as_u64() {
        namespace.operator_groups = usize::try_from(count).unwrap();
    }
    for about in list(&input["csvs"]) {
        namespace.csvs.insert(csv(about));
    }
    for about in list(&input["installPlans"]) {
        let plan = Plan {
            phase: phase(&about["phase"]),
            is_manual: about["approval"] == "Manual",
            generation: about["generation"].as_u64().unwrap_or_default(),
            csvs: list(&about["csvNames"]).iter().map(text).collect(),
            replaces: BTreeMap::new(),
            dependencies: Vec::new(),
            failure: None,
            message: String::new(),
        };
        namespace.plans.insert(text(&about["name"]), plan);
    }
    for about in list(&input["subscriptions"]) {
        let plan = Some(text(&about["installPlan"])).filter(|name| !name.is_empty());
        let generation = plan.as_ref().and_then(|name| namespace.plans.get(name));
        let subscription = Subscription {
            package: text(&about["package"]),
            channel: text(&about["channel"]),
            starting: text(&about["startingCSV"]),
            is_manual: about["approval"] == "Manual",
            installed: text(&about["installedCSV"]),
            current: text(&about["currentCSV"]),
            state: State::named(&text(&about["state"])).unwrap(),
            generation: generation.map_or(0, |plan| plan.generation),
            plan,
            ..Subscription::default()
        };
        namespace.subscriptions.insert(text(&about["name"]), subscription);
    }
    namespace
}

fn csv(about: &Value) -> Csv {
    let has_properties = about["without_properties_annotation"] != true;
    let api = |kind: &Value| Gvk { group: "g.io".into(), version: "v1".into(), kind: text(kind) };
    let version = about["version"].as_str().map(|version| Version::parse(version).unwrap());
    let provides = list(&about["apis"]).iter().filter(|_| has_properties).map(api).collect();
    let package = about["package"].as_str().unwrap_or("p");
    Csv {
        replaces: text(&about["replaces"]),
        phase: phase(&about["phase"]),
        reason: String::new(),
        health: match about["health"].as_str() {
            Some("requirements-missing") => Health::RequirementsMissing,
            Some("deployment-missing") => Health::Waiting,
            _ => Health::Healthy,
        },
        is_copied: about["copied"] == true,
        package: Some(package.to_owned()).filter(|_| has_properties),
        has_properties,
        bundle: Bundle {
            name: text(&about["name"]),
            version: version.map(|version| BundleVersion { version, release: None }),
            provides,
            ..Bundle::default()
        },
    }
}

fn state(namespace: &Namespace, event: usize, sync: u64, error: Option<String>) -> Value {
    let plans = namespace.plans.iter().map(|(name, plan)| {
        let mut written = json!({
            "name": name, "phase": plan.phase.name(), "csvNames": plan.csvs,
            "generation": plan.generation,
            "approval": if plan.is_manual { "Manual" } else { "Automatic" },
        });
        if !plan.replaces.is_empty() {
            written["csvReplaces"] = json!(plan.replaces);
        }
        written
    });
    let subscriptions = namespace.subscriptions.iter().map(|(name, sub)| {
        let mut written = json!({
            "name": name, "installedCSV": sub.installed, "currentCSV": sub.current,
            "state": sub.state.name(),
        });
        if let Some(plan) = &sub.plan {
            written["installPlan"] = plan.as_str().into();
        }
        let conditions = conditions(sub);
        if !conditions.is_empty() {
            written["conditions"] = conditions.into();
        }
        written
    });
    let csvs = namespace.csvs.iter().map(
        |(name, csv)| json!({"name": name, "phase": csv.phase.name(), "replaces": csv.replaces}),
    );
    let mut state = json!({
        "event": event, "sync": sync, "csvs": csvs.collect::<Vec<_>>(),
        "installPlans": plans.collect::<Vec<_>>(),
        "subscriptions": subscriptions.collect::<Vec<_>>(),
    });
    if let Some(error) = error {
        state["error"] = error.into();
    }
    state
}

fn conditions(sub: &Subscription) -> Vec<Value> {
    let written = |name: &str, why: &Condition| {
        let mut written = json!({"type": name, "status": "True", "reason": why.reason});
        // Its texts are random.
        if why.reason != "ConstraintsNotSatisfiable" {
            written["message"] = why.message.as_str().into();
        }
        written
    };
    let plan = sub.about_plan.iter().map(|(about, why)| written(about.name(), why));
    let failure = sub.failure.iter().map(|why| written("ResolutionFailed", why));
    plan.chain(failure).collect()
}

// CSVs alone

fn trace_of_csvs(input: &Value) -> Vec<Value> {
    let mut namespace = namespace(input);
    let mut trace = Vec::new();
    for (at, event) in list(&input["events"]).iter().enumerate() {
        let (event, about) = event.as_object().unwrap().iter().next().unwrap();
        match event.as_str() {
            "sync" => {
                for sync in 1..=about.as_u64().unwrap() {
                    trace.push(pass(&mut namespace, at, sync));
                }
            }
            "createCSV" => namespace.csvs.insert(csv(about)),
            "deleteCSV" => assert!(namespace.csvs.remove(about.as_str().unwrap())),
            other => panic!("{other}"),
        }
    }
    trace
}

fn pass(namespace: &mut Namespace, event: usize, sync: u64) -> Value {
    let names: BTreeSet<String> = namespace.csvs.iter().map(|(name, _)| name.to_owned()).collect();
    let mut errors = serde_json::Map::new();
    for name in names {
        let visit = namespace.csvs.visit(&name, namespace.strategy, &namespace.name);
        if let Some(error) = visit.error {
            errors.insert(name, error.into());
        }
    }
    let csvs = namespace.csvs.iter().map(|(name, csv)| {
        let (phase, reason) = (csv.phase.name(), &csv.reason);
        json!({"name": name, "phase": phase, "reason": reason, "replaces": csv.replaces})
    });
    let mut state = json!({"event": event, "sync": sync, "csvs": csvs.collect::<Vec<_>>()});
    if !errors.is_empty() {
        state["errors"] = errors.into();
    }
    state
}

// Shared

fn packages_of(catalog: &Value) -> Vec<Package> {
    let texts = BTreeMap::from([("catalog".to_owned(), text(catalog))]);
    packages(&load_texts(&texts).catalogs[0].declared)
}

fn phase<T: Named>(value: &Value) -> T {
    T::named(value.as_str().unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
