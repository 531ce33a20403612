//! What the operator of a cluster says where something is malformed, missing, or overridden.

use std::collections::BTreeMap;

use exitpath::testing::cluster::object::{Alert, ClusterVersion, Release};
use exitpath::testing::cluster::{
    Acceptance, ClusterOperator, InCluster, Level, Operator, Outcome, Response, ServiceAnswer,
    Settings, Surroundings, level,
};
use promql::Value;
use serde_json::{Value as Json, json};

const DOCS: &str = "https://docs.redhat.com/en/documentation/openshift_container_platform/";

const ID: &str = "01234567-89AB-cdef-0123-456789abcdef";

fn object(spec: &Json, status: &Json) -> ClusterVersion {
    serde_json::from_value(json!({"spec": spec, "status": status})).unwrap()
}

fn running(version: &str) -> Release {
    Release { version: version.into(), image: "image-old".into(), ..Release::default() }
}

/// An answer with one release to update to. `channels` is the metadata of that release.
fn answer(from: &str, to: &str, channels: &str) -> ServiceAnswer {
    let node = |version: &str, image: &str, metadata: &Json| json!({"version": version, "payload": image, "metadata": metadata});
    let metadata = json!({"io.openshift.upgrades.graph.release.channels": channels});
    let nodes = [node(from, "image-old", &json!({})), node(to, "image-new", &metadata)];
    ServiceAnswer::parse(&json!({"nodes": nodes, "edges": [[0, 1]]}).to_string()).unwrap()
}

fn synced(cluster: &ClusterVersion, inside: &InCluster, answer: &ServiceAnswer) -> Outcome {
    let settings = Settings { accepts_risks: true, ..Settings::of(Level::NEWEST) };
    synced_with(settings, cluster, inside, answer)
}

fn synced_with(
    settings: Settings,
    cluster: &ClusterVersion,
    inside: &InCluster,
    answer: &ServiceAnswer,
) -> Outcome {
    let release = running(&cluster.status.desired.version);
    let mut surroundings = Surroundings {
        now: 0,
        running: &release,
        cluster,
        inside,
        service: &mut |_| Response::Read(answer.clone()),
        ask: &mut |_, _| Ok(Value::Vector(Vec::new())),
    };
    Operator::new(settings).sync(&mut surroundings).unwrap()
}

fn with_gate(gate: &str, text: &str) -> InCluster {
    let admin_gates = BTreeMap::from([(gate.to_owned(), text.to_owned())]);
    InCluster { admin_gates, ..InCluster::default() }
}

/// The message and the URL of the only risk.
fn only_risk(inside: &InCluster) -> (String, String) {
    let spec = json!({"clusterID": ID, "channel": "stable-4.19"});
    let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
    let outcome = synced(&cluster, inside, &answer("4.18.3", "4.19.1", "stable-4.19"));
    let risks = outcome.stored.conditional_update_risks.unwrap();
    let [risk] = risks.as_slice() else { panic!("{risks:?}") };
    (risk.message.clone(), risk.url.clone())
}

#[test]
fn a_gate_names_its_minor_version() {
    let format = "admin-gates configmap gate \"ack-4x18-a\" is invalid: admin-gates configmap gate \
                  name ack-4x18-a has invalid format; must comply with \
                  \"^ack-([4-5][.][0-9]{1,})-[^-]\"";
    assert_eq!(only_risk(&with_gate("ack-4x18-a", "Read.")), (format.into(), DOCS.into()));
    let zero = "admin-gates configmap gate \"ack-4.018-a\" is invalid: failed to parse SemVer ack \
                version from admin-gate \"ack-4.018-a\": Minor number must not contain leading \
                zeroes \"018\"";
    assert_eq!(only_risk(&with_gate("ack-4.018-a", "Read.")), (zero.into(), DOCS.into()));
    let empty = "admin-gates configmap gate ack-4.18-a must contain a non-empty value.";
    assert_eq!(only_risk(&with_gate("ack-4.18-a", "")), (empty.into(), DOCS.into()));
}

#[test]
fn the_link_of_a_gate_is_in_its_text() {
    let with_link = with_gate("ack-4.18-a", "Read (https://example.com/a) first.");
    assert_eq!(only_risk(&with_link).1, "https://example.com/a)");
    assert_eq!(only_risk(&with_gate("ack-4.18-a", "Read.")).1, DOCS);
}

#[test]
fn alerts_about_disruption_budgets_name_the_budget() {
    let message = |name: &str, severity: &str| {
        let labels = json!({"alertname": name, "severity": severity, "namespace": "shop", "poddisruptionbudget": "web"});
        let alert = json!({"labels": labels, "annotations": {}, "state": "firing", "activeAt": ""});
        let alert: Alert = serde_json::from_value(alert).unwrap();
        let inside = InCluster { alerts: vec![alert], ..InCluster::default() };
        let spec = json!({"clusterID": ID, "channel": "stable-4.18"});
        let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
        let outcome = synced(&cluster, &inside, &answer("4.18.3", "4.18.4", "stable-4.18"));
        let risks = outcome.stored.conditional_update_risks.unwrap();
        risks[0].conditions[0].message.clone()
    };
    let names = |message: &str| message.contains("Namespace=shop, PodDisruptionBudget=web. ");
    assert!(names(&message("PodDisruptionBudgetAtLimit", "warning")));
    assert!(names(&message("PodDisruptionBudgetLimit", "critical")));
    assert!(!names(&message("PodDisruptionBudgetAtLimit", "critical")));
}

#[test]
fn empty_channels_are_listed_from_the_end() {
    let spec = json!({"clusterID": ID, "channel": "stable-4.18"});
    let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
    let outcome = synced(&cluster, &InCluster::default(), &answer("4.18.3", "4.18.4", ",,"));
    let key = "io.openshift.upgrades.graph.release.channels";
    let entry = |at: u8| format!("{key} entry {at} is an empty string: \",,\"\n");
    let faults = [2, 1, 0].map(entry).concat();
    let message = &outcome.retrieved.message;
    assert!(message.ends_with(&format!("{faults}no non-empty channels in {key} []")), "{message}");
}

/// An object without a service asks the default one, unless the operator was built without it.
#[test]
fn an_operator_without_a_service_has_no_updates() {
    let spec = json!({"clusterID": ID, "channel": "stable-4.18"});
    let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
    let retrieved = |has_default_service| {
        let settings = Settings { has_default_service, ..Settings::of(Level::NEWEST) };
        let answer = answer("4.18.3", "4.18.4", "stable-4.18");
        synced_with(settings, &cluster, &InCluster::default(), &answer).retrieved
    };
    assert_eq!(retrieved(true).status, "True");
    let none = retrieved(false);
    assert_eq!((none.status.as_str(), none.reason.as_str()), ("False", "NoUpstream"));
    assert_eq!(none.message, "No updateService server has been set to retrieve updates.");
}

#[test]
fn the_id_of_a_cluster_is_sent_in_its_usual_form() {
    let plain = ID.replace('-', "");
    for written in [ID, &plain, &format!("{{{ID}}}"), &format!("urn:uuid:{ID}")] {
        let spec = json!({"clusterID": written, "channel": "stable-4.18"});
        let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
        let answer = answer("4.18.3", "4.18.4", "stable-4.18");
        let request = synced(&cluster, &InCluster::default(), &answer).request.unwrap();
        assert_eq!(request.parameters["id"], [ID.to_lowercase()], "{written}");
    }
}

/// What the operator writes to the history when it takes an update, or why it does not.
fn accepted(cluster: &ClusterVersion, to: &str, minor: &str) -> (bool, String) {
    let target = running(to);
    let level = level(minor).unwrap();
    let found = Acceptance::of(cluster, &target, false, level);
    (found.is_accepted, found.message)
}

fn overridden() -> ClusterVersion {
    let spec = json!({"channel": "stable-4.22", "overrides": [{"unmanaged": true}]});
    let upgradeable =
        json!({"type": "Upgradeable", "status": "False", "reason": "R", "message": "m"});
    let updates = json!([{"version": "4.22.4", "image": "a"}, {"version": "4.23.1", "image": "b"}]);
    let status = json!({"desired": {"version": "4.22.3"}, "conditions": [upgradeable], "availableUpdates": updates});
    object(&spec, &status)
}

#[test]
fn overrides_do_not_stop_a_patch_update() {
    let (is_accepted, message) = accepted(&overridden(), "4.22.4", "4.22");
    assert!(is_accepted);
    let start = "Precondition \"ClusterVersionUpgradeable\" failed because of \
                 \"ClusterVersionOverridesSet\": Retarget from 4.22.3 to 4.22.4 is not blocked by \
                 ClusterVersionOverridesSet. But the cluster-version operator is not managing";
    assert!(message.starts_with(start), "{message}");
    let (is_accepted, message) = accepted(&overridden(), "4.23.1", "4.22");
    assert!(!is_accepted && message.ends_with("failed because of \"R\": m"), "{message}");
    let (is_accepted, message) = accepted(&overridden(), "4.22.4", "4.21");
    assert!(!is_accepted && message.contains("prevents upgrades. Please remove"), "{message}");
}

#[test]
fn a_new_target_during_a_minor_update_is_recorded() {
    let mut cluster = overridden();
    cluster.spec.overrides.clear();
    let progressing = json!({"type": "Progressing", "status": "True"});
    cluster.status.conditions.push(serde_json::from_value(progressing).unwrap());
    let history = json!([
        {"state": "Partial", "version": "4.22.3"},
        {"state": "Completed", "version": "4.21.9"}
    ]);
    cluster.status.history = serde_json::from_value(history).unwrap();
    let (is_accepted, message) = accepted(&cluster, "4.22.4", "4.22");
    assert!(is_accepted);
    let words = "\"MinorVersionClusterUpdateInProgress\": Retarget to 4.22.4 while a minor version \
                 update from 4.21.9 to 4.22.3 is in progress";
    assert!(message.ends_with(words), "{message}");
}

#[test]
fn alerts_that_nobody_accepted_are_recorded() {
    let mut cluster = overridden();
    cluster.status.conditions.clear();
    let applies = json!([{"type": "Applies", "status": "True", "reason": "Alert:firing"}]);
    let risks = json!([{"name": "Noise", "conditions": applies}, {"name": "Other"}]);
    cluster.status.conditional_update_risks = serde_json::from_value(risks).unwrap();
    let (_, message) = accepted(&cluster, "4.22.4", "5.0");
    assert!(message.contains("\"alertMightImpactUpdate\""), "{message}");
    assert!(message.ends_with("Those alerts have to be accepted as risks before updates: Noise"));
    let update = json!({"acceptRisks": [{"name": "Noise"}]});
    cluster.spec.desired_update = serde_json::from_value(update).unwrap();
    assert_eq!(accepted(&cluster, "4.22.4", "5.0"), (true, String::new()));
}

/// Before 4.23, what blocks minor updates has conditions of its own, and is no risk.
#[test]
fn older_operators_have_conditions_for_each_cause() {
    let operator = |name: &str| {
        let upgradeable =
            json!([{"type": "Upgradeable", "status": "False", "reason": "Old", "message": "m"}]);
        let conditions = serde_json::from_value(upgradeable).unwrap();
        ClusterOperator { name: name.into(), conditions }
    };
    let mut inside = with_gate("ack-4.18-a", "Read.");
    inside.cluster_operators = vec![operator("storage"), operator("etcd")];
    let spec = json!({"clusterID": ID, "channel": "stable-4.19"});
    let cluster = object(&spec, &json!({"desired": {"version": "4.18.3"}}));
    let release = running("4.18.3");
    let mut surroundings = Surroundings {
        now: 0,
        running: &release,
        cluster: &cluster,
        inside: &inside,
        service: &mut |_| Response::Read(answer("4.18.3", "4.19.1", "stable-4.19")),
        ask: &mut |_, _| Ok(Value::Vector(Vec::new())),
    };
    let settings = Settings::of(level("4.18").unwrap());
    let outcome = Operator::new(settings).sync(&mut surroundings).unwrap();
    let conditions: Vec<(&str, &str)> = outcome.stored.conditions[1..]
        .iter()
        .map(|one| (one.kind.as_str(), one.reason.as_str()))
        .collect();
    let expected = [
        ("Upgradeable", "MultipleReasons"),
        ("UpgradeableAdminAckRequired", "AdminAckRequired"),
        ("UpgradeableClusterOperators", "ClusterOperatorsNotUpgradeable"),
    ];
    assert_eq!(conditions, expected);
    let words = "Cluster should not be upgraded between minor versions for multiple reasons: \
                 AdminAckRequired,ClusterOperatorsNotUpgradeable\n* Read.\n* Multiple cluster \
                 operators should not be upgraded between minor versions:\n* Cluster operator etcd \
                 should not be upgraded between minor versions: Old: m\n* Cluster operator storage";
    assert!(outcome.stored.conditions[1].message.starts_with(words));
}
