//! What the real machine-config operator did with pools and nodes.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::pools::{
    Cluster, MachineConfigNode, MaxUnavailable, Node, NodeCondition, Pool, PoolCondition, PoolSync,
    Status, Topology, candidates, max_unavailable, nodes_of, status, sync,
};
use serde_json::{Value as Json, json};

use crate::shared::vectors;

/// Compares each case with its answer.
fn compare(test: &str, file: &str, answer: impl Fn(&Json) -> Json) {
    vectors::compare(test, &format!("mco-vectors/{file}"), |case, _| {
        let (ours, theirs) = (answer(case), normal(case["expected"].clone()));
        (ours != theirs).then(|| format!("\n  ours   {ours}\n  theirs {theirs}"))
    });
}

/// Where the real order is random, only the set counts.
fn normal(mut expected: Json) -> Json {
    if let Some(steps) = expected.get_mut("steps") {
        let steps = steps.as_array_mut().unwrap();
        for sync in steps.iter_mut().flat_map(|step| step["syncs"].as_array_mut().unwrap()) {
            *sync = normal(sync.take());
        }
    }
    if expected["chosenOrdered"] == json!(false) {
        let mut chosen: Vec<String> = texts(&expected["chosen"]);
        chosen.sort();
        expected["chosen"] = json!(chosen);
    }
    expected
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(str::to_owned)
}

fn texts(json: &Json) -> Vec<String> {
    json.as_array().into_iter().flatten().filter_map(text).collect()
}

fn map(json: &Json) -> BTreeMap<String, String> {
    let pairs = json.as_object().into_iter().flatten();
    pairs.map(|(key, value)| (key.clone(), text(value).unwrap())).collect()
}

/// A time such as `2026-01-01T01:07:00+01:00` in seconds.
fn seconds(time: &str) -> Option<i64> {
    if time.is_empty() {
        return None;
    }
    let number = |range: std::ops::Range<usize>| time[range].parse::<i64>().unwrap();
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let clock = (number(11..13) * 60 + number(14..16)) * 60 + number(17..19);
    let zone = time[19..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let offset = match zone.as_bytes() {
        [b'Z'] => 0,
        [sign @ (b'+' | b'-'), ..] => {
            let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
            let (hours, minutes) = digits.split_at(2);
            let seconds =
                (hours.parse::<i64>().unwrap() * 60 + minutes.parse::<i64>().unwrap()) * 60;
            if *sign == b'-' { -seconds } else { seconds }
        }
        _ => panic!("{time} has no time zone"),
    };
    Some(days(year, month, day) * 86_400 + clock - offset)
}

/// The days from 1970-01-01 to a day.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let leap_days = (1970..year).filter(|year| is_leap(*year)).count();
    let leap_days = leap_days + usize::from(is_leap(year) && month > 2);
    let months: i64 = lengths.iter().take(usize::try_from(month - 1).unwrap()).sum();
    (year - 1970) * 365 + i64::try_from(leap_days).unwrap() + months + day - 1
}

fn pool(json: &Json) -> Pool {
    let condition = |c: &Json| PoolCondition {
        kind: text(&c["type"]).unwrap(),
        status: text(&c["status"]).unwrap(),
        reason: text(&c["reason"]).unwrap(),
        message: text(&c["message"]).unwrap(),
    };
    Pool {
        name: text(&json["name"]).unwrap(),
        node_selector: map(&json["nodeSelector"]),
        paused: json["paused"] == json!(true),
        max_unavailable: max(&json["maxUnavailable"]),
        target: text(&json["specConfig"]).unwrap(),
        completed: text(&json["statusConfig"]).unwrap(),
        conditions: json["conditions"].as_array().into_iter().flatten().map(condition).collect(),
        ..Pool::default()
    }
}

fn max(json: &Json) -> Option<MaxUnavailable> {
    match json {
        Json::Null => None,
        Json::Number(number) => Some(MaxUnavailable::Number(number.as_i64().unwrap())),
        other => Some(MaxUnavailable::Text(text(other).unwrap())),
    }
}

fn node(json: &Json) -> Node {
    let condition = |c: &Json| NodeCondition {
        kind: text(&c["type"]).unwrap(),
        status: text(&c["status"]).unwrap(),
        message: text(&c["message"]).unwrap_or_default(),
    };
    let object = json["machineConfigNode"].as_array().map(|conditions| MachineConfigNode {
        conditions: conditions.iter().map(condition).collect(),
        desired_config: text(&json["machineConfigNodeDesired"]),
    });
    Node {
        name: text(&json["name"]).unwrap(),
        labels: map(&json["labels"]),
        created: seconds(json["created"].as_str().unwrap()),
        unschedulable: json["unschedulable"] == json!(true),
        conditions: map(&json["conditions"]),
        has_update_taint: json["updateInProgressTaint"] == json!(true),
        current_config: text(&json["currentConfig"]),
        desired_config: text(&json["desiredConfig"]),
        state: text(&json["state"]),
        reason: text(&json["reason"]),
        current_image: text(&json["currentImage"]),
        desired_image: text(&json["desiredImage"]),
        machine_config_node: object,
    }
}

fn cluster(input: &Json) -> Cluster {
    Cluster {
        topology: match input["controlPlaneTopology"].as_str() {
            Some("HighlyAvailableArbiter") => Topology::Arbiter,
            _ => Topology::Other,
        },
        pools: input["pools"].as_array().unwrap().iter().map(pool).collect(),
        nodes: input["nodes"].as_array().unwrap().iter().map(node).collect(),
        operator_node: text(&input["operatorNode"]),
        feature_gates: texts(&input["featureGates"]).into_iter().collect::<BTreeSet<_>>(),
    }
}

fn names<'n>(nodes: impl IntoIterator<Item = &'n &'n Node>) -> Vec<String> {
    nodes.into_iter().map(|node| node.name.clone()).collect()
}

/// The fields of a sync that all files have.
fn fields(sync: &PoolSync) -> Json {
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    let chosen: Vec<String> = sync.chosen.iter().map(|choice| choice.node.clone()).collect();
    json!({
        "chosen": if sync.is_ordered { chosen } else { sorted(&chosen) },
        "chosenOrdered": sync.is_ordered,
        "taintAdded": sorted(&sync.tainted),
        "taintRemoved": sorted(&sync.untainted),
        "events": sync.events.iter().map(ToString::to_string).collect::<Vec<String>>(),
    })
}

fn unavailable(nodes: &[&Node]) -> Vec<String> {
    names(nodes.iter().filter(|node| node.is_unavailable()))
}

fn status_fields(status: &Status) -> Json {
    let condition = |c: &PoolCondition| {
        (c.kind.clone(), json!({"status": c.status, "reason": c.reason, "message": c.message}))
    };
    json!({
        "machineCount": status.counts.machines,
        "readyMachineCount": status.counts.ready,
        "updatedMachineCount": status.counts.updated,
        "unavailableMachineCount": status.counts.unavailable,
        "degradedMachineCount": status.counts.degraded,
        "statusConfig": status.completed,
        "conditions": status.conditions.iter().map(condition).collect::<serde_json::Map<_, _>>(),
    })
}

#[test]
fn mco_vectors_of_choices() {
    compare("mco_vectors_of_choices", "mco-candidates.jsonl", |case| {
        let cluster = cluster(&case["input"]);
        let pool = cluster.pool(case["input"]["sync"].as_str().unwrap()).unwrap();
        let nodes = nodes_of(&cluster, pool);
        let max = max_unavailable(&pool.name, pool.max_unavailable.as_ref(), nodes.len());
        let able = max.as_ref().ok().map(|max| candidates(pool, &nodes, *max));
        let sync = sync(&cluster, &pool.name);
        let mut ours = fields(&sync);
        ours["nodesInPool"] = json!(names(&nodes));
        ours["maxUnavailable"] = json!(max.as_ref().ok());
        ours["maxUnavailableError"] = json!(max.as_ref().err().map(ToString::to_string));
        ours["unavailable"] = json!(unavailable(&nodes));
        ours["candidates"] = json!(able.as_ref().map(|able| names(&able.nodes)));
        ours["capacity"] = json!(able.as_ref().map(|able| able.capacity));
        ours["syncError"] = json!(sync.error.as_ref().map(ToString::to_string));
        ours
    });
}

/// Two control plane nodes and an arbiter, whose pools are to get `new`. `masters` and `arbiters`
/// are their pools, without names; `is_away`: a control plane node is cordoned.
fn with_arbiter(masters: &Json, arbiters: &Json, on_new: &[&str], is_away: bool) -> Cluster {
    let pool = |name: &str, more: &Json| {
        let mut pool = more.clone();
        pool["name"] = json!(name);
        pool["nodeSelector"] = json!({ format!("node-role.kubernetes.io/{name}"): "" });
        pool["specConfig"] = json!("new");
        pool["statusConfig"] = json!("old");
        pool
    };
    let node = |(name, role): (&str, &str)| {
        let config = if on_new.contains(&name) { "new" } else { "old" };
        json!({
            "name": name,
            "labels": {"kubernetes.io/os": "linux", format!("node-role.kubernetes.io/{role}"): ""},
            "created": "2026-01-01T00:00:00Z",
            "conditions": {"Ready": "True"},
            "unschedulable": is_away && name == "m-1",
            "currentConfig": config,
            "desiredConfig": config,
            "state": "Done",
        })
    };
    let nodes = [("m-1", "master"), ("m-2", "master"), ("a-1", "arbiter"), ("a-2", "arbiter")];
    cluster(&json!({
        "pools": [pool("master", masters), pool("arbiter", arbiters)],
        "controlPlaneTopology": "HighlyAvailableArbiter",
        "nodes": nodes.map(node),
    }))
}

#[test]
fn the_arbiter_goes_on_alone_while_the_control_plane_is_paused() {
    let chosen = |masters: &Json, is_away| {
        let cluster = with_arbiter(masters, &json!({}), &[], is_away);
        fields(&sync(&cluster, "arbiter"))
    };
    let alone = chosen(&json!({"paused": true}), false);
    assert_eq!(alone["chosen"], json!(["a-1"]));
    assert_eq!(alone["taintAdded"], json!(["a-1", "a-2"]));
    assert_eq!(chosen(&json!({"paused": true}), true)["chosen"], json!([]));
    assert_eq!(chosen(&json!({}), false)["chosen"], json!([]), "it waits for the control plane");
}

#[test]
fn the_limit_of_the_control_plane_holds_for_its_arbiter() {
    let chosen = |masters: &Json, arbiters: &Json| {
        let cluster = with_arbiter(masters, arbiters, &["m-1", "m-2"], false);
        fields(&sync(&cluster, "master"))["chosen"].clone()
    };
    let two = json!({"maxUnavailable": 2});
    assert_eq!(chosen(&two, &json!({})), json!(["a-1", "a-2"]));
    assert_eq!(chosen(&json!({}), &two), json!(["a-1"]));
}

#[test]
fn mco_vectors_of_statuses() {
    compare("mco_vectors_of_statuses", "mco-status.jsonl", |case| {
        let cluster = cluster(&case["input"]);
        let pool = cluster.pool(case["input"]["sync"].as_str().unwrap()).unwrap();
        let sync = sync(&cluster, &pool.name);
        let written = sync.statuses.iter().find(|written| written.pool == pool.name).unwrap();
        let mut ours = status_fields(&written.status);
        ours["statusWritten"] = json!(written.is_new);
        ours["events"] = fields(&sync)["events"].take();
        ours["syncError"] = json!(sync.error.as_ref().map(ToString::to_string));
        // Whether the order of nodes matters is about the real program, and not an answer of it.
        ours["dependsOnNodeOrder"] = case["expected"]["dependsOnNodeOrder"].clone();
        ours
    });
}

#[test]
fn mco_vectors_of_traces() {
    compare("mco_vectors_of_traces", "mco-trace.jsonl", |case| {
        let mut cluster = cluster(&case["input"]);
        let synced = case["input"]["sync"].as_str().unwrap();
        let mut steps = vec![json!({"event": "start", "syncs": look(&mut cluster, synced)})];
        let expected = case["expected"]["steps"].as_array().unwrap().iter().skip(1);
        for (step, expected) in case["input"]["steps"].as_array().unwrap().iter().zip(expected) {
            happen(&mut cluster, step);
            // The name of an event is the recorder's, and says what the input says.
            let event = &expected["event"];
            assert!(event.as_str().unwrap().starts_with(step["do"].as_str().unwrap()), "{event}");
            steps.push(json!({"event": event, "syncs": look(&mut cluster, synced)}));
        }
        json!({ "steps": steps })
    });
}

/// Syncs, and writes what the sync wrote.
fn look(cluster: &mut Cluster, synced: &str) -> Vec<Json> {
    let all: Vec<String> = cluster.pools.iter().map(|pool| pool.name.clone()).collect();
    let pools = if synced == "*" { all } else { vec![synced.to_owned()] };
    pools.iter().map(|name| look_at(cluster, name)).collect()
}

fn look_at(cluster: &mut Cluster, name: &str) -> Json {
    let pool = cluster.pool(name).unwrap();
    let nodes = nodes_of(cluster, pool);
    let max = max_unavailable(&pool.name, pool.max_unavailable.as_ref(), nodes.len());
    let capacity = max.as_ref().ok().map(|max| candidates(pool, &nodes, *max).capacity);
    let before = unavailable(&nodes);
    let sync = sync(cluster, name);
    write(&sync, cluster);
    let pool = cluster.pool(name).unwrap();
    let nodes = nodes_of(cluster, pool);
    let mut ours = fields(&sync);
    ours["pool"] = json!(name);
    ours["maxUnavailable"] = json!(max.unwrap_or(0));
    ours["capacity"] = json!(capacity);
    ours["unavailableBefore"] = json!(before);
    ours["unavailableAfter"] = json!(unavailable(&nodes));
    ours["error"] = json!(sync.error.as_ref().map(ToString::to_string));
    ours["statusAfter"] = status_fields(&status(pool, &nodes, false));
    ours
}

/// Something happens in the cluster.
fn happen(cluster: &mut Cluster, step: &Json) {
    let value = text(&step["value"]);
    if let Some(name) = text(&step["pool"]) {
        let pool = cluster.pools.iter_mut().find(|pool| pool.name == name).unwrap();
        match step["do"].as_str().unwrap() {
            "target" => pool.target = value.unwrap(),
            "pause" => pool.paused = true,
            "unpause" => pool.paused = false,
            "maxUnavailable" => pool.max_unavailable = max(&step["maxUnavailable"]),
            other => panic!("{other}"),
        }
        return;
    }
    match step["do"].as_str().unwrap() {
        "addNode" => cluster.nodes.push(node(&step["add"])),
        "removeNode" => {
            cluster.nodes.retain(|node| Some(&node.name) != text(&step["node"]).as_ref());
        }
        "operatorNode" => cluster.operator_node = value,
        deed => {
            let name = step["node"].as_str().unwrap();
            let node = cluster.nodes.iter_mut().find(|node| node.name == name).unwrap();
            happen_to(node, deed, value);
        }
    }
}

fn happen_to(node: &mut Node, deed: &str, value: Option<String>) {
    match deed {
        "working" => (node.state, node.unschedulable) = (Some("Working".to_owned()), true),
        "rebooting" => {
            node.state = Some("Rebooting".to_owned());
            node.conditions.insert("Ready".to_owned(), "Unknown".to_owned());
        }
        // It was not told to change. One that gave up and was told to go back is not done.
        "done" if node.is_done() => {}
        "done" => {
            node.current_config.clone_from(&node.desired_config);
            (node.state, node.unschedulable) = (Some("Done".to_owned()), false);
            node.conditions.insert("Ready".to_owned(), "True".to_owned());
            node.reason = None;
            report(node, "False", "");
        }
        "degraded" | "unreconcilable" => {
            let state = if deed == "degraded" { "Degraded" } else { "Unreconcilable" };
            (node.state, node.unschedulable) = (Some(state.to_owned()), false);
            report(node, "True", value.as_deref().unwrap());
            node.reason = value;
        }
        "cordon" => node.unschedulable = true,
        "uncordon" => node.unschedulable = false,
        "notReady" => drop(node.conditions.insert("Ready".to_owned(), "False".to_owned())),
        "ready" => drop(node.conditions.insert("Ready".to_owned(), "True".to_owned())),
        "label" => drop(node.labels.insert(value.unwrap(), String::new())),
        other => panic!("{other}"),
    }
}

fn report(node: &mut Node, status: &str, message: &str) {
    let Some(object) = &mut node.machine_config_node else { return };
    object.conditions.retain(|condition| condition.kind != "NodeDegraded");
    object.conditions.push(NodeCondition {
        kind: "NodeDegraded".to_owned(),
        status: status.to_owned(),
        message: message.to_owned(),
    });
}

/// Writes what a look at the pools decided.
pub(crate) fn write(look: &PoolSync, cluster: &mut Cluster) {
    for node in &mut cluster.nodes {
        if let Some(choice) = look.chosen.iter().find(|choice| choice.node == node.name) {
            node.desired_config = Some(choice.config.clone());
            node.desired_image = None;
        }
        node.has_update_taint |= look.tainted.contains(&node.name);
        node.has_update_taint &= !look.untainted.contains(&node.name);
    }
    for written in &look.statuses {
        for pool in cluster.pools.iter_mut().filter(|pool| pool.name == written.pool) {
            pool.counts = written.status.counts;
            pool.completed.clone_from(&written.status.completed);
            pool.conditions.clone_from(&written.status.conditions);
        }
    }
}
