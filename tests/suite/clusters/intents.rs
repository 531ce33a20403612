//! `appliesTo` in test files: the clusters to which a risk should apply.

use std::path::Path;

use exitpath::testing::schema;
use serde_json::Value as Json;

use crate::{Scratch, exitpath};

const INTENT: &str = "fixtures/risk-tests/intent";

/// A repository whose risk has these rules, and a test file.
fn repository(rules: &str, tests: &str) -> Scratch {
    let scratch = Scratch::copy_of("intents", Path::new(INTENT));
    let risk = format!(
        "to: 4.18.11\nfrom: 4[.]18[.].*\nurl: https://example.com/bugs/1\nname: OldDisksDetach\n\
         message: Reason to wait.\nmatchingRules:\n{rules}"
    );
    scratch.write("blocked-edges/4.18.11-OldDisksDetach.yaml", risk);
    scratch.write("risk-tests/OldDisksDetach.yaml", format!("risk: OldDisksDetach\n{tests}"));
    scratch
}

fn promql(query: &str) -> String {
    format!("- type: PromQL\n  promql:\n    promql: |\n      {query}\n")
}

fn run(scratch: &Scratch, format: &str) -> (u8, String) {
    let root = scratch.path().to_str().unwrap();
    let run = exitpath(["test", "--repo", root, "--format", format]);
    assert_eq!(run.err, "");
    (run.status, run.out)
}

/// What comes of an intent: the outcome, and the clusters or the fault.
fn outcome(rules: &str, intent: &str) -> String {
    let (_, out) = run(&repository(rules, &format!("appliesTo:\n{intent}\n")), "json");
    let report: Json = serde_json::from_str(&out).unwrap();
    assert!(schema::TEST_REPORT.validator().is_valid(&report), "{report}");
    let test = &report["files"][0]["tests"][0];
    assert_eq!(test["name"], "appliesTo", "{report}");
    let mut words = vec![test["outcome"].as_str().unwrap().to_owned()];
    for cluster in test["clusters"].as_array().into_iter().flatten() {
        let of = |key: &str| cluster[key].as_str().unwrap().to_owned();
        words.push(format!("{} {} {}", of("mistake"), of("answer"), of("words")));
    }
    words.extend(test["fault"]["message"].as_str().map(str::to_owned));
    words.join("; ")
}

/// A query that applies where a selector has a series.
fn has(selector: &str) -> String {
    promql(&format!(r#"group({selector}) or on () 0 * group(cluster_version{{_id=""}})"#))
}

#[test]
fn a_query_agrees_with_what_its_author_means() {
    let old = r#"cluster_version{_id="",type="initial",version=~"4[.]([0-9]|1[0-3])[.].*"}"#;
    let stored = r#"max_over_time(apiserver_storage_objects{_id="",resource="RESOURCE"}[1h])"#;
    let stored = |resource: &str| stored.replace("RESOURCE", resource);
    for (rules, intent) in [
        (has(r#"cluster_infrastructure_provider{_id="",type="AWS"}"#), "  platforms: AWS"),
        (
            has(r#"cluster_infrastructure_provider{_id="",type=~"None|AWS"}"#),
            "  platforms: [AWS, None]",
        ),
        (has(old), "  bornIn: before 4.14"),
        (has(old), "  bornIn: 4.13 or earlier"),
        (has(r#"cluster_version{type="initial",version=~"4[.]12[.].*"}"#), "  bornIn: \"4.12\""),
        (
            has(r#"cluster_version{_id="",type="initial",version=~"4[.]1[0-3][.].*"}"#),
            "  bornIn: 4.10 to 4.13",
        ),
        (
            promql(&format!(r#"0 * group({old}) or on () group(cluster_version{{_id=""}})"#)),
            "  bornIn: 4.14 or later",
        ),
        // What is no version, such as `4.9.`, does not matter.
        (
            has(
                r#"cluster_version{_id="",type="initial",version=~"4[.]([0-9]|1[0-3])[.][0-9]+(-.+)?"}"#,
            ),
            "  bornIn: before 4.14",
        ),
        (promql(r#"max(cluster_version_capability{name="Console"})"#), "  capabilities: Console"),
        (
            promql(r#"1 - max(cluster_version_capability{_id="",name="Console"})"#),
            "  notCapabilities: Console",
        ),
        (
            has(r#"csv_succeeded{_id="",name=~"(metallb|sriov-network)-operator[.].*"}"#),
            "  operators: [sriov-network-operator, metallb-operator]",
        ),
        (
            has(r#"csv_succeeded{_id="",name=~"metallb-operator[.]v4[.]1[0-8][.].*"}"#),
            "  operators: [{name: metallb-operator, version: 4.10 to 4.18}]",
        ),
        (has(r#"cluster_operator_conditions{_id="",name="aro"}"#), "  clusterOperators: aro"),
        (
            has(r#"cluster_operator_conditions{_id="",name="network",condition="Degraded"} == 1"#),
            "  clusterOperators: [{name: network, condition: Degraded}]",
        ),
        (has(r#"cluster_installer{_id="",invoker="hypershift"}"#), "  hosted: true"),
        (promql(r#"count(kube_node_info{_id=""}) > bool 3"#), "  nodes: at least 4"),
        (has(&format!("{} > 120", stored("nodes"))), "  nodes: more than 120"),
        (
            has(&format!("{} > 0", stored("egressips.k8s.ovn.org"))),
            "  objects: {egressips.k8s.ovn.org: at least 1}",
        ),
        (
            promql(r#"max(cluster_proxy_enabled{type=~"https?"})"#),
            "  metrics: {'cluster_proxy_enabled{type=~\"https?\"}': 1}",
        ),
        (has("ceph_health_status"), "  series: ceph_health_status"),
        (
            promql(
                r#"0 * group(csv_succeeded{_id="",name=~"a[.].*"}) or on () group(cluster_version{_id=""})"#,
            ),
            "  not: {operators: a}",
        ),
        (promql("vector(1)"), "  always"),
        ("- type: Always\n".to_owned(), "  always"),
        (
            has(r#"cluster_infrastructure_provider{_id="",type=~"AWS|GCP"}"#),
            "- {platforms: GCP}\n- {platforms: AWS}",
        ),
    ] {
        assert_eq!(outcome(&rules, intent), "passed", "{rules}{intent}");
    }
}

#[test]
fn clusters_that_are_wrongly_caught_or_missed_are_shown() {
    let aws = has(r#"cluster_infrastructure_provider{_id="",type="AWS"}"#);
    let old = has(r#"cluster_version{_id="",type="initial",version=~"4[.]([0-9]|1[0-3])[.].*"}"#);
    let cluster = |mistake: &str, answer: &str, series: &str| {
        format!("failed; {mistake} {answer} with `{series}`")
    };
    let provider = |name: &str| format!(r#"cluster_infrastructure_provider{{type="{name}"}} 1"#);
    assert_eq!(
        outcome(&aws, "  platforms: [AWS, GCP]"),
        cluster("missed", "zero", &provider("GCP"))
    );
    assert_eq!(
        outcome(&aws, "  platforms: GCP"),
        format!(
            "{}; missed zero with `{}`",
            cluster("caught", "one", &provider("AWS")),
            provider("GCP")
        )
    );
    // The usual mistake at the bounds of versions.
    for (intent, mistake, version) in [
        ("before 4.13", "caught one", "4.13.1"),
        ("before 4.15", "missed zero", "4.14.1"),
        ("4.12.53 or earlier", "caught one", "4.12.54"),
    ] {
        let found = outcome(&old, &format!("  bornIn: {intent}"));
        assert!(found.starts_with(&format!("failed; {mistake} with ")), "{found}");
        assert!(found.contains(&format!(r#"type="initial",version="{version}"}}"#)), "{found}");
    }
    let rules = has(r#"csv_succeeded{_id="",name=~"metallb-operator[.]v4[.]1[0-7][.].*"}"#);
    let found = outcome(&rules, "  operators: [{name: metallb-operator, version: 4.10 to 4.18}]");
    assert!(found.contains("missed zero") && found.contains(".v4.18.1"), "{found}");
    // An answer that clusters do not accept does not apply.
    let rules = promql(r#"group by (name) (csv_succeeded{_id="",name=~"a[.].*"})"#);
    assert!(outcome(&rules, "  operators: a").contains("missed several-samples"), "{rules}");
    let found = outcome(&promql("vector(0)"), "  always");
    assert_eq!(found, "failed; missed zero without any series that the query selects");
}

#[test]
fn what_is_not_decided_does_not_pass_and_does_not_fail() {
    // The prover knows nothing of `count_values`.
    let rules = promql(
        r#"group(cluster_infrastructure_provider{_id="",type="AWS"}) or on () 0 * group(count_values("x", cluster_version{_id=""}))"#,
    );
    let intent = "appliesTo:\n  platforms: AWS\n";
    let scratch = repository(&rules, intent);
    let (status, out) = run(&scratch, "human");
    assert_eq!(status, 1, "a run that decides nothing does not pass: {out}");
    assert!(out.ends_with("✗ 0 of 1 test in 1 file passed, 1 not decided\n"), "{out}");
    let tests = format!("{intent}tests:\n- {{cluster: aws, expect: applies}}\n");
    let scratch = repository(&rules, &tests);
    let (status, out) = run(&scratch, "human");
    assert_eq!(status, 0, "{out}");
    assert!(out.starts_with("⚠ OldDisksDetach, appliesTo: not decided: "), "{out}");
    assert!(out.ends_with("✓ 1 of 2 tests in 1 file passed, 1 not decided\n"), "{out}");
    let (_, out) = run(&scratch, "github");
    assert!(out.starts_with("::warning file="), "{out}");
    let (_, out) = run(&scratch, "junit");
    let junit = roxmltree::Document::parse(&out).unwrap();
    assert!(junit.descendants().any(|node| node.has_tag_name("skipped")), "{out}");
    let (_, out) = run(&scratch, "json");
    let report: Json = serde_json::from_str(&out).unwrap();
    assert!(schema::TEST_REPORT.validator().is_valid(&report), "{report}");
    assert_eq!(report["summary"]["not_decided"], 1);
    assert_eq!(report["files"][0]["tests"][0]["outcome"], "not-decided");
    // Which rule decides is not looked at.
    let two = format!("{rules}- type: Always\n");
    assert_eq!(outcome(&two, "  platforms: AWS"), "not-decided");
}

/// What is wrong with an intent, and where.
fn fault(intent: &str) -> String {
    let aws = has(r#"cluster_infrastructure_provider{_id="",type="AWS"}"#);
    let (status, out) = run(&repository(&aws, intent), "json");
    assert_eq!(status, 1, "{intent}: {out}");
    let report: Json = serde_json::from_str(&out).unwrap();
    let file = &report["files"][0];
    let fault = file["faults"].get(0).unwrap_or(&file["tests"][0]["fault"]);
    let (start, message) = (&fault["start"], fault["message"].as_str().unwrap_or(&out));
    format!("{}:{} {message}", start["line"], start["column"])
}

#[test]
fn each_fault_of_an_intent_has_its_place() {
    let of = |key: &str| fault(&format!("appliesTo:\n  {key}\n"));
    assert_eq!(of("platforms: [AWS, Azur]"), "3:20 unknown platform `Azur`; did you mean `Azure`?");
    assert!(of("platforms: moon").starts_with("3:14 unknown platform `moon`; the known ones are "));
    assert_eq!(
        of("capabilities: [Consol]"),
        "3:18 unknown capability `Consol`; did you mean `Console`?"
    );
    assert_eq!(of("platform: AWS"), "3:3 unknown key `platform`; did you mean `platforms`?");
    assert_eq!(
        of("bornIn: 4.10"),
        "3:11 `bornIn` is a number, but text such as `before 4.14` or `\"4.10\"` belongs there"
    );
    assert!(of("bornIn: old").starts_with("3:11 `old` is not clear; write a version such as "));
    assert_eq!(of("bornIn: before 4.0"), "3:11 there are no versions like `before 4.0`");
    assert!(of("nodes: four").starts_with("3:10 `four` is not clear; write a number, or "));
    assert_eq!(of("hosted: maybe"), "3:11 `hosted` is text, but `true` or `false` belongs there");
    assert_eq!(of("operators: [a b]"), "3:15 `a b` is not the name of an operator");
    assert_eq!(
        of("series: cluster_instaler"),
        "3:11 unknown metric `cluster_instaler`; did you mean `cluster_installer`?"
    );
    assert_eq!(
        of("series: 'cluster_installer{invokr=\"a\"}'"),
        "3:11 `cluster_installer` has no label `invokr`; did you mean `invoker`?"
    );
    assert_eq!(
        of("metrics: {'cluster_proxy_enabled{type=\"htp\"}': 1}"),
        "3:13 `type` of `cluster_proxy_enabled` is never `htp`; did you mean `http`?"
    );
    assert_eq!(
        of("series: max(up)"),
        "3:11 only the name of a metric, and labels in braces, belong here"
    );
    assert_eq!(of("objects: {}"), "3:12 `objects` is empty");
    assert_eq!(fault(""), "1:1 `tests` or `appliesTo` is missing");
    assert_eq!(fault("appliesTo: []"), "2:12 `appliesTo` is empty");
    assert_eq!(
        fault("appliesTo: sometimes"),
        "2:12 `appliesTo` is text, but a mapping with conditions, a list of them, or `always` belongs \
         there"
    );
    // What can never hold is a mistake.
    let never = "no cluster is like this: the conditions exclude each other, or none of the versions in \
                 `from` can fulfill them";
    assert_eq!(
        fault("appliesTo:\n- platforms: AWS\n- {hosted: true, not: {hosted: true}}\n"),
        format!("4:3 {never}")
    );
    assert_eq!(of("metrics: {ovnkube_master_ipsec_enabled: 1}"), format!("3:3 {never}"));
}

#[test]
fn a_bad_intent_does_not_hide_the_tests() {
    let aws = has(r#"cluster_infrastructure_provider{_id="",type="AWS"}"#);
    let tests = "appliesTo: {platforms: Azur}\ntests:\n- {cluster: aws, expect: applies}\n";
    let (status, out) = run(&repository(&aws, tests), "human");
    assert_eq!(status, 1);
    assert!(out.ends_with("✗ 1 of 2 tests in 1 file failed\n"), "{out}");
}

#[test]
fn all_formats_show_the_cluster() {
    for format in ["human", "json", "github", "junit"] {
        let run = exitpath(["test", "--repo", INTENT, "--format", format]);
        assert_eq!(run.status, 1);
        assert!(
            run.out.contains("4.13.1") && run.out.contains("appliesTo"),
            "{format}: {}",
            run.out
        );
    }
}

/// Nobody wrote such a file in good faith.
#[test]
fn intents_have_limits() {
    let many: Vec<String> = (0..3_000).map(|nth| format!("operator-{nth}")).collect();
    let many = format!("appliesTo:\n  operators: [{}]\n", many.join(", "));
    assert_eq!(fault(&many), "2:1 these are too many conditions");
    let deep = format!("appliesTo: {}{{platforms: AWS}}{}\n", "{not: ".repeat(40), "}".repeat(40));
    assert!(fault(&deep).ends_with(" too many conditions in each other"), "{}", fault(&deep));
}
