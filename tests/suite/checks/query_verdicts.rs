//! What `promql check` says beside the findings: the verdict, the part that is not decided, hosted
//! control planes, and who is affected.

use serde_json::Value as Json;

use crate::exitpath;

const FALLBACK: &str = r#"or on () 0 * group(cluster_version{_id=""})"#;

fn report(query: &str) -> Json {
    let run = exitpath(["promql", "check", "--format", "json", "--", query]);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{query}: {error}: {}", run.err))
}

fn has_finding(report: &Json, code: &str) -> bool {
    report["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == code)
}

fn human(query: &str) -> String {
    exitpath(["promql", "check", "--", query]).out
}

#[test]
fn an_operator_that_never_has_a_sample_is_an_error_in_every_form() {
    let aws = r#"cluster_infrastructure_provider{_id="",type="AWS"}"#;
    let csv = r#"csv_succeeded{_id="",name=~"example[.].*"}"#;
    let node = r#"kube_node_role{_id="",role="worker"}"#;
    let arms = [
        format!("{aws} and {csv}"),
        format!("{aws} * {csv}"),
        format!("group({aws}) * {csv}"),
        format!("{aws} and group({csv})"),
        format!("group({aws}) and {node}"),
        format!("group by (type) ({aws}) and {csv}"),
        format!("group by (type) ({aws}) * on (type) {csv}"),
        format!("group({aws}) unless on () group(cluster_version{{_id=\"\"}})"),
        r#"group(cluster_version{_id="",type="initial"} and cluster_version{_id="",type="current"})"#
            .to_owned(),
        r#"group(kube_node_role{_id=""} > 1)"#.to_owned(),
    ];
    for arm in &arms {
        for query in [format!("({arm}) {FALLBACK}"), format!("group({aws}) or ({arm}) {FALLBACK}")]
        {
            let report = report(&query);
            assert!(has_finding(&report, "EP622"), "{query}: {report:#}");
            assert_ne!(report["verdict"], "proved", "{query}");
        }
    }
    let fine = [
        format!("(group({aws}) and on () {csv}) {FALLBACK}"),
        format!("(group({aws}) * on () group({csv})) {FALLBACK}"),
        format!("(group({aws}) unless on () {csv}) {FALLBACK}"),
        format!("group({node} and kube_node_role{{_id=\"\"}}) {FALLBACK}"),
        r#"group(cluster_version{_id="",type="initial"} < 1700000000) "#.to_owned() + FALLBACK,
    ];
    for query in &fine {
        let report = report(query);
        assert!(!has_finding(&report, "EP622"), "{query}: {report:#}");
    }
}

#[test]
fn comparing_no_labels_is_advised_only_where_it_helps() {
    let help = |op: &str| {
        let query = format!(
            "(cluster_infrastructure_provider{{_id=\"\",type=\"AWS\"}} {op} csv_succeeded{{_id=\"\",name=~\"example[.].*\"}}) {FALLBACK}"
        );
        let report = report(&query);
        let findings = report["findings"].as_array().unwrap().clone();
        let finding = findings.into_iter().find(|finding| finding["code"] == "EP622").unwrap();
        finding["help"].as_str().unwrap().to_owned()
    };
    assert_eq!(help("and"), "write `and on ()` to compare no labels");
    // Several operators of a name, in several namespaces, would be several samples.
    assert_eq!(help("*"), "name the labels that both sides have, with `on (…)`");
}

#[test]
fn hosted_clusters_have_a_verdict_of_their_own() {
    let by = |left: &str, right: &str| {
        format!(
            "(group by ({left}type) (cluster_infrastructure_provider{{_id=\"\",type=\"AWS\"}}) or 0 * group by ({left}type) (cluster_infrastructure_provider{{_id=\"\"}})) * on (_id) group{right}(cluster_version{{_id=\"\"}})"
        )
    };
    let dropped = report(&by("_id, ", " "));
    assert_eq!(dropped["verdict"], "proved");
    assert_eq!(dropped["hosted"]["verdict"], "can-go-wrong");
    assert_eq!(dropped["hosted"]["note"], "on the sample cluster `hosted`, it answers nothing");
    assert_eq!(dropped["note"], "each self-managed cluster gets exactly one sample, 0 or 1");
    let kept = report(&by("_id, ", " by (_id) "));
    assert_eq!((&kept["verdict"], &kept["hosted"]), (&"proved".into(), &Json::Null));
    // Without `_id=""`, a hosted cluster sees the nodes of others, too. That is one sample in any
    // case.
    let seen = report("group(cluster_version) * 0");
    assert_eq!(seen["hosted"], Json::Null);
    let several = report(r#"max by (_id) (0 * cluster_version{type="current"})"#);
    assert_eq!(several["hosted"]["note"], "on the sample cluster `hosted`, it answers 2 samples");
}

#[test]
fn the_part_that_is_not_decided_is_named_and_underlined() {
    let query = "group(cluster_version{_id=\"\"})\n* on ()\ngroup(max_over_time(group(cluster_version{_id=\"\"})[1h:5m]))";
    let report = report(query);
    assert_eq!(
        (&report["verdict"], &report["note"]),
        (&"not-decided".into(), &"I cannot decide a subquery".into())
    );
    let place = |end: &str| usize::try_from(report["undecided"][end].as_u64().unwrap()).unwrap();
    assert_eq!(&query[place("start")..place("end")], "group(cluster_version{_id=\"\"})[1h:5m]");
    assert!(human(query).contains("────── I cannot decide a subquery"), "{}", human(query));
}

#[test]
fn examples_say_who_is_affected() {
    let query = r#"group(cluster_infrastructure_provider{_id="",type="AWS"}) or 0 * group(cluster_infrastructure_provider{_id=""})"#;
    let report = report(query);
    let words = |key: &str| report[key]["words"].as_str().unwrap().to_owned();
    assert_eq!(words("applies"), r#"with `cluster_infrastructure_provider{type="AWS"} 1`"#);
    assert_eq!(
        words("does_not_apply"),
        r#"with `cluster_infrastructure_provider{type="VSphere"} 1`"#
    );
    assert_eq!(report["applies"]["series"][0], r#"cluster_infrastructure_provider{type="AWS"} 1"#);
    let out = human(query);
    assert!(out.contains("  applies, for example, to a cluster with `"), "{out}");
    assert!(out.contains("  does not apply, for example, to a cluster with `"), "{out}");
    let never = human(r#"0 * group(cluster_version{_id=""})"#);
    assert!(never.ends_with("  applies to no cluster\n"), "{never}");
}

#[test]
fn examples_of_queries_that_count_have_enough_series() {
    let series = |query: &str, key: &str| -> usize {
        let report = report(query);
        assert_eq!(report["verdict"], "proved", "{query}");
        report[key]["series"].as_array().map_or(0, Vec::len)
    };
    let nodes = r#"count(kube_node_info{_id=""})"#;
    for more in [1, 3, 24] {
        let query = format!("{nodes} > bool {more}");
        assert_eq!(series(&query, "applies"), more + 1, "{query}");
        assert_eq!(series(&query, "does_not_apply"), 1, "{query}");
    }
    let workers = r#"group(count(kube_node_info{_id="",node=~".*worker.*"}) > 12)"#;
    assert!(series(&format!("{workers} {FALLBACK}"), "applies") > 12);
    let words = report(&format!("{nodes} > bool 1"));
    assert_eq!(
        words["applies"]["words"],
        r#"with `kube_node_info{node="example"} 1` and `kube_node_info{node="0-example"} 1`"#
    );
    let only = r#"with only `kube_node_info{node="example"} 1`"#;
    assert_eq!(words["does_not_apply"]["words"], only);
}

#[test]
fn labels_of_the_scrape_are_in_witnesses() {
    let query = r#"cluster_infrastructure_provider{_id="",type="AWS"} or 0 * group by (type) (cluster_infrastructure_provider{_id=""})"#;
    let report = report(query);
    assert_eq!(report["verdict"], "can-go-wrong");
    let series = report["witnesses"][0]["series"].as_array().unwrap();
    assert_eq!(series, &[r#"cluster_infrastructure_provider{job="example",type="AWS"} 1"#]);
}

#[test]
fn changes_within_a_range_are_in_witnesses() {
    // Two versions of an operator were there within the hour.
    let query = r#"group by (version) (max_over_time(csv_succeeded{_id="",name="packageserver"}[1h])) or on () 0 * group(cluster_version{_id=""})"#;
    let report = report(query);
    assert_eq!(report["verdict"], "can-go-wrong", "{report:#}");
}

#[test]
fn a_sample_cluster_with_broken_monitoring_refutes_no_proof() {
    let query = r#"group(csv_count{_id=""} > 3) or on () 0 * group(csv_count{_id=""}) or on () 0 * group(cluster_version_capability{_id="",name="OperatorLifecycleManager"} == 0)"#;
    assert_eq!(report(query)["verdict"], "proved");
}
