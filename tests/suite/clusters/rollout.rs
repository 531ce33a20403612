//! `rollout`, and `path --rollout`: what people and programs read.

use std::fs;
use std::path::Path;

use exitpath::testing::schema::{self, Schema};
use serde_json::Value;

use crate::{Run, Scratch, exitpath, golden};

const PAYLOAD: &str = "fixtures/rollout/payload";
const CLUSTER: &str = "fixtures/rollout/cluster.yaml";
const NODES: &str = "fixtures/rollout/nodes.yaml";

fn rollout(arguments: &[&str]) -> Run {
    exitpath(["rollout"].iter().chain(arguments))
}

/// The JSON of a command, which its schema describes.
fn json(arguments: &[&str], schema: &Schema) -> Value {
    let run = rollout(&[arguments, &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let faults: Vec<String> =
        schema.validator().iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}\n{}", run.out);
    json
}

fn refusal(arguments: &[&str]) -> String {
    let run = rollout(arguments);
    assert_eq!((run.status, run.out.as_str()), (2, ""), "{arguments:?}");
    run.err.lines().next().unwrap_or_default().replace("exitpath: ", "")
}

#[test]
fn a_payload_is_shown_step_by_step() {
    let run = rollout(&["payload", PAYLOAD]);
    assert_eq!(run.status, 0, "{}", run.err);
    golden("fixtures/rollout/payload.txt", &run.out);
    let json = json(&["payload", PAYLOAD], &schema::ROLLOUT_PAYLOAD);
    let components = |step: usize| {
        let components = json["steps"][step].as_array().unwrap().iter();
        components.map(|one| one["component"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Levels with one component each are one step, and components of one level are side by side.
    assert_eq!(components(0), ["cluster-version-operator", "config-operator"]);
    assert_eq!(components(1), ["etcd-operator", "kube-apiserver-operator"]);
}

#[test]
fn each_problem_of_a_payload_is_reported_once_at_its_place() {
    let run = rollout(&["payload", "fixtures/rollout/broken"]);
    assert_eq!(run.status, 1, "{}", run.err);
    golden("fixtures/rollout/broken.txt", &run.out);
    let json = json(&["payload", "fixtures/rollout/broken"], &schema::ROLLOUT_PAYLOAD);
    let names: Vec<&str> =
        json["problems"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "early-resource",
            "cut-component",
            "cut-component",
            "early-resource",
            "operator-without-versions",
            "repeated-manifest",
            "unreadable-manifest",
            "unreadable-manifest",
            "unplaced-manifest",
            "two-versions",
            "level-without-operator",
        ]
    );
    let warnings = rollout(&["payload", PAYLOAD, "--fail-on", "info"]);
    assert_eq!(warnings.status, 1);
}

#[test]
fn a_definition_that_the_older_payload_has_is_not_missing() {
    let scratch = Scratch::new("early-resource");
    let write = |folder: &str, files: &[&str]| {
        let to = scratch.path().join(folder);
        fs::create_dir_all(&to).unwrap();
        for file in files {
            fs::copy(format!("fixtures/rollout/broken/{file}"), to.join(file)).unwrap();
        }
        to.display().to_string()
    };
    let resource = "0000_10_widget-operator_01_widget.cr.yaml";
    let definition = "0000_60_widget-operator_00_widget.crd.yaml";
    let new = write("new", &[resource, definition]);
    let older = write("older", &[definition]);
    let without = write("without", &["0000_50_other-operator_01_gadget.crd.yaml"]);
    let early = |base: &str| -> Option<String> {
        let json = json(&["payload", &new, "--older", base], &schema::ROLLOUT_PAYLOAD);
        let problems = json["problems"].as_array().unwrap();
        let early = problems.iter().find(|problem| problem["name"] == "early-resource");
        early.map(|problem| problem["severity"].as_str().unwrap().to_owned())
    };
    assert_eq!(early(&older), None);
    assert_eq!(early(&without).as_deref(), Some("error"));
}

#[test]
fn two_payloads_are_compared_by_their_objects() {
    let arguments = ["payload", PAYLOAD, "--older", "fixtures/rollout/older"];
    golden("fixtures/rollout/difference.txt", &rollout(&arguments).out);
    let json = json(&arguments, &schema::ROLLOUT_PAYLOAD);
    let names = |key: &str| -> Vec<&str> {
        let manifests = json["difference"][key].as_array().unwrap().iter();
        manifests.map(|manifest| manifest["name"].as_str().unwrap()).collect()
    };
    assert_eq!(names("removed"), ["legacy"]);
    assert_eq!(names("moved"), ["insights"]);
    assert_eq!(json["difference"]["moved"][0]["from"]["level"], "60");
    let same = rollout(&["payload", PAYLOAD, "--older", PAYLOAD]);
    assert!(same.out.ends_with("nothing differs from 4.15.3\n"), "{}", same.out);
}

#[test]
fn a_payload_can_be_drawn() {
    golden("fixtures/rollout/payload.svg", &rollout(&["payload", PAYLOAD, "--format", "svg"]).out);
}

/// A name can have every character that YAML can escape.
#[test]
fn a_drawing_has_no_control_characters() {
    let payload = Scratch::copy_of("hostile-payload", Path::new(PAYLOAD));
    let file = crate::files_below(payload.path()).into_iter().find(|file| {
        file.extension().is_some_and(|end| end == "yaml")
            && fs::read_to_string(file).unwrap().contains("kind: ClusterOperator\n")
    });
    let file = file.unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let (before, after) = text.split_once("\n  name: ").unwrap();
    let rest = after.split_once('\n').unwrap().1;
    let hostile = format!("{before}\n  name: \"h\\0\\n\\e[31m\"\n{rest}");
    fs::write(&file, hostile).unwrap();
    let svg = rollout(&["payload", payload.path().to_str().unwrap(), "--format", "svg"]).out;
    assert!(svg.contains("h\\u{0}"), "{svg}");
    assert!(!svg.chars().any(|c| c.is_control() && c != '\n'), "{svg}");
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn other_clusters_apply_other_manifests() {
    let hosted =
        json(&["payload", PAYLOAD, "--profile", "ibm-cloud-managed"], &schema::ROLLOUT_PAYLOAD);
    assert_eq!(hosted["steps"][0][0]["manifests"][0]["name"], "hosted");
    assert_eq!(hosted["omitted"], 17);
    assert_eq!(
        refusal(&["payload", PAYLOAD, "--profile", "edge"]),
        "fixtures/rollout/payload is not a payload: no manifest is for the profile `edge` and the \
         feature set `Default`; its profiles are `ibm-cloud-managed` and \
         `self-managed-high-availability`"
    );
}

#[test]
fn the_status_says_which_level_waits_for_what() {
    let run = rollout(&["status", CLUSTER, NODES, "--payload", PAYLOAD]);
    assert_eq!(run.status, 1, "{}", run.err);
    golden("fixtures/rollout/status.txt", &run.out);
    let json = json(&["status", CLUSTER, NODES, "--payload", PAYLOAD], &schema::ROLLOUT_STATUS);
    assert_eq!(json["waits_for"][0]["cluster_operator"], "kube-apiserver");
    assert_eq!(json["waits_for"][0]["level"], "20");
    assert_eq!(json["waits_for"][0]["why"], "versions-not-reached");
    assert_eq!(json["pools"][1]["next"][0], "worker-4");
}

#[test]
fn any_part_of_the_objects_is_enough() {
    golden("fixtures/rollout/operators.txt", &rollout(&["status", CLUSTER]).out);
    golden("fixtures/rollout/nodes.txt", &rollout(&["status", NODES]).out);
    json(&["status", CLUSTER], &schema::ROLLOUT_STATUS);
    json(&["status", NODES], &schema::ROLLOUT_STATUS);
}

/// A ClusterVersion alone does not tell what holds the update, and silence would be a good sign.
#[test]
fn the_cluster_version_alone_is_told_and_what_is_missing() {
    let scratch = Scratch::new("alone");
    let file = scratch.path().join("version.yaml");
    let objects: Value = serde_yaml::from_str(&fs::read_to_string(CLUSTER).unwrap()).unwrap();
    let mut version = objects["items"].as_array().unwrap().iter();
    let mut version = version.find(|item| item["kind"] == "ClusterVersion").unwrap().clone();
    version["status"]["conditions"] = serde_json::json!([
        {"type": "Available", "status": "True", "message": "Done applying 4.14.9"},
        {"type": "Failing", "status": "True", "reason": "UpdatePayloadClusterError",
         "message": "Could not update job \"ns/x\""},
        {"type": "Progressing", "status": "True", "message": "Unable to apply 4.15.3"},
    ]);
    fs::write(&file, version.to_string()).unwrap();
    let run = rollout(&["status", &file.display().to_string()]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert_eq!(
        run.out,
        "updating to 4.15.3\n\
         the ClusterVersion says Available=True: Done applying 4.14.9\n\
         the ClusterVersion says Failing=True: UpdatePayloadClusterError: Could not update job \
         \"ns/x\"\n\
         the ClusterVersion says Progressing=True: Unable to apply 4.15.3\n\
         note: the files have no ClusterOperator, MachineConfigPool, or Node: `oc get \
         clusterversion,clusteroperators,mcp,nodes -o yaml` has them all\n"
    );
    let json = json(&["status", &file.display().to_string()], &schema::ROLLOUT_STATUS);
    assert_eq!(json["missing"][0], "ClusterOperator");
    assert_eq!(json["cluster_version"][1]["reason"], "UpdatePayloadClusterError");
}

/// The objects of the fixture, with another status of one ClusterOperator.
fn with_operator(edit: impl Fn(&mut Value)) -> (Scratch, String) {
    let json = serde_yaml::from_str::<Value>(&fs::read_to_string(CLUSTER).unwrap());
    let mut json = json.unwrap();
    let items = json["items"].as_array_mut().unwrap();
    edit(items.iter_mut().find(|item| item["metadata"]["name"] == "kube-apiserver").unwrap());
    let scratch = Scratch::new("operators");
    let file = scratch.path().join("cluster.json");
    fs::write(&file, json.to_string()).unwrap();
    let file = file.display().to_string();
    (scratch, file)
}

#[test]
fn progressing_is_not_looked_at_but_the_other_gates_are() {
    let waits = |edit: &dyn Fn(&mut Value)| -> Option<String> {
        let (_scratch, file) = with_operator(|operator| {
            operator["status"]["versions"][1]["version"] = "1.28.3".into();
            edit(operator);
        });
        let json = json(&["status", &file, "--payload", PAYLOAD], &schema::ROLLOUT_STATUS);
        let first = json["waits_for"].as_array().unwrap().first();
        let held = first.filter(|held| held["cluster_operator"] == "kube-apiserver");
        held.map(|held| held["why"].as_str().unwrap().to_owned())
    };
    let set = |at: usize, status: &'static str| {
        move |operator: &mut Value| operator["status"]["conditions"][at]["status"] = status.into()
    };
    assert_eq!(waits(&set(2, "True")), None);
    assert_eq!(waits(&set(0, "Unknown")).as_deref(), Some("not-available"));
    assert_eq!(waits(&set(1, "True")).as_deref(), Some("degraded"));
    let without_degraded = |operator: &mut Value| {
        operator["status"]["conditions"].as_array_mut().unwrap().remove(1);
    };
    assert_eq!(waits(&without_degraded).as_deref(), Some("degraded"));
}

#[test]
fn a_slow_operator_is_said_to_be_slow() {
    let slow = ["status", CLUSTER, "--payload", PAYLOAD, "--waited", "kube-apiserver=31m"];
    let out = rollout(&slow).out;
    let line = "Failing=Unknown: SlowClusterOperator: waiting on kube-apiserver over 30 minutes \
                which is longer than expected";
    assert!(out.contains(line), "{out}");
}

const FIVE_NODES: &[&str] = &[
    "pool",
    "--nodes",
    "5",
    "--max-unavailable",
    "3",
    "--drain",
    "10m",
    "--drain",
    "node-1=8m",
    "--drain",
    "node-2=4m",
    "--drain",
    "node-4=25m",
];

/// The example of OpenShift's documentation: the nodes come back in the order 2, 1, 3, 5, 4.
#[test]
fn five_nodes_are_updated_three_at_a_time() {
    golden("fixtures/rollout/five-nodes.txt", &rollout(FIVE_NODES).out);
    let json = json(FIVE_NODES, &schema::ROLLOUT_POOL);
    let events = json["pools"][0]["events"].as_array().unwrap();
    let of = |what: &str| -> Vec<&str> {
        let events = events.iter().filter(|event| event["event"] == what);
        events.map(|event| event["node"].as_str().unwrap()).collect()
    };
    assert_eq!(of("cordoned"), ["node-1", "node-2", "node-3", "node-4", "node-5"]);
    assert_eq!(of("back"), ["node-2", "node-1", "node-3", "node-5", "node-4"]);
}

#[test]
fn the_pools_of_a_cluster_go_on_from_where_they_are() {
    let arguments = ["pool", NODES, "--drain", "2m..8m", "--at", "5m"];
    let run = rollout(&arguments);
    assert_eq!(run.status, 0, "{}", run.err);
    golden("fixtures/rollout/pools.txt", &run.out);
    let json = json(&arguments, &schema::ROLLOUT_POOL);
    assert_eq!(json["pools"][0]["moments"][0]["updated_machine_count"], 1);
    let again = rollout(&arguments);
    assert_eq!(run.out, again.out, "equal seeds give equal times");
}

#[test]
fn a_budget_that_never_yields_stops_the_pool() {
    let arguments = ["pool", "--nodes", "a,b", "--drain", "a=never", "--runs", "10"];
    let run = rollout(&arguments);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("a disruption budget never allows the drain of a"), "{}", run.out);
    let json = json(&arguments, &schema::ROLLOUT_POOL);
    assert_eq!(json["pools"][0]["seconds"], Value::Null);
    assert_eq!(json["pools"][0]["stuck"]["since"], 3_600);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    assert_eq!(
        refusal(&["payload", "fixtures/graph-data"]),
        "fixtures/graph-data is not a payload: it has neither `release-metadata` nor a manifest such \
         as `0000_10_config-operator_01.yaml`"
    );
    assert_eq!(
        refusal(&["pool", "--nodes", "0"]),
        "the pool worker has no nodes, so there is nothing to update"
    );
    assert_eq!(
        refusal(&["pool", "--nodes", "3", "--max-unavailable", "101%"]),
        "maxUnavailable 101% is more than all nodes: use 100% or less"
    );
    assert_eq!(
        refusal(&["pool", "--nodes", "3", "--pool", "master", "--max-unavailable", "3"]),
        "maxUnavailable lets 3 of 3 control-plane nodes be away at once, and etcd loses its quorum \
         with fewer than 2: use 1 or less"
    );
    assert_eq!(
        refusal(&["pool", "--nodes", "a,b", "--drain", "a=after:b", "--drain", "b=after:a"]),
        "no drain of these nodes can end, because they wait in a circle: a waits for b, which waits \
         for a"
    );
    assert_eq!(
        refusal(&["status", "fixtures/rollout/payload/release-metadata"]),
        "there is no ClusterVersion, ClusterOperator, MachineConfigPool, or Node"
    );
    let scratch = Scratch::new("two-pools");
    let file = scratch.path().join("nodes.yaml");
    let text = fs::read_to_string(NODES).unwrap();
    let custom = |name: &str| {
        format!(
            "---\nkind: MachineConfigPool\napiVersion: machineconfiguration.openshift.io/v1\nmetadata: {{name: {name}}}\nspec: {{nodeSelector: {{matchLabels: {{kubernetes.io/os: linux}}}}}}\n"
        )
    };
    fs::write(&file, format!("{text}{}{}", custom("infra"), custom("logs"))).unwrap();
    assert_eq!(
        refusal(&["pool", &file.display().to_string()]),
        "the node `master-0` is in two pools, `infra` and `logs`, so the operator leaves it alone"
    );
}

fn path(arguments: &[&str]) -> Run {
    let graph = ["--graph", "fixtures/graphs/extended-support.json", "-q"];
    exitpath(["path", "4.14.5", "4.16.2", "--rollout"].iter().chain(arguments).chain(&graph))
}

#[test]
fn a_path_is_played_through() {
    golden("fixtures/rollout/path.txt", &path(&["--pause-workers", "--workers", "5"]).out);
}

#[test]
fn paused_workers_reboot_once_for_two_hops() {
    let json = |arguments: &[&str]| -> Value {
        let run = path(&[arguments, &["--format", "json"]].concat());
        let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        assert!(schema::PATH.validator().is_valid(&json), "{json}");
        json["rollout"].clone()
    };
    let usual = ["--workers", "4", "--manifests", "90m", "--drain", "5m", "--reboot", "5m"];
    // 90 minutes, then 3 nodes of the control plane beside 4 workers, one at a time; twice.
    let open = json(&usual);
    assert_eq!(open["seconds"], 2 * (90 + 40) * 60);
    assert_eq!(open["reboots"]["workers"], 8);
    assert_eq!(open["percentiles"], Value::Null);
    // The control plane twice, and then the workers.
    let paused = json(&[&usual[..], &["--pause-workers"]].concat());
    assert_eq!(paused["seconds"], (2 * (90 + 30) + 40) * 60);
    assert_eq!(paused["reboots"]["workers"], 4);
    assert_eq!(paused["reboots"]["control_plane"], 6);
    assert_eq!(paused["hops"][0]["workers"], Value::Null);
}

/// Kubelets can be two minor versions older than an even one, and one older than an odd one.
#[test]
fn pauses_end_at_each_even_minor_version() {
    let played = |from: &str, to: &str| {
        let graph = ["--graph", "fixtures/graphs/extended-support.json", "-q"];
        let rollout = ["--rollout", "--pause-workers", "--workers", "2"];
        let json = ["--format", "json"];
        let ends = ["path", from, to];
        let run = exitpath(ends.iter().chain(&rollout).chain(&graph).chain(&json));
        let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let hops = json["rollout"]["hops"].as_array().unwrap().clone();
        let human = exitpath(ends.iter().chain(&rollout).chain(&graph)).out;
        (hops.iter().map(|hop| !hop["workers"].is_null()).collect::<Vec<_>>(), human)
    };
    let (updates, human) = played("4.14.5", "4.18.1");
    assert_eq!(updates, [false, true, false, true]);
    let words = "the workers are updated at 4.16.2: 4.17 works only with kubelets that are at most 1 \
                 minor version older\n";
    assert!(human.contains(words), "{human}");
    let (updates, human) = played("4.15.3", "4.17.4");
    assert_eq!(updates, [true, true], "{human}");
}

/// The nodes of the fixture, with changes.
fn with_nodes(edit: impl Fn(&mut Vec<Value>)) -> (Scratch, String) {
    let json = serde_yaml::from_str::<Value>(&fs::read_to_string(NODES).unwrap());
    let mut json = json.unwrap();
    edit(json["items"].as_array_mut().unwrap());
    let scratch = Scratch::new("nodes");
    let file = scratch.write("nodes.json", json.to_string()).display().to_string();
    (scratch, file)
}

fn find<'i>(items: &'i mut [Value], name: &str) -> &'i mut Value {
    items.iter_mut().find(|item| item["metadata"]["name"] == name).unwrap()
}

const STATE: &str = "machineconfiguration.openshift.io/state";
const DESIRED: &str = "machineconfiguration.openshift.io/desiredConfig";

#[test]
fn a_failing_node_does_not_recover_by_itself() {
    let (_scratch, file) = with_nodes(|items| {
        let node = find(items, "worker-3");
        node["metadata"]["annotations"][STATE] = "Degraded".into();
        node["spec"]["unschedulable"] = false.into();
    });
    let run = rollout(&["pool", &file, "--pool", "worker"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("the update of worker-3 fails already"), "{}", run.out);
    let status = rollout(&["status", &file]).out;
    assert!(status.contains("worker-3 fails"), "{status}");
    assert!(
        status.contains("it is degraded, so the update of the cluster does not end"),
        "{status}"
    );
}

#[test]
fn a_node_that_was_told_an_older_config_can_be_chosen() {
    let (_scratch, file) = with_nodes(|items| {
        find(items, "worker-4")["metadata"]["annotations"][DESIRED] = "rendered-worker-0".into();
    });
    let json = json(&["pool", &file, "--pool", "worker"], &schema::ROLLOUT_POOL);
    assert_eq!(json["pools"][0]["stuck"], Value::Null);
    let events = json["pools"][0]["events"].as_array().unwrap();
    let chosen = events.iter().find(|event| event["node"] == "worker-4").unwrap();
    // The two nodes that have begun and this one take all slots.
    assert_eq!(chosen["time"], 600);
}

#[test]
fn a_paused_control_plane_holds_the_update() {
    let (_scratch, file) = with_nodes(|items| {
        items.retain(|item| item["kind"] == "MachineConfigPool" || item["kind"] == "Node");
        find(items, "master")["spec"]["paused"] = true.into();
        find(items, "worker")["spec"]["paused"] = true.into();
    });
    let run = rollout(&["status", &file]);
    assert_eq!(run.status, 1);
    assert!(
        run.out.contains("it is paused, so the update of the cluster does not end"),
        "{}",
        run.out
    );
    assert_eq!(refusal(&["pool", &file]), "no node is updated: `master` and `worker` are paused");
}

#[test]
fn a_control_plane_with_an_arbiter_is_not_simulated() {
    let (_scratch, file) = with_nodes(|items| {
        items.push(serde_json::json!({
            "kind": "Infrastructure", "metadata": {"name": "cluster"},
            "status": {"controlPlaneTopology": "HighlyAvailableArbiter"},
        }));
    });
    assert_eq!(
        refusal(&["pool", &file]),
        "the control plane has an arbiter, and waits for it: such an update is not simulated"
    );
    assert_eq!(rollout(&["pool", &file, "--pool", "worker"]).status, 0);
}

#[test]
fn the_status_says_that_another_version_is_applied() {
    let run = rollout(&["status", CLUSTER, "--payload", "fixtures/rollout/older"]);
    assert!(
        run.out.contains("warning: the cluster applies 4.15.3, and nothing of 4.14.9"),
        "{}",
        run.out
    );
}
