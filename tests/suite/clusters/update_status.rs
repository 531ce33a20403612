//! What `oc adm upgrade status` prints for the objects of a cluster.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use crate::{Run, Scratch, exitpath};

/// An update from 4.20.1 to 4.20.2 that began at 10:00.
fn cluster_version() -> Json {
    let condition = |kind: &str, status: &str, time: &str| json!({"type": kind, "status": status, "lastTransitionTime": format!("2026-01-01T{time}:00Z")});
    json!({
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": {"name": "version"},
        "status": {
            "desired": {"version": "4.20.2", "image": "image/release@sha256:2"},
            "conditions": [condition("Progressing", "True", "10:00"), condition("Failing", "False", "09:00")],
            "history": [
                {"state": "Partial", "version": "4.20.2", "image": "image/release@sha256:2", "startedTime": "2026-01-01T10:00:00Z", "completionTime": null},
                {"state": "Completed", "version": "4.20.1", "image": "image/release@sha256:1", "startedTime": "2025-12-01T10:00:00Z", "completionTime": "2025-12-01T10:50:00Z"},
                {"state": "Completed", "version": "4.20.0", "image": "image/release@sha256:0", "startedTime": "2025-11-01T10:00:00Z", "completionTime": "2025-11-01T10:40:00Z"},
            ],
        },
    })
}

/// An operator of the release. The conditions are `Progressing`, `Available`, and `Degraded`, in
/// this order, each with the time of its change.
fn operator(name: &str, version: &str, conditions: [(&str, &str); 3]) -> Json {
    let kinds = ["Progressing", "Available", "Degraded"].into_iter().zip(conditions);
    let conditions = kinds.map(|(kind, (status, time))| json!({"type": kind, "status": status, "reason": format!("{kind}Reason"), "message": format!("{name} says:\n{kind}."), "lastTransitionTime": format!("2026-01-01T{time}:00Z")}));
    json!({
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterOperator",
        "metadata": {"name": name, "annotations": {"include.release.openshift.io/self-managed-high-availability": "true"}},
        "status": {"versions": [{"name": "operator", "version": version}], "conditions": conditions.collect::<Vec<Json>>()},
    })
}

fn well(name: &str, version: &str) -> Json {
    operator(name, version, [("False", "09:30"), ("True", "09:00"), ("False", "09:00")])
}

/// A pool that is to have the config of 4.20.2.
fn pool(name: &str, is_paused: bool) -> Json {
    let label = format!("node-role.kubernetes.io/{name}");
    json!({
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfigPool",
        "metadata": {"name": name},
        "spec": {"paused": is_paused, "configuration": {"name": format!("{name}-2")}, "nodeSelector": {"matchLabels": {label: ""}}},
    })
}

/// The configs of 4.20.1 and 4.20.2 of a pool.
fn configs(pool: &str) -> [Json; 2] {
    [1, 2].map(|release| json!({
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {"name": format!("{pool}-{release}"), "annotations": {"machineconfiguration.openshift.io/release-image-version": format!("4.20.{release}")}},
    }))
}

/// A node that has the config of one release, and is told to have that of another.
fn node(name: &str, pool: &str, (has, wants): (u8, u8), state: &str) -> Json {
    let key = |key: &str| format!("machineconfiguration.openshift.io/{key}");
    let label = format!("node-role.kubernetes.io/{pool}");
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {label: ""},
            "annotations": {key("currentConfig"): format!("{pool}-{has}"), key("desiredConfig"): format!("{pool}-{wants}"), key("state"): state},
        },
        "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T09:00:00Z"}]},
    })
}

/// A cluster in the middle of its update: one of four operators is updated, and one is at work. One
/// of two workers is, too.
fn in_progress() -> Vec<Json> {
    let mut objects = vec![
        cluster_version(),
        well("config", "4.20.2"),
        operator("etcd", "4.20.1", [("True", "10:02"), ("True", "09:00"), ("False", "09:00")]),
        well("network", "4.20.1"),
        well("storage", "4.20.1"),
        pool("master", false),
        pool("worker", false),
        node("control-plane-a", "master", (1, 1), "Done"),
        node("worker-a", "worker", (1, 2), "Working"),
        node("worker-b", "worker", (1, 1), "Done"),
    ];
    objects.extend(["master", "worker"].into_iter().flat_map(configs));
    objects
}

/// What is printed at a time on that day.
fn status_at(name: &str, objects: &[Json], time: &str, more: &[&str]) -> Run {
    let folder = Scratch::new(&format!("update-status-{name}"));
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    let file = folder.write("objects.json", list.to_string());
    let time = format!("2026-01-01T{time}Z");
    let first = ["cluster", file.to_str().unwrap(), "--time", &time];
    let own: &[&str] = if more.contains(&"--") { &[] } else { &["--", "adm", "upgrade", "status"] };
    exitpath(first.iter().chain(own).chain(more))
}

fn status(name: &str, objects: &[Json], more: &[&str]) -> String {
    let run = status_at(name, objects, "10:08:00", more);
    assert_eq!(run.status, 0, "{}", run.err);
    run.out
}

#[test]
fn an_update_in_progress() {
    let expected = "\
= Control Plane =
Assessment:      Progressing
Target Version:  4.20.2 (from 4.20.1)
Updating:        etcd
Completion:      25% (1 operators updated, 1 updating, 2 waiting)
Duration:        8m (Est. Time Remaining: 50m)
Operator Health: 4 Healthy

Control Plane Nodes
NAME              ASSESSMENT   PHASE     VERSION   EST   MESSAGE
control-plane-a   Outdated     Pending   4.20.1    ?     

= Worker Upgrade =

WORKER POOL   ASSESSMENT    COMPLETION   STATUS
worker        Progressing   0% (0/2)     1 Available, 1 Progressing, 0 Draining

Worker Pool Nodes: worker
NAME       ASSESSMENT    PHASE      VERSION   EST   MESSAGE
worker-a   Progressing   Updating   4.20.1    +5m   
worker-b   Outdated      Pending    4.20.1    ?     

= Update Health =
SINCE   LEVEL   IMPACT   MESSAGE
8m      Info    None     Update is proceeding well
";
    assert_eq!(status("progress", &in_progress(), &[]), expected);
    let all = status("progress", &in_progress(), &["--details=all"]);
    let operators = "
Updating Cluster Operators
NAME   SINCE   REASON              MESSAGE
etcd   6m      ProgressingReason   etcd says:
                                   Progressing.
";
    assert!(all.contains(operators), "{all}");
    assert!(all.ends_with("8m      Info    None     Update is proceeding well\n"), "{all}");
}

/// The same words as for a cluster whose files lack what would tell, so that a note says so.
#[test]
fn a_cluster_that_is_not_updating() {
    let mut objects = in_progress();
    objects[0]["status"]["conditions"][0]["status"] = "False".into();
    let outdated = status("still", &objects, &[]);
    assert!(outdated.contains("worker-a   Progressing   Updating"), "{outdated}");
    objects.retain(|object| {
        object["metadata"]["name"] != "worker-a" && object["metadata"]["name"] != "worker-b"
    });
    objects.push(node("worker-c", "worker", (2, 2), "Done"));
    let run = status_at("done", &objects, "12:00:00", &[]);
    assert_eq!((run.status, run.out.as_str()), (0, "The cluster is not updating.\n"));
    assert!(!run.err.contains("nodes"), "{}", run.err);
    objects.retain(|object| object["kind"] != "MachineConfigPool");
    let run = status_at("no-pools", &objects, "12:00:00", &[]);
    assert_eq!(run.out, "The cluster is not updating.\n");
    let note =
        "exitpath: the files have no MachineConfigPools: the status says nothing about nodes\n";
    assert!(run.err.contains(note), "{}", run.err);
}

#[test]
fn a_control_plane_that_is_updated() {
    let mut objects = in_progress();
    for object in objects.iter_mut().filter(|object| object["kind"] == "ClusterOperator") {
        object["status"]["versions"][0]["version"] = "4.20.2".into();
    }
    objects[0]["status"]["history"][0]["state"] = "Completed".into();
    objects[0]["status"]["history"][0]["completionTime"] = "2026-01-01T11:10:29Z".into();
    objects[0]["status"]["conditions"][0]["status"] = "False".into();
    objects.push(node("control-plane-b", "master", (2, 2), "Done"));
    objects.retain(|object| object["metadata"]["name"] != "control-plane-a");
    let shown = status("updated", &objects, &[]);
    let expected = "\
= Control Plane =
Update to 4.20.2 successfully completed at 2026-01-01T11:10:29Z (duration: 1h10m)

All control plane nodes successfully updated to 4.20.2

= Worker Upgrade =
";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn operators_that_are_unwell_for_long() {
    let mut objects = in_progress();
    objects[3] =
        operator("network", "4.20.1", [("False", "09:30"), ("False", "09:58"), ("False", "09:00")]);
    objects[4] =
        operator("storage", "4.20.1", [("False", "09:30"), ("True", "09:00"), ("True", "09:20")]);
    let shown = status("unwell", &objects, &[]);
    assert!(
        shown.contains("Operator Health: 2 Healthy, 1 Unavailable, 1 Available but degraded\n"),
        "{shown}"
    );
    let issues = "\
= Update Health =
SINCE   LEVEL     IMPACT             MESSAGE
48m     Error     API Availability   Cluster Operator storage is degraded (DegradedReason)
10m     Warning   API Availability   Cluster Operator network is unavailable (AvailableReason)

Run with --details=health for additional description and links to related online documentation
";
    assert!(shown.ends_with(issues), "{shown}");
    let details = status("unwell", &objects, &["--details", "health"]);
    let issue = "
Message: Cluster Operator network is unavailable (AvailableReason)
  Since:       10m
  Level:       Warning
  Impact:      API Availability
  Reference:   https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDown.md
  Resources:
    clusteroperators.config.openshift.io: network
  Description: network says:
               , Available.
";
    assert!(details.ends_with(issue), "{details}");
    let late = status_at("unwell-late", &objects, "12:30:00", &[]).out;
    assert!(late.contains("Assessment:      Stalled\n"), "{late}");
    assert!(
        late.contains("Duration:        2h30m (Est. Time Remaining: N/A; estimate duration was "),
        "{late}"
    );
}

#[test]
fn a_pool_that_is_paused() {
    let mut objects = in_progress();
    objects[6] = pool("worker", true);
    objects[8] = node("worker-a", "worker", (1, 1), "Done");
    let shown = status("paused", &objects, &[]);
    let row = "worker        Excluded     0% (0/2)     2 Available, 0 Progressing, 0 Draining, 2 Excluded\n";
    assert!(shown.contains(row), "{shown}");
    assert!(shown.contains("worker-a   Excluded     Paused   4.20.1    -     \n"), "{shown}");
    let issue = "-       Warning   Update Stalled   Outdated nodes in a paused pool 'worker' will not be updated\n";
    assert!(shown.contains(issue), "{shown}");
}

#[test]
fn nodes_that_are_not_available_or_degraded() {
    let mut objects = in_progress();
    let mut not_ready = node("worker-b", "worker", (1, 1), "Done");
    not_ready["status"]["conditions"] = json!([{"type": "Ready", "status": "Unknown", "message": "worker-b is \"silent\"", "lastTransitionTime": "2026-01-01T09:50:00Z"}]);
    not_ready["spec"]["unschedulable"] = true.into();
    objects[9] = not_ready;
    let mut degraded = node("worker-c", "worker", (1, 2), "Degraded");
    degraded["metadata"]["annotations"]["machineconfiguration.openshift.io/reason"] =
        "cannot drain worker-c".into();
    objects.push(degraded);
    let shown = status("nodes", &objects, &["--details=health"]);
    let nodes = "
NAME       ASSESSMENT    PHASE      VERSION   EST   MESSAGE
worker-c   Degraded      Updating   4.20.1    ?     cannot drain <node>
worker-b   Unavailable   Pending    4.20.1    ?     Not ready | Node is marked unschedulable
worker-a   Progressing   Updating   4.20.1    +5m   
";
    assert!(shown.contains(nodes), "{shown}");
    assert!(shown.contains("worker        Degraded     0% (0/3)     1 Available, 1 Progressing, 0 Draining, 1 Degraded\n"), "{shown}");
    let first = "\
= Update Health =
Message: Node worker-c is degraded
  Since:       -
  Level:       Error
  Impact:      Update Stalled
";
    assert!(shown.contains(first), "{shown}");
    let second =
        "Message: Node worker-b is not ready | Node is marked unschedulable\n  Since:       18m\n";
    assert!(shown.contains(second), "{shown}");
    let description = "  Description: Node has a Ready!=True condition with Reason \"Not ready\" and message \"worker-b is \\\"silent\\\"\" | Node is marked unschedulable\n";
    assert!(shown.ends_with(description), "{shown}");
}

#[test]
fn a_node_is_drained_before_it_is_updated_and_rebooted() {
    let mut objects = in_progress();
    let mut draining = node("worker-b", "worker", (1, 2), "Working");
    let annotations = &mut draining["metadata"]["annotations"];
    annotations["machineconfiguration.openshift.io/desiredDrain"] = "drain-worker-2".into();
    annotations["machineconfiguration.openshift.io/lastAppliedDrain"] = "uncordon-worker-1".into();
    draining["spec"]["unschedulable"] = true.into();
    objects[9] = draining;
    objects.push(node("worker-c", "worker", (1, 2), "Rebooting"));
    let shown = status("draining", &objects, &[]);
    let nodes = "
NAME       ASSESSMENT    PHASE       VERSION   EST    MESSAGE
worker-b   Progressing   Draining    4.20.1    +10m   
worker-a   Progressing   Updating    4.20.1    +5m    
worker-c   Progressing   Rebooting   4.20.1    +5m    
";
    assert!(shown.contains(nodes), "{shown}");
    assert!(shown.ends_with("Update is proceeding well\n"), "{shown}");
}

#[test]
fn many_nodes_are_shown_on_request() {
    let mut objects = in_progress();
    let more = (0..12).map(|at| node(&format!("worker-{at:02}"), "worker", (2, 2), "Done"));
    objects.extend(more);
    let shown = status("many", &objects, &[]);
    let mut end = String::from(
        "...\nOmitted additional 4 Total, 4 Completed, 4 Available, 0 Progressing, 0 Outdated, ",
    );
    writeln!(end, "0 Draining, 0 Excluded, and 0 Degraded nodes.\nPass along --details=nodes to see all information.").unwrap();
    assert!(shown.contains(&end), "{shown}");
    let all = status("many", &objects, &["--details=nodes"]);
    assert!(all.contains("worker-11") && !all.contains("Omitted"), "{all}");
}

#[test]
fn alerts_that_began_with_the_update_and_those_that_hold_it_up() {
    let folder = Scratch::new("update-status-alerts");
    let alert = |name: &str, severity: &str, time: &str| json!({"labels": {"alertname": name, "severity": severity, "namespace": "shop"}, "annotations": {"summary": format!("{name} fires."), "message": "Look."}, "state": "firing", "activeAt": format!("2026-01-01T{time}:00Z")});
    let alerts = [
        alert("Old", "critical", "09:00"),
        alert("PodDisruptionBudgetAtLimit", "warning", "09:00"),
        alert("New", "critical", "10:05"),
        alert("Harmless", "info", "10:05"),
    ];
    let alerts = folder
        .write("alerts.json", json!({"status": "success", "data": {"alerts": alerts}}).to_string());
    let arguments = ["--alerts", alerts.to_str().unwrap(), "--", "adm", "upgrade", "status"];
    let run = status_at("alerts", &in_progress(), "10:08:00", &arguments);
    let issues = "\
SINCE   LEVEL      IMPACT    MESSAGE
3m      Critical   Unknown   Alert is firing: New fires.
1h8m    Warning    Unknown   Alert is firing: PodDisruptionBudgetAtLimit fires.
";
    assert!(run.out.contains(issues), "{}", run.out);
    assert_eq!(run.err, "");
    let without = status_at("alerts", &in_progress(), "10:08:00", &[]);
    let note = "exitpath: the files have no alerts: `Update Health` does not say which fire\n";
    assert_eq!(without.err, note);
}

/// The version stays the same. Only the image of the operator tells.
#[test]
fn a_cluster_that_becomes_one_of_several_architectures() {
    let mut objects = in_progress();
    objects[0]["status"]["history"][1]["version"] = "4.20.2".into();
    let mut machine_config = operator(
        "machine-config",
        "4.20.2",
        [("True", "10:02"), ("True", "09:00"), ("False", "09:00")],
    );
    let image = json!({"name": "operator-image", "version": "image/mco@sha256:1"});
    machine_config["status"]["versions"].as_array_mut().unwrap().push(image);
    objects.push(machine_config);
    let without = status_at("multi", &objects, "10:08:00", &[]);
    assert!(without.err.contains("no Deployment `machine-config-operator`"), "{}", without.err);
    assert!(without.out.contains("Completion:      40% "), "{}", without.out);
    let container = json!({"name": "machine-config-operator", "image": "image/mco@sha256:2"});
    objects.push(json!({"kind": "Deployment", "metadata": {"name": "machine-config-operator", "namespace": "openshift-machine-config-operator"}, "spec": {"template": {"spec": {"containers": [container]}}}}));
    let shown = status("multi", &objects, &[]);
    assert!(shown.contains("Target Version:  4.20.2 to Multi-Architecture\n"), "{shown}");
    assert!(shown.contains("Completion:      20% "), "{shown}");
    assert!(
        shown.contains("(Est. Time Remaining: N/A for Multi-Architecture Migration)\n"),
        "{shown}"
    );
}

#[test]
fn an_update_before_that_was_not_finished() {
    let mut objects = in_progress();
    objects[0]["status"]["history"][1]["state"] = "Partial".into();
    objects[0]["status"]["conditions"].as_array_mut().unwrap().pop();
    let shown = status("partial", &objects, &[]);
    assert!(shown.contains("Target Version:  4.20.2 (from incomplete 4.20.1)\n"), "{shown}");
    let issues = "\
now     Warning   Update Stalled   Cluster Version version has no Failing condition
8m      Warning   None             Previous update to 4.20.1 never completed, last complete update was 4.20.0
";
    assert!(shown.contains(issues), "{shown}");
}

#[test]
fn without_a_time_it_is_the_newest_of_the_operators() {
    let folder = Scratch::new("update-status-now");
    let list = json!({"apiVersion": "v1", "kind": "List", "items": in_progress()});
    let file = folder.write("objects.json", list.to_string());
    let run = exitpath(["cluster", file.to_str().unwrap(), "--", "adm", "upgrade", "status"]);
    assert!(run.out.contains("\nDuration:        2m (Est. Time Remaining: 58m)\n"), "{}", run.out);
}

#[test]
fn a_must_gather_has_all_of_it() {
    let folder = Scratch::new("update-status-gathered");
    for object in in_progress() {
        let kind = format!("{}s", object["kind"].as_str().unwrap().to_lowercase());
        let (api, name) =
            (object["apiVersion"].as_str().unwrap(), object["metadata"]["name"].as_str().unwrap());
        let group = api.rsplit_once('/').map_or("core", |(group, _)| group);
        let path = format!("gathered/cluster-scoped-resources/{group}/{kind}/{name}.yaml");
        folder.write(&path, serde_yaml::to_string(&object).unwrap());
    }
    let gathered = folder.path().join("gathered");
    let arguments = ["--time", "2026-01-01T10:08:00Z", "--", "adm", "upgrade", "status"];
    let run = exitpath(["cluster", gathered.to_str().unwrap()].iter().chain(&arguments));
    assert_eq!(run.out, status("gathered", &in_progress(), &[]), "{}", run.err);
}

/// The error for these arguments and objects, without its first word.
fn refused(name: &str, objects: &[Json], arguments: &[&str]) -> String {
    let run = status_at(name, objects, "10:08:00", arguments);
    assert_eq!(run.status, 1, "{}", run.out);
    assert_eq!(run.out, "");
    let error = run.err.lines().find_map(|line| line.strip_prefix("error: ")).unwrap();
    error.to_owned()
}

#[test]
fn what_oc_refuses() {
    let objects = in_progress();
    let details =
        "invalid value for --details: some (must be one of none, all, nodes, health, operators)";
    assert_eq!(refused("details", &objects, &["--details=some"]), details);
    let empty =
        "invalid value for --details:  (must be one of none, all, nodes, health, operators)";
    assert_eq!(refused("empty", &objects, &["--details="]), empty);
    assert_eq!(refused("flag", &objects, &["--detail"]), "unknown flag: --detail");
    assert_eq!(refused("words", &objects, &["now"]), "positional arguments given");
    let old = ["--operator", "4.15", "--", "adm", "upgrade", "status"];
    assert_eq!(refused("old", &objects, &old), "unknown command \"status\"");
    let no_operators = "no cluster operator information available - you must be connected to an OpenShift version 4 server";
    assert_eq!(refused("operators", &objects[..1], &[]), no_operators);
    let pools = (0..101).map(|at| pool(&format!("pool-{at}"), false));
    let many: Vec<Json> = objects.iter().cloned().chain(pools).collect();
    assert_eq!(refused("pools", &many, &[]), "there are more than 100 MachineConfigPools");
    let mut silent = objects;
    silent[0]["status"]["conditions"] = json!([]);
    let no_progress =
        "no current Progressing info, see `oc describe clusterversion` for more details.";
    assert_eq!(refused("silent", &silent, &[]), no_progress);
}

#[test]
fn objects_can_say_anything() {
    let mut objects = in_progress();
    objects[0]["status"]["history"][0]["startedTime"] = "9999999999999999999999".into();
    objects[0]["status"]["history"][1]["completionTime"] = "yesterday".into();
    objects[2]["status"]["conditions"][0]["message"] = "\u{1b}[31m\tred\u{0}".into();
    objects[5]["spec"]["nodeSelector"] = "all".into();
    objects[6]["spec"]["nodeSelector"] =
        json!({"matchExpressions": [{"key": 1, "operator": "In"}]});
    objects[7]["metadata"]["annotations"] = json!(["none"]);
    objects[8]["metadata"]["name"] = "n".repeat(100_000).into();
    let run = status_at("odd", &objects, "10:08:00", &["--details=all"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(!run.out.contains(['\u{1b}', '\u{0}']), "{}", run.out);
    let kinds = [
        "ClusterVersion",
        "ClusterOperator",
        "MachineConfigPool",
        "Node",
        "MachineConfig",
        "Deployment",
    ];
    for kind in kinds {
        let bare = json!({"apiVersion": "config.openshift.io/v1", "kind": kind, "metadata": {}});
        let others = in_progress().into_iter().filter(|object| object["kind"] != kind);
        let objects: Vec<Json> = others.chain([bare]).collect();
        let run = status_at(
            "bare",
            &objects,
            "10:08:00",
            &["--operator", "4.20", "--", "adm", "upgrade", "status"],
        );
        assert!(
            run.status < 2 || run.err.contains("cannot use the ClusterVersion"),
            "{kind}: {}",
            run.err
        );
    }
}
