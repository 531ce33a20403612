//! The examples of the enhancement that brought conditional updates, as clusters of today see them.

use exitpath::testing::cluster::object::{ClusterVersion, Release};
use exitpath::testing::cluster::{
    Acceptance, InCluster, Level, Operator, Outcome, Response, Settings, Surroundings, level,
};
use exitpath::testing::metrics::{SeriesText, Source};
use promql::Dialect;
use serde_json::{Value as Json, json};

const PROXY: &str = r#"max(cluster_proxy_enabled{type=~"https?"})"#;
const VSPHERE_OR_NONE: &str = r#"cluster_infrastructure_provider{type=~"VSphere|None"}
or
0 * cluster_infrastructure_provider"#;

fn promql(query: &str) -> Json {
    json!({"type": "PromQL", "promql": {"promql": query}})
}

fn risk(name: &str, rules: &[Json]) -> Json {
    let url = format!("https://bug.example.com/{name}");
    json!({"url": url, "name": name, "message": format!("About {name}."), "matchingRules": rules})
}

/// A cluster with 4.6.23 that can update to 4.7.4, with these risks and these series.
fn operator_of(risks: &[Json], series: &str) -> (ClusterVersion, Outcome) {
    let answer = json!({
        "nodes": [
            {"version": "4.6.23", "payload": "registry.example.com/release@sha256:a"},
            {"version": "4.7.4", "payload": "registry.example.com/release@sha256:b"},
        ],
        "edges": [],
        "conditionalEdges": [{"edges": [{"from": "4.6.23", "to": "4.7.4"}], "risks": risks}],
    });
    let release = json!({"version": "4.6.23", "image": "registry.example.com/release@sha256:a"});
    let running: Release = serde_json::from_value(release.clone()).unwrap();
    let cluster: ClusterVersion = serde_json::from_value(json!({
        "spec": {"clusterID": "01234567-0123-0123-0123-0123456789ab", "channel": "stable-4.7"},
        "status": {"desired": release},
    }))
    .unwrap();
    let series = SeriesText::read(series, None).series;
    let source = Source::Series(series, Dialect::Three);
    let mut surroundings = Surroundings {
        now: source.time(),
        running: &running,
        cluster: &cluster,
        inside: &InCluster::default(),
        service: &mut |_| Response::Http { status: 200, body: answer.to_string() },
        ask: &mut |query, _| source.ask(query),
    };
    let outcome = Operator::new(Settings::of(Level::NEWEST)).sync(&mut surroundings).unwrap();
    (outcome.stored.written_to(&cluster), outcome)
}

/// The condition `Recommended` of the only conditional update.
fn verdict(risks: &[Json], series: &str) -> (String, String, String) {
    let (_, outcome) = operator_of(risks, series);
    let [update] = &outcome.stored.conditional_updates[..] else { panic!("one update") };
    let [condition] = &update.conditions[..] else { panic!("one condition") };
    (condition.status.clone(), condition.reason.clone(), condition.message.clone())
}

#[test]
fn a_proxy_that_is_on_makes_the_update_not_recommended() {
    let series =
        "cluster_proxy_enabled{type=\"http\"} 0\ncluster_proxy_enabled{type=\"https\"} 1\n";
    let (status, reason, _) = verdict(&[risk("Proxy", &[promql(PROXY)])], series);
    assert_eq!((status.as_str(), reason.as_str()), ("False", "Proxy"));
}

#[test]
fn a_proxy_that_is_off_does_not() {
    let series =
        "cluster_proxy_enabled{type=\"http\"} 0\ncluster_proxy_enabled{type=\"https\"} 0\n";
    let (status, reason, _) = verdict(&[risk("Proxy", &[promql(PROXY)])], series);
    assert_eq!((status.as_str(), reason.as_str()), ("True", "NotExposedToRisks"));
}

#[test]
fn without_the_metric_the_cluster_cannot_tell() {
    let (status, reason, message) = verdict(&[risk("Proxy", &[promql(PROXY)])], "up 1\n");
    assert_eq!((status.as_str(), reason.as_str()), ("Unknown", "EvaluationFailed"));
    assert!(message.contains("(invalid PromQL result length must be one, but is 0)"), "{message}");
}

/// The example does not do what it says: the metric is 0 on platform `None`.
#[test]
fn the_query_for_platforms_misses_the_platform_none() {
    let provider = |name: &str, value: u8| {
        format!("cluster_infrastructure_provider{{type=\"{name}\"}} {value}\n")
    };
    let risks = [risk("Platform", &[promql(VSPHERE_OR_NONE)])];
    assert_eq!(verdict(&risks, &provider("VSphere", 1)).0, "False");
    assert_eq!(verdict(&risks, &provider("AWS", 1)).0, "True");
    assert_eq!(verdict(&risks, &provider("None", 0)).0, "True");
    let with_group = VSPHERE_OR_NONE
        .replace("cluster_infrastructure_provider{", "group(cluster_infrastructure_provider{")
        .replace("\"}", "\"})")
        .replace(
            "0 * cluster_infrastructure_provider",
            "0 * group(cluster_infrastructure_provider)",
        );
    let mended = [risk("Platform", &[promql(&with_group)])];
    assert_eq!(verdict(&mended, &provider("None", 0)).0, "False");
}

#[test]
fn the_tempting_query_has_no_answer_on_other_platforms() {
    let tempting = r#"cluster_infrastructure_provider{type=~"VSphere|None"}"#;
    let risks = [risk("Platform", &[promql(tempting)])];
    let aws = "cluster_infrastructure_provider{type=\"AWS\"} 1\n";
    assert_eq!(verdict(&risks, aws).0, "Unknown");
}

#[test]
fn the_texts_of_several_risks_come_in_the_order_of_the_list() {
    let risks = ["Proxy", "NodeNames", "Hardware"].map(|name| risk(name, &[promql("vector(1)")]));
    let (status, reason, message) = verdict(&risks, "up 1\n");
    assert_eq!((status.as_str(), reason.as_str()), ("False", "MultipleReasons"));
    assert_eq!(
        message,
        "About Proxy. https://bug.example.com/Proxy\n\n\
         About NodeNames. https://bug.example.com/NodeNames\n\n\
         About Hardware. https://bug.example.com/Hardware"
    );
}

#[test]
fn the_first_rule_with_an_answer_decides() {
    let always = json!({"type": "Always"});
    let fails = [risk("Fails", &[promql("sum(up"), always.clone()])];
    assert_eq!(verdict(&fails, "up 1\n").0, "False");
    let zero = [risk("Zero", &[promql("vector(0)"), always])];
    assert_eq!(verdict(&zero, "up 1\n").0, "True");
}

/// `Recommended=False` stops nobody. The history keeps the reason.
#[test]
fn the_operator_takes_an_update_that_is_not_recommended() {
    let (cluster, _) = operator_of(&[risk("Proxy", &[promql("vector(1)")])], "up 1\n");
    let target = &cluster.status.conditional_updates[0].release;
    let verdict = Acceptance::of(&cluster, target, false, Level::NEWEST);
    assert!(verdict.is_accepted);
    assert_eq!(
        verdict.message,
        "Precondition \"ClusterVersionRecommendedUpdate\" failed because of \"Proxy\": Update from \
         4.6.23 to 4.7.4 is not recommended:\n\nAbout Proxy. https://bug.example.com/Proxy"
    );
}

#[test]
fn a_cluster_before_4_10_does_not_see_conditional_updates() {
    let minor = |text: &str| level(text).unwrap();
    assert!(!minor("4.9").knows_conditions());
    assert!(minor("4.10").knows_conditions());
}

/// An operator asks one query a second. The others wait.
#[test]
fn a_second_query_waits_for_a_second() {
    let risks = [risk("A", &[promql("vector(0)")]), risk("B", &[promql("vector(0) + 0")])];
    let (cluster, _) = operator_of(&risks, "up 1\n");
    let answer = json!({
        "nodes": [
            {"version": "4.6.23", "payload": "registry.example.com/release@sha256:a"},
            {"version": "4.7.4", "payload": "registry.example.com/release@sha256:b"},
        ],
        "conditionalEdges": [{"edges": [{"from": "4.6.23", "to": "4.7.4"}], "risks": risks}],
    });
    let message_of = |minor: &str, seconds: i64| {
        let source = Source::Series(SeriesText::read("up 1\n", None).series, Dialect::Three);
        let settings = Settings { is_throttled: true, ..Settings::of(level(minor).unwrap()) };
        let mut operator = Operator::new(settings);
        let mut message = String::new();
        for second in 0..=seconds {
            let mut surroundings = Surroundings {
                now: second * 1_001,
                running: &cluster.status.desired,
                cluster: &cluster,
                inside: &InCluster::default(),
                service: &mut |_| Response::Http { status: 200, body: answer.to_string() },
                ask: &mut |query, _| source.ask(query),
            };
            let outcome = operator.sync(&mut surroundings).unwrap();
            message.clone_from(&outcome.stored.conditional_updates[0].conditions[0].message);
        }
        message
    };
    assert!(message_of("5.0", 0).contains("(evaluation is throttled until 00:00:01Z)"));
    let old = "unknown due to an evaluation failure: client-side throttling: only 0s has elapsed";
    assert!(message_of("4.12", 0).contains(old), "{}", message_of("4.12", 0));
    assert!(message_of("5.0", 1).contains("none of the conditional update risks apply"));
}
