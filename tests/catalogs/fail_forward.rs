//! OLM at work in a namespace, compared with what the real one did.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use exitpath::testing::catalog::{
    Bundle, BundleVersion, Gvk, Package, Pool, Version, load_texts, packages,
};
use exitpath::testing::domain::Named;
use exitpath::testing::olm::{
    Condition, Csv, Health, Namespace, Phase, Plan, State, Strategy, Subscription, read_namespace,
};
use exitpath::testing::schema::CATALOG_FAIL_FORWARD;
use serde_json::{Value, json};

use crate::shared::scratch::Scratch;
use crate::shared::vectors;

#[test]
fn olm_vectors_fail_forward() {
    vectors::compare("olm_vectors_fail_forward", "olm-vectors/fail-forward.jsonl", |case, _| {
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
        match event.as_str() {
            "sync" => {
                for sync in 1..=about.as_u64().unwrap() {
                    let error = look(&mut namespace, &packages, case);
                    trace.push(state(&namespace, at, sync, error));
                }
            }
            "setCatalog" | "catalog" => packages = packages_of(about),
            event => happen(&mut namespace, &packages, event, about),
        }
    }
    trace
}

/// Something happens in the cluster. An event about something that does not exist changes nothing.
fn happen(namespace: &mut Namespace, packages: &[Package], event: &str, about: &Value) {
    let name = about["name"].as_str().or(about.as_str()).unwrap_or_default();
    match event {
        "setPlanPhase" => {
            if let Some(plan) = namespace.plans.get_mut(name) {
                plan.phase = phase(&about["phase"]);
            }
        }
        "createCSVFromPlan" => drop(namespace.complete_plan(name, packages, Health::Waiting)),
        "setCSVPhase" => {
            if let Some(mut csv) = namespace.csvs.get(name).cloned() {
                csv.phase = phase(&about["phase"]);
                namespace.csvs.insert(csv);
            }
        }
        "createCSV" => namespace.csvs.insert(csv(about)),
        "deleteCSV" => drop(namespace.csvs.remove(name)),
        "deletePlan" => drop(namespace.plans.remove(name)),
        "setStrategy" => namespace.strategy = strategy(name),
        other => panic!("the event {other} is unknown"),
    }
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
    let mut namespace = Namespace::new("ns", strategy(input["strategy"].as_str().unwrap()));
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
            event => happen(&mut namespace, &[], event, about),
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

/// What OLM makes of the field: any other text is `Default`.
fn strategy(text: &str) -> Strategy {
    Strategy::named(text).unwrap_or(Strategy::Default)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

// The workflows of the document, as the command shows them

const FOLDER: &str = "fixtures/catalogs/fail-forward";
const FORWARD: &str = "TechPreviewUnsafeFailForward";

/// What the command answers for a catalog of the fixture, under one strategy.
fn play(catalog: &str, strategy: &str, more: &[&str]) -> Value {
    let catalog = format!("{FOLDER}/{catalog}");
    let arguments = ["catalog", "fail-forward", &catalog, "--format", "json"];
    let strategy = ["--strategy", strategy];
    let arguments = [&arguments[..], &strategy, more].concat();
    crate::commands::json(&arguments, Path::new("."), &CATALOG_FAIL_FORWARD)
}

fn script(catalog: &str, strategy: &str, script: &str) -> Value {
    let script = format!("{FOLDER}/{script}");
    play(catalog, strategy, &["--installed", "v1", "--script", &script])
}

/// The CSVs after the last step, such as `v1 Replacing`.
fn csvs(report: &Value, step: usize) -> Vec<String> {
    let csvs = list(&report["steps"][step]["csvs"]).iter().map(|csv| {
        let name = text(&csv["name"]);
        format!("{} {}", name.trim_start_matches("lighthouse."), text(&csv["phase"]))
    });
    csvs.collect()
}

fn commands(report: &Value) -> Vec<String> {
    list(&report["commands"]).iter().map(text).collect()
}

#[test]
fn a_failed_plan_is_left_behind_only_with_fail_forward() {
    let forward = script("both-edges", FORWARD, "plan-fails.txt");
    assert_eq!(forward["steps"][1]["subscription"]["state"], "UpgradeFailed");
    let plan = &forward["steps"][2]["install_plan"];
    assert_eq!(plan["csv_replaces"]["lighthouse.v3"], "lighthouse.v1");
    assert_eq!(csvs(&forward, 4), ["v3 Succeeded"]);
    assert_eq!(forward["manual_steps"], json!([]));

    let default = script("both-edges", "Default", "plan-fails.txt");
    assert_eq!(default["steps"][2]["resolution"]["outcome"], "not-asked");
    assert!(default["steps"][3]["cannot_happen"].is_string());
    assert_eq!(commands(&default), ["oc delete installplan -n operators -- new-1"]);
    assert!(text(&default["manual_steps"][0]).ends_with("OLM then goes to lighthouse.v3"));
}

#[test]
fn a_failed_csv_is_left_behind_only_with_fail_forward() {
    let forward = script("both-edges", FORWARD, "csv-fails.txt");
    assert_eq!(csvs(&forward, 2), ["v1 Replacing", "v2 Failed"]);
    assert_eq!(forward["steps"][3]["resolution"]["outcome"], "not-asked");
    assert_eq!(
        forward["steps"][3]["install_plan"]["csv_replaces"]["lighthouse.v3"],
        "lighthouse.v2"
    );
    assert_eq!(csvs(&forward, 5), ["v3 Succeeded"]);
    assert_eq!(forward["manual_steps"], json!([]));

    let default = script("both-edges", "Default", "csv-fails.txt");
    let resolution = &default["steps"][3]["resolution"];
    assert_eq!(resolution["outcome"], "unsatisfiable");
    assert_eq!(resolution["required"], json!(["lighthouse.v1"]));
    // Without v1, OLM makes the plan for v3. Its CSV then waits for v2, which cannot be replaced.
    let deleted = ["lighthouse.v1", "lighthouse.v2"];
    let deleted = deleted.map(|name| format!("oc delete csv -n operators -- {name}"));
    assert_eq!(commands(&default), deleted);
}

#[test]
fn chains_of_failed_csvs_are_left_behind_too() {
    let forward = script("chain", FORWARD, "three-fail.txt");
    let failed = ["v1 Replacing", "v2 Replacing", "v3 Failed"];
    assert_eq!(csvs(&forward, 3), failed);
    assert_eq!(csvs(&forward, 5), ["v4 Succeeded"]);
}

#[test]
fn an_entry_that_only_replaces_the_failed_one_does_not_rescue_a_failed_plan() {
    let events = ["--event", "v2's plan fails", "--event", "catalog gains v3"];
    let later = ["--event", "catalog gains v4"];
    let more = [&["--installed", "v1"][..], &events, &later].concat();
    let forward = play("chain", FORWARD, &more);
    let last = &forward["steps"][3];
    assert_eq!(last["subscription"]["current_csv"], "lighthouse.v2");
    assert_eq!(last["resolution"]["outcome"], "nothing-new");
    assert_eq!(forward["manual_steps"], json!([]));
    let waits = text(&forward["waits_for_catalog"][0]);
    assert!(waits.contains("an entry that updates lighthouse.v1"), "{waits}");
    let warning = text(&forward["do_not"][0]);
    assert!(warning.contains("do not delete the InstallPlan new-1"), "{warning}");
}

#[test]
fn deleting_the_failed_plan_freezes_the_subscription_with_fail_forward() {
    let events = ["v2's plan fails", "v2's plan is deleted", "catalog gains v3"];
    let events = events.iter().flat_map(|event| ["--event", event]);
    let more: Vec<&str> = ["--installed", "v1"].into_iter().chain(events).collect();
    let forward = play("both-edges", FORWARD, &more);
    let subscription = &forward["steps"][3]["subscription"];
    assert_eq!(subscription["state"], "UpgradePending");
    assert_eq!(subscription["conditions"][0]["type"], "InstallPlanMissing");
    assert!(text(&forward["manual_steps"][0]).starts_with("install the operator again"));
    let default = play("both-edges", "Default", &more);
    assert_eq!(default["steps"][3]["subscription"]["current_csv"], "lighthouse.v2");
}

#[test]
fn without_strategy_both_are_played() {
    let catalog = format!("{FOLDER}/both-edges");
    let script = format!("{FOLDER}/csv-fails.txt");
    let arguments = ["catalog", "fail-forward", &catalog, "--installed", "v1", "--script", &script];
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let report = crate::commands::json(&arguments, Path::new("."), &CATALOG_FAIL_FORWARD);
    assert_eq!(
        (&report["strategy"], &report["other_strategy"]["strategy"]),
        (&json!("Default"), &json!(FORWARD))
    );
}

// Real objects

#[test]
fn a_namespace_is_read_as_oc_writes_it() {
    let file = format!("{FOLDER}/namespace.yaml");
    let report = play("both-edges", "Default", &["--namespace", &file]);
    assert_eq!(report["namespace"], "beacons");
    let finding = &report["findings"][0];
    assert_eq!((&finding["line"], &finding["column"]), (&json!(10), &json!(5)));
    assert!(text(&finding["help"]).contains("upgradeStrategy"));
    assert_eq!(report["steps"][0]["resolution"]["outcome"], "unsatisfiable");
    let forward = play("both-edges", FORWARD, &["--namespace", &file]);
    assert_eq!(forward["steps"][0]["subscription"]["current_csv"], "lighthouse.v3");
}

/// A Subscription that waits for the InstallPlan `--all`, and more.
fn listed(more: &str) -> String {
    format!(
        "kind: List
apiVersion: v1
items:
  - kind: OperatorGroup
    apiVersion: operators.coreos.com/v1
    metadata: {{name: g, namespace: ns}}
  - kind: Subscription
    apiVersion: operators.coreos.com/v1alpha1
    metadata: {{name: s, namespace: ns}}
    spec: {{name: lighthouse, channel: stable, installPlanApproval: Manual}}
    status:
      currentCSV: lighthouse.v3
      state: UpgradePending
      installPlanRef: {{name: --all}}{more}
"
    )
}

fn of_objects(name: &str, objects: &str) -> Value {
    let scratch = Scratch::new(name);
    let file = scratch.write("objects.yaml", objects);
    play("both-edges", "Default", &["--namespace", file.to_str().unwrap()])
}

#[test]
fn what_no_entry_helps_is_named() {
    let absent = listed("").replace("channel: stable", "channel: nightly");
    let absent = absent.replace("state: UpgradePending", "state: None");
    let problem = text(&of_objects("channel", &absent)["problems"][0]);
    assert!(problem.contains("lighthouse has no channel nightly"), "{problem}");
}

#[test]
fn without_subscription_there_is_no_verdict() {
    let list = "kind: ClusterServiceVersionList
apiVersion: operators.coreos.com/v1alpha1
items:
  - metadata: {name: lighthouse.v1, namespace: ns}
    status: {phase: Succeeded}
";
    let report = of_objects("none", list);
    assert_eq!(csvs(&report, 0), ["v1 Succeeded"]);
    assert!(text(&report["not_checked"]).contains("no Subscription"));
}

#[test]
fn a_csv_that_is_failed_stays_failed() {
    let start = ["--installed", "v1", "--event", "v2's CSV fails", "--event", "catalog gains v3"];
    let fails = play("both-edges", "Default", &start);
    let is = start.map(|word| word.replace("CSV fails", "CSV is Failed"));
    let is: Vec<&str> = is.iter().map(String::as_str).collect();
    let is = play("both-edges", "Default", &is);
    assert_eq!(csvs(&fails, 2), csvs(&is, 2));
    assert_eq!(commands(&fails), commands(&is));
}

const GROUP: &str = "apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: {name: NAME, namespace: SPACE}
spec:
  FIELD
";

fn group(name: &str, space: &str, field: &str) -> String {
    GROUP.replace("NAME", name).replace("SPACE", space).replace("FIELD", field)
}

fn messages(text: &str) -> (Strategy, Vec<String>) {
    let read = read_namespace(text, None).unwrap();
    let messages = read.findings.iter().map(|finding| finding.message.clone()).collect();
    (read.namespace.strategy, messages)
}

#[test]
fn the_field_of_the_strategy_is_one_text() {
    let right = format!("upgradeStrategy: {FORWARD}");
    assert_eq!(messages(&group("g", "ns", &right)), (Strategy::FailForward, Vec::new()));
    let wrong = [
        (format!("upgradesStrategy: {FORWARD}"), "there is no field `upgradesStrategy`"),
        (format!("upgradeStrategy:\n    name: {FORWARD}"), "is a mapping, and must be text"),
        ("upgradeStrategy: UnsafeFailForward".to_owned(), "is not a strategy"),
        ("upgradeStrategy: [Default]".to_owned(), "must be text"),
    ];
    for (field, expected) in wrong {
        let (strategy, messages) = messages(&group("g", "ns", &field));
        assert_eq!(strategy, Strategy::Default);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(expected), "{messages:?}");
    }
}

#[test]
fn each_object_that_does_not_belong_is_one_finding() {
    let (one, other) = (group("a", "ns", ""), group("b", "ns", ""));
    let elsewhere = group("c", "other", "");
    let (_, messages) = messages(&[one, other, elsewhere].join("---\n"));
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("OperatorGroup c is in the namespace other"), "{messages:?}");
    assert!(messages[1].contains("2 OperatorGroups"), "{messages:?}");
}

// For authors of catalogs

#[test]
fn the_audit_says_which_entries_a_later_one_rescues() {
    let audit = |catalog: &str| {
        let catalog = format!("{FOLDER}/{catalog}");
        let arguments = ["catalog", "fail-forward", &catalog, "--format", "json"];
        crate::commands::json(&arguments, Path::new("."), &CATALOG_FAIL_FORWARD)
    };
    let safe = audit("both-edges");
    let channel = &safe["channels"][0];
    assert_eq!(channel["entries"][0]["plan_fails"]["instead"], json!(["lighthouse.v3"]));
    assert_eq!(channel["entries"][0]["csv_fails"]["next"], "lighthouse.v3");
    let wanted = ["lighthouse.v3", "lighthouse.v1", "lighthouse.v2"];
    assert_eq!(channel["next_entry_should_update"], json!(wanted));
    let chain = audit("chain");
    let entry = &chain["channels"][0]["entries"][0];
    assert_eq!(
        (&entry["name"], &entry["csv_fails"]["next"]),
        (&json!("lighthouse.v2"), &json!("lighthouse.v3"))
    );
    assert_eq!(entry["plan_fails"]["stays"], json!(["lighthouse.v1"]));
}

// Hostile

#[test]
fn hostile_objects_are_refused_in_words() {
    let error = |text: &str| read_namespace(text, None).unwrap_err().to_string();
    assert!(error("a: &a [*a]").contains("aliases"));
    assert!(error(&"[".repeat(100_000)).contains("not valid YAML"));
    assert!(error("kind: List\nitems: [1, {}, []]").contains("no OperatorGroup"));
    assert!(error("").contains("no OperatorGroup"));
}

#[test]
fn names_in_commands_are_harmless() {
    let text = group("g", "'$(reboot)'", "") + "---\n" + &group("h", "'$(reboot)'", "");
    let text = text
        + "---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: s, namespace: $(reboot)}
";
    let scratch = Scratch::new("names");
    let file = scratch.write("objects.yaml", text);
    let report = play("chain", "Default", &["--namespace", file.to_str().unwrap()]);
    assert_eq!(commands(&report), ["oc get operatorgroups -n '$(reboot)'"]);
    let plan = "
  - metadata: {name: --all}
    kind: InstallPlan
    apiVersion: operators.coreos.com/v1alpha1
    spec: {approval: Manual, clusterServiceVersionNames: [lighthouse.v3]}
    status: {phase: RequiresApproval}";
    let report = of_objects("manual", &listed(plan));
    let approve = r#"oc patch installplan -n ns --type merge -p '{"spec":{"approved":true}}'"#;
    assert_eq!(commands(&report), [format!("{approve} -- --all")]);
    assert!(report["steps"][0]["resolver"].as_str().unwrap().contains("--all waits for approval"));
}

#[test]
fn a_hundred_thousand_csvs_take_seconds() {
    let csv = |at: usize, phase: &str| {
        let replaces = if at == 0 { String::new() } else { format!("v{}", at - 1) };
        let bundle = Bundle { name: format!("v{at}"), ..Bundle::default() };
        let phase = Phase::named(phase).unwrap();
        let (health, reason) = (Health::Fails, String::new());
        let (package, is_copied, has_properties) = (None, false, true);
        Csv { replaces, phase, reason, health, is_copied, package, has_properties, bundle }
    };
    let last = 99_999;
    for end in ["Failed", "Succeeded"] {
        let mut namespace = Namespace::new("ns", Strategy::FailForward);
        for at in 0..last {
            namespace.csvs.insert(csv(at, "Replacing"));
        }
        let health = if end == "Failed" { Health::Fails } else { Health::Healthy };
        namespace.csvs.insert(Csv { health, ..csv(last, end) });
        let subscription = Subscription {
            package: "p".to_owned(),
            installed: format!("v{last}"),
            current: format!("v{last}"),
            ..Subscription::default()
        };
        namespace.subscriptions.insert("p".to_owned(), subscription);
        let settled = namespace.settle(&Pool::new("cat/olm", &[]));
        assert!(!settled.hit_limit);
    }
}

#[test]
fn the_first_csv_is_deleted_when_the_third_replaces_it() {
    let events = ["v2's CSV fails", "catalog gains v3", "v3's CSV succeeds"];
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_exitpath"));
    command.args(["catalog", "fail-forward", "fixtures/catalogs/fail-forward/both-edges"]);
    command.args(["--installed", "v1", "--strategy", "TechPreviewUnsafeFailForward"]);
    command.args(events.iter().flat_map(|event| ["--event", event]));
    let run = command.output().unwrap();
    let words = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{words}");
    for name in ["lighthouse.v1", "lighthouse.v2"] {
        assert!(words.contains(&format!("CSV {name}: deleted by OLM")), "{words}");
    }
}
