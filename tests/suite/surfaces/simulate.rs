//! `exitpath simulate`.

use std::fs;

use serde_json::{Value, json};

use crate::{Run, Scratch, exitpath};

use super::certificate::certify;

const RELEASES: &str = "fixtures/graphs/releases.json";

const BEFORE_THE_FIX: &str = "fixtures/graphs/before-the-fix.json";

fn simulate(arguments: &[&str]) -> Run {
    let head = ["simulate", "fixtures/graph-data", "--releases", RELEASES, "--supported", "*"];
    exitpath(head.into_iter().chain(arguments.iter().copied()))
}

fn before_the_fix(arguments: &[&str]) -> Run {
    let head = ["simulate", "--graph", BEFORE_THE_FIX];
    exitpath(head.into_iter().chain(arguments.iter().copied()))
}

#[test]
fn a_release_stranded_by_a_risk_is_reported_with_the_risk() {
    let run = before_the_fix(&[]);
    assert_eq!(run.status, 0, "some clusters escape: {}", run.out);
    let verdict = "⚠ with every conditional update removed, 3 releases stranded in 1 channel\n";
    assert!(run.out.starts_with(verdict), "{}", run.out);
    let stranded =
        "4.13.8 and 4.13.9 cannot reach 4.14\n      stranded by VSphereNodesLoseTheirNames\n";
    assert!(run.out.contains(stranded), "{}", run.out);
    assert_eq!(before_the_fix(&["--fail-on", "warning"]).status, 1);
    let run = before_the_fix(&["--keep", "VSphereNodesLoseTheirNames"]);
    assert_eq!(
        run.out.lines().next(),
        Some(
            "✓ with every conditional update removed except those of the kept risks, every supported release has an exit path"
        )
    );
    let run = simulate(&[]);
    assert!(run.out.starts_with("✓ "), "the fix is a way out: {}", run.out);
}

#[test]
fn the_json_follows_its_schema() {
    let run = before_the_fix(&["--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(exitpath::testing::schema::SIMULATION.validator().is_valid(&report), "{}", run.out);
    let channel = &report["channels"][0];
    assert_eq!(channel["channel"], "stable-4.14");
    assert_eq!(channel["arches"], json!(["amd64"]));
    assert_eq!(
        channel["stranded"][0],
        json!({"version": "4.13.8", "goal": "minor", "cause": "risks", "certain": true,
               "all_clusters": false,
               "risks": ["VSphereNodesLoseTheirNames"], "unblocked_by": ["VSphereNodesLoseTheirNames"],
               "stranding_sets": [["VSphereNodesLoseTheirNames"]],
               "always_sets": [], "contradictory_sets": [], "not_stranded_in": [],
               "exits": [{"to": "4.14.2", "risks": ["VSphereNodesLoseTheirNames"]},
                         {"to": "4.14.1", "risks": ["VSphereNodesLoseTheirNames"]}],
               "nearest_exits": channel["stranded"][0]["nearest_exits"]})
    );
    assert_eq!(
        channel["stranded"][0]["nearest_exits"][0],
        json!({"from": "4.13.8", "to": "4.14.2", "risks": ["VSphereNodesLoseTheirNames"],
               "declared_in": []})
    );
}

#[test]
fn markdown_escapes_names() {
    let node = |version: &str| {
        json!({"version": version, "payload": "p",
        "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.1"}})
    };
    let risk = json!({"url": "https://example.com", "name": "A|</details><script>`", "message": "m",
        "matchingRules": [{"type": "Always"}]});
    let graph = json!({"nodes": [node("4.1.0"), node("4.1.1")], "edges": [],
        "conditionalEdges": [{"edges": [{"from": "4.1.0", "to": "4.1.1"}], "risks": [risk]}]});
    let scratch = Scratch::new("markup");
    let file = scratch.write("graph.json", graph.to_string());
    let run = exitpath(["simulate", "--graph", file.to_str().unwrap(), "--format", "markdown"]);
    assert_eq!(run.status, 1, "no cluster escapes: {}", run.err);
    assert!(run.out.contains(", 1 release stranded in 1 channel\n"), "{}", run.out);
    assert!(run.out.contains("A\\|&lt;/details&gt;&lt;script&gt;&#96;"), "{}", run.out);
}

#[test]
fn unknown_names_are_errors_with_suggestions() {
    for (arguments, words) in [
        (
            &["--channel", "stable-414"][..],
            "there is no channel `stable-414`\n          did you mean `stable-4.14`?",
        ),
        (
            &["--remove", "EtcdSlowstart"],
            "there is no risk `EtcdSlowstart`\n          did you mean `EtcdSlowStart`?",
        ),
        (&["--arch", "x86"], "invalid value 'x86' for '--arch <ARCH>'"),
    ] {
        let run = simulate(arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    let run = exitpath(["simulate", "fixtures/graph-data", "--supported", "new"]);
    assert!(run.err.contains("`new` is not a range of versions"), "{}", run.err);
}

#[test]
fn a_channel_without_a_minor_has_no_minor_goal() {
    let node = |version: &str| {
        json!({"version": version, "payload": "p",
        "metadata": {"io.openshift.upgrades.graph.release.channels": "prerelease"}})
    };
    let graph = json!({"nodes": [node("4.1.0"), node("4.2.0")], "edges": []});
    let scratch = Scratch::new("no-minor");
    let file = scratch.write("graph.json", graph.to_string());
    let run = exitpath([
        "simulate",
        "--graph",
        file.to_str().unwrap(),
        "--channel",
        "prerelease",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let goals: Vec<&str> = report["channels"][0]["stranded"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["goal"].as_str().unwrap())
        .collect();
    assert_eq!(goals, ["any"]);
    assert_eq!(report["channels"][0]["goals"], json!(["any", "patch"]));
    let run = exitpath(["simulate", "--graph", file.to_str().unwrap(), "--channel", "prerelease"]);
    let words = "The goal `minor` is not checked in prerelease: the name contains no minor.";
    assert!(run.out.contains(words), "{}", run.out);
}

/// A graph of 4.1.0, 4.1.1 and 4.1.2 with the given updates.
fn small_graph(edges: &Value, conditional: &Value) -> (Scratch, String) {
    let node = |version: &str| {
        json!({"version": version, "payload": version,
        "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.1"}})
    };
    let nodes = [node("4.1.0"), node("4.1.1"), node("4.1.2")];
    let graph = json!({"nodes": nodes, "edges": edges, "conditionalEdges": conditional});
    let scratch = Scratch::new("small");
    let file = scratch.write("graph.json", graph.to_string());
    (scratch, file.to_str().unwrap().to_owned())
}

fn risk(name: &str, rule: &Value) -> Value {
    json!({"url": "https://example.com", "name": name, "message": "m", "matchingRules": [rule]})
}

fn on(infrastructure: &str) -> Value {
    let query = format!(
        "group by (type) (cluster_infrastructure_provider{{_id=\"\",type=\"{infrastructure}\"}})\n\
         or 0 * group by (type) (cluster_infrastructure_provider{{_id=\"\"}})"
    );
    json!({"type": "PromQL", "promql": {"promql": query}})
}

fn conditional(from: &str, to: &str, risks: &[Value]) -> Value {
    json!({"edges": [{"from": from, "to": to}], "risks": risks})
}

#[test]
fn risks_of_two_infrastructures_never_affect_one_cluster() {
    let groups = json!([
        conditional("4.1.0", "4.1.1", &[risk("OnAws", &on("AWS"))]),
        conditional("4.1.0", "4.1.2", &[risk("OnAzure", &on("Azure"))]),
        conditional("4.1.1", "4.1.2", &[risk("Everywhere", &json!({"type": "Always"}))]),
    ]);
    let (_scratch, file) = small_graph(&json!([]), &groups);
    let run = exitpath(["simulate", "--graph", &file]);
    let words = "4.1.0 has no exit path\n      stranded by OnAws and OnAzure (but no cluster has \
                 both type=\"AWS\" and type=\"Azure\" in cluster_infrastructure_provider)\n";
    assert!(run.out.contains(words), "{}", run.out);
    let words = "4.1.1 has no exit path\n      stranded by Everywhere (affects all clusters)\n";
    assert!(run.out.contains(words), "{}", run.out);
    let run = exitpath(["simulate", "--graph", &file, "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(exitpath::testing::schema::SIMULATION.validator().is_valid(&report), "{}", run.out);
    let stranded = &report["channels"][0]["stranded"];
    assert_eq!(stranded[0]["contradictory_sets"], json!([["OnAws", "OnAzure"]]));
    assert_eq!(stranded[0]["always_sets"], json!([]));
    assert_eq!(stranded[2]["version"], "4.1.1");
    assert_eq!(stranded[2]["always_sets"], json!([["Everywhere"]]));
    let (certificate, run) = certify(&["--graph", &file]);
    let failure = &certificate["channels"][0]["aims"][0]["failures"][0];
    let marked = &failure["impossible"];
    assert_eq!(failure["sets"], json!([["Everywhere", "OnAzure"], ["OnAws", "OnAzure"]]));
    assert_eq!(
        (marked[0]["set"].clone(), marked[1].clone()),
        (json!(["OnAws", "OnAzure"]), Value::Null)
    );
    let words =
        "stranded by OnAws and OnAzure (but no cluster has both type=\"AWS\" and type=\"Azure\"";
    assert!(run.out.contains(words), "{}", run.out);
}

#[test]
fn updates_that_clusters_drop_are_closed_and_reported() {
    let aws = || risk("OnAws", &on("AWS"));
    let unknown = || risk("Unknown", &json!({"type": "Sometimes"}));
    // Conditional in two entries, and unconditional too.
    let (_scratch, file) = small_graph(
        &json!([[0, 2], [1, 2]]),
        &json!([conditional("4.1.0", "4.1.2", &[aws()]), conditional("4.1.0", "4.1.2", &[aws()])]),
    );
    let run = exitpath(["simulate", "--graph", &file, "--keep", "OnAws"]);
    assert!(run.out.contains("4.1.0 → 4.1.2 is conditional under two entries"), "{}", run.out);
    assert!(run.out.contains("✗ 4.1.0 has no exit path"), "{}", run.out);
    assert_eq!(run.status, 1);
    // An entry without a known rule does not count as a second one.
    let (_scratch, file) = small_graph(
        &json!([[1, 2]]),
        &json!([
            conditional("4.1.0", "4.1.2", &[unknown()]),
            conditional("4.1.0", "4.1.2", &[aws()])
        ]),
    );
    let run = exitpath(["simulate", "--graph", &file, "--keep", "OnAws"]);
    assert!(run.out.starts_with('✓'), "{}", run.out);
    // A risk without a rule that clusters know.
    let (_scratch, file) =
        small_graph(&json!([[1, 2]]), &json!([conditional("4.1.0", "4.1.1", &[unknown()])]));
    let run = exitpath(["simulate", "--graph", &file]);
    assert!(
        run.out.contains("4.1.0 → 4.1.1: Unknown has no rule that clusters know"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("4.1.0 has no exit path\n      even with all risks removed"),
        "{}",
        run.out
    );
    // A target that the graph does not have.
    let (_scratch, file) =
        small_graph(&json!([[0, 2], [1, 2]]), &json!([conditional("4.1.0", "4.1.3", &[aws()])]));
    let run = exitpath(["simulate", "--graph", &file]);
    assert!(
        run.out.contains("4.1.0 → 4.1.3: the graph does not contain the target"),
        "{}",
        run.out
    );
    assert!(run.out.contains("4.1.0 has no exit path"), "{}", run.out);
    let run = exitpath(["simulate", "--graph", &file, "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(exitpath::testing::schema::SIMULATION.validator().is_valid(&report), "{}", run.out);
    let dropped = json!([{"from": "4.1.0", "to": "4.1.3", "kind": "no-release"}]);
    assert_eq!(report["channels"][0]["dropped"], dropped);
    let run = exitpath(["simulate", "--graph", &file, "--format", "markdown"]);
    assert!(
        run.out.contains("❌ `stable-4.1`: 4.1.0 → 4.1.3: the graph does not contain"),
        "{}",
        run.out
    );
}

#[test]
fn files_that_close_the_nearest_exit_are_named() {
    let block = ["--channel", "stable-4.14", "--with", "to=4.14.3 from=4[.]1[34][.].*"];
    let run = simulate(&block);
    let words = "nearest exit: 4.14.2 → 4.14.3\n          --with 'to=4.14.3 \
                 from=4[.]1[34][.].*'\n";
    assert!(run.out.contains(words), "{}", run.out);
    let run = simulate(&[&block[..], &["--format", "markdown"]].concat());
    assert!(run.out.contains("`--with 'to=4.14.3 from=4[.]1[34][.].*'`"), "{}", run.out);
    assert!(run.out.contains("-. \"blocked\" .-> t0[\"4.14.3\"]"), "{}", run.out);
}

#[test]
fn the_config_sets_supported_releases_and_the_source_of_updates() {
    let scratch = Scratch::copy_of("supported", "fixtures/graph-data".as_ref());
    scratch.write("releases.json", std::fs::read(RELEASES).unwrap());
    let root = scratch.path().to_str().unwrap().to_owned();
    let checked = |config: &str| {
        scratch.write("exitpath.toml", format!("releases = [\"releases.json\"]\n{config}"));
        let run = exitpath(["simulate", &root, "--format", "json"]);
        let report: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        assert!(run.err.contains("a raw graph"), "{}", run.err);
        let of = |name: &str| {
            let channels = report["channels"].as_array().unwrap();
            channels.iter().find(|c| c["channel"] == name).unwrap()["checked"].as_u64().unwrap()
        };
        (of("fast-4.14"), of("stable-4.14"))
    };
    let (all_fast, all_stable) = checked("[supported]\nrange = \"*\"");
    let (some_fast, some_stable) = checked("[supported]\nrange = \">=4.14\"");
    assert!(0 < some_fast && some_fast < all_fast && 0 < some_stable && some_stable < all_stable);
    let own = "[supported]\nrange = \">=4.14\"\n[supported.channels]\n\"*-4.14\" = { range = \"*\" }\n\
               \"stable-4.14\" = { range = \">=4.14\" }";
    assert_eq!(checked(own), (all_fast, some_stable), "a name goes before a pattern");
    let own = "[supported]\nrange = \">=4.14\"\n[supported.channels]\n\"*\" = { range = \">=4.14\" }\n\
               \"f*-4.14\" = { range = \"*\" }";
    assert_eq!(checked(own), (all_fast, some_stable), "the longest pattern counts");
    let run = exitpath(["simulate", &root, "--explain", "4.13.10"]);
    assert_eq!(
        run.out,
        "4.13.10 is checked in some channels:\n  \
         fast-4.14 (amd64): checked: every release is checked; OK\n  \
         stable-4.14 (amd64): not checked: it is not in the range `>=4.14`\n"
    );
    let run = exitpath(["simulate", &root, "--supported", "*"]);
    assert!(run.out.contains("Checked: every release.\n"), "{}", run.out);
    for (config, words) in [
        ("[supported]\nrange = \"new\"", "`new` is not a range of versions"),
        ("[supported]\nrange = \"*\"\ndays = 3", "use only one of them"),
        ("[supported.channels]\n\"eus-*\" = {}", "needs `days` or `range`"),
        ("releases = [\"../elsewhere.json\"]", "`releases` must name a path in the repository"),
    ] {
        scratch.write("exitpath.toml", config);
        let run = exitpath(["simulate", &root]);
        assert_eq!(run.status, 2, "{config}");
        assert!(run.err.contains(words), "{config}: {}", run.err);
    }
}

#[test]
fn hypothetical_declarations_can_be_simulated() {
    let scratch = Scratch::new("what-if");
    let risk = scratch.write(
        "4.14.3-Another.yaml",
        "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://issues.example.com/browse/BUG-9\nname: Another\n\
         message: It breaks.\nmatchingRules:\n- type: Always\n",
    );
    let run = simulate(&["--channel", "stable-4.14", "--add", risk.to_str().unwrap()]);
    let both = "stranded by Another and VSphereNodesLoseTheirNames\n";
    assert!(run.out.contains(both), "{}", run.out);
    let block = ["--channel", "stable-4.14", "--with", "to=4.14.3 from=4[.]1[34][.].*"];
    let run = simulate(&block);
    assert!(run.out.contains("even with all risks removed, no update leads there"), "{}", run.out);
    let run = simulate(&[&block[..], &["--without", "VSphereNodesLoseTheirNames"]].concat());
    assert!(!run.out.contains("VSphereNodesLoseTheirNames"), "{}", run.out);
    for (declaration, why) in [
        ("to=4.41.3 from=.*", "no channel has 4.41.3. Did you mean 4.14.3?"),
        ("to=4.14.30 from=.*", "no channel has 4.14.30. Did you mean 4.14.3?"),
        ("to=4.14.5 from=.*", "no channel has 4.14.5 yet"),
        ("to=4.14.4 from=.*", "no channel has 4.14.4: it is a tombstone"),
        (
            "to=4.14.3 from=4[.]31[.].*",
            "`4[.]31[.].*` matches no release that can be updated to 4.14.3",
        ),
    ] {
        let run = simulate(&["--with", declaration, "--quiet"]);
        let note = format!("exitpath: --with '{declaration}' has no effect: {why}\n");
        assert!(run.err.contains(&note), "{}", run.err);
    }
    let broken = scratch.write("Broken.yaml", "to: 4.14.3\n");
    let inside = "fixtures/rules/missing-key/bad/blocked-edges/4.14.2.yaml";
    for (arguments, words) in [
        (["--without", "VSphereNodesLoseTheirName"], "did you mean `VSphereNodesLoseTheirNames`?"),
        (["--with", "from=.*"], "`--with` needs `to=` and `from=`"),
        (["--with", "to=4.14.3 from=.* when=now"], "not `when=now`"),
        (["--add", "README.md"], "README.md cannot be a file of `blocked-edges/`"),
        (["--add", "nowhere.yaml"], "there is no file nowhere.yaml"),
        (["--with", "to=x from=.*"], "would not load --with 'to=x from=.*': `x` is not a version"),
        (["--with", "to=4.14.3 from=(("], "would not load --with 'to=4.14.3 from=((': "),
        (
            ["--add", broken.to_str().unwrap()],
            "Broken.yaml: missing field `from`\n          put it into `",
        ),
        (["--add", inside], "explains why\n"),
    ] {
        let run = simulate(&arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
}

/// 4.1.1 is stranded only in stable-4.1, and 4.1.0 in both channels.
#[test]
fn a_group_of_releases_is_not_stranded_where_none_of_them_is() {
    let node = |patch: u32, channels: &str| {
        let metadata = json!({"io.openshift.upgrades.graph.release.channels": channels});
        json!({"version": format!("4.1.{patch}"), "payload": "quay.io/r", "metadata": metadata})
    };
    let (both, stable, fast) = ("fast-4.1,stable-4.1", "stable-4.1", "fast-4.1");
    let mut graph = json!({
        "nodes": [node(0, both), node(1, both), node(2, stable), node(3, fast)],
        "edges": [[1, 3]],
    });
    let scratch = Scratch::new("stranded-groups");
    let said = |graph: &Value| {
        let file = scratch.write("graph.json", graph.to_string());
        exitpath(["simulate", "--graph", file.to_str().unwrap()]).out
    };
    let out = said(&graph);
    assert!(out.contains("4.1.0 and 4.1.1 have no exit path\n"), "{out}");
    assert!(!out.contains("not stranded in"), "{out}");
    graph["edges"] = json!([[0, 3], [1, 3]]);
    let out = said(&graph);
    assert!(out.contains("      not stranded in fast-4.1\n"), "{out}");
}

/// Both channels lose the updates of one architecture.
#[test]
fn another_architecture_does_not_help_a_stranded_release() {
    let mut releases: Value = serde_json::from_str(&fs::read_to_string(RELEASES).unwrap()).unwrap();
    let nodes = releases["nodes"].as_array_mut().unwrap();
    let count = nodes.len();
    let on_arm = nodes.iter().map(|node| node.to_string().replace("amd64", "arm64"));
    let on_arm: Vec<Value> = on_arm.map(|node| serde_json::from_str(&node).unwrap()).collect();
    nodes.extend(on_arm);
    let edges = releases["edges"].as_array_mut().unwrap();
    let place = |end: &Value| usize::try_from(end.as_u64().unwrap()).unwrap() + count;
    let on_arm: Vec<Value> =
        edges.iter().map(|edge| json!([place(&edge[0]), place(&edge[1])])).collect();
    edges.extend(on_arm);
    let scratch = Scratch::new("stranded-architecture");
    let releases = scratch.write("releases.json", releases.to_string());
    let run = exitpath([
        "simulate",
        "fixtures/graph-data",
        "--releases",
        releases.to_str().unwrap(),
        "--supported",
        "*",
        "--with",
        "to=4.14.3 from=4[.]1[34][.].*[+]arm64",
    ]);
    assert!(run.out.contains("fast-4.14 and stable-4.14 (arm64)\n"), "{}", run.out);
    for channel in ["fast-4.14", "stable-4.14"] {
        assert!(!run.out.contains(&format!("not stranded in {channel}")), "{}", run.out);
    }
}

/// The service ignores a block on an update with a risk. Without the risk, the block removes it.
#[test]
fn removing_a_risk_on_a_blocked_update_unblocks_nothing() {
    let freed_by = |blocked: &[&str]| {
        let mut arguments = vec!["--channel", "stable-4.14", "--goal", "minor", "--format", "json"];
        arguments.extend(blocked.iter().flat_map(|block| ["--with", block]));
        let run = simulate(&arguments);
        let report: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        report["channels"][0]["stranded"][0]["unblocked_by"].clone()
    };
    let (newest, others) =
        ("to=4.14.3 from=4[.]13[.].*", ["to=4.14.1 from=.*", "to=4.14.2 from=.*"]);
    assert_eq!(freed_by(&[newest, others[0]]), json!(["VSphereNodesLoseTheirNames"]));
    assert_eq!(freed_by(&[newest, others[0], others[1]]), json!([]));
}

#[test]
fn a_release_is_explained() {
    let run = before_the_fix(&["--explain", "4.13.10"]);
    assert_eq!(
        run.out,
        "4.13.10 is checked: every generally available release is checked\n  \
         stable-4.14 (amd64): stranded: it has no exit path and cannot reach 4.14\n"
    );
    let run =
        simulate(&["--channel", "stable-4.14", "--supported", ">=4.14", "--explain", "4.13.10"]);
    assert_eq!(run.status, 2, "`--supported` stands twice");
    let run = before_the_fix(&["--supported", ">=4.14", "--explain", "4.13.10"]);
    assert!(
        run.out.starts_with("4.13.10 is not checked: it is not in the range `>=4.14`\n"),
        "{}",
        run.out
    );
    let run = before_the_fix(&["--explain", "4.14.2"]);
    assert!(run.out.contains("the newest release of the channel"), "{}", run.out);
}

/// 4.1.0, 4.1.1 and 4.1.2 without channels, and one risk on the only updates.
fn graph_without_channels(name: &str) -> (Scratch, String) {
    let nodes = ["4.1.0", "4.1.1", "4.1.2"].map(|version| json!({"version": version}));
    let always = risk("Everywhere", &json!({"type": "Always"}));
    let groups = json!([
        conditional("4.1.0", "4.1.2", std::slice::from_ref(&always)),
        conditional("4.1.1", "4.1.2", &[always, risk("OnAws", &on("AWS"))]),
    ]);
    let scratch = Scratch::new("nameless");
    let graph = json!({"nodes": nodes, "conditionalEdges": groups});
    let file = scratch.write(name, graph.to_string());
    (scratch, file.to_str().unwrap().to_owned())
}

#[test]
fn a_graph_without_channels_and_edges_is_simulated() {
    let (_scratch, file) = graph_without_channels("answer.json");
    let run = exitpath(["simulate", "--graph", &file]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.out.contains("2 releases stranded in 1 channel"), "{}", run.out);
    assert!(run.err.contains("the graph has no `edges`; clusters accept this"), "{}", run.err);
    let check = exitpath(["check", &file]);
    let words = "`Everywhere` strands 2 releases in `answer`, for all clusters";
    assert!(check.out.contains(words), "{}", check.out);
    let path = exitpath(["path", "4.1.0", "4.1.2", "--graph", &file]);
    assert!(path.out.contains("risks: Everywhere"), "{}", path.out);
}

#[test]
fn a_simulation_that_checks_nothing_does_not_pass() {
    let (_scratch, file) = graph_without_channels("answer.json");
    let run = exitpath(["simulate", "--graph", &file, "--supported", ">=9"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    let words = "nothing was checked: answer has no supported release (supported: releases in >=9)";
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn the_file_name_gives_the_channel_of_an_answer() {
    let key = "io.openshift.upgrades.graph.release.channels";
    let node =
        |version: &str, channels: &str| json!({"version": version, "metadata": {key: channels}});
    let nodes = [
        node("4.9.1", "candidate-4.10,candidate-4.11"),
        node("4.10.1", "candidate-4.10,candidate-4.11"),
    ];
    let graph = json!({"nodes": nodes, "edges": [[0, 1]]});
    let scratch = Scratch::new("stem");
    let file = scratch.write("candidate-4.11.json", graph.to_string());
    let run = exitpath(["simulate", "--graph", file.to_str().unwrap()]);
    assert!(run.out.contains("candidate-4.11 (amd64)"), "{}", run.out);
    assert!(run.out.contains("cannot reach 4.11"), "{}", run.out);
}

#[test]
fn updates_with_only_accepted_risks_stay_open() {
    let (_scratch, file) = graph_without_channels("answer.json");
    let run = exitpath(["simulate", "--graph", &file, "--accept", "Everywhere"]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.contains("and Everywhere accepted, 1 release stranded"), "{}", run.out);
    assert!(run.out.contains("4.1.1 has no exit path\n      stranded by OnAws\n"), "{}", run.out);
    let run = exitpath(["simulate", "--graph", &file, "--accept", "Everywhere,OnAws"]);
    assert!(run.out.starts_with('✓'), "{}", run.out);
    let run = exitpath(["simulate", "--graph", &file, "--accept", "Everywher"]);
    assert!(run.err.contains("did you mean `Everywhere`?"), "{}", run.err);
}

#[test]
fn the_risk_that_helps_most_comes_first() {
    let groups = json!([
        conditional("4.1.0", "4.1.2", &[risk("OnAws", &on("AWS"))]),
        conditional("4.1.1", "4.1.2", &[risk("OnAzure", &on("Azure"))]),
    ]);
    let (scratch, file) = small_graph(&json!([]), &groups);
    let of = |arguments: &[&str]| {
        let head = ["simulate", "--graph", &file, "--format", "json"];
        let run = exitpath(head.into_iter().chain(arguments.iter().copied()));
        let report: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        assert!(exitpath::testing::schema::SIMULATION.validator().is_valid(&report), "{}", run.out);
        report["channels"][0]["fixes"].clone()
    };
    let aws = json!({"risk": "OnAws", "releases": 1, "sets": 2, "all_sets": 4});
    assert_eq!(of(&[])[0], aws, "of equals, the first by name");
    let fleet = "version,channel,count\n4.1.0,,5\n4.1.1,stable-4.1,70\n4.1.0,fast-4.1,900\n";
    let fleet = scratch.write("clusters.csv", fleet);
    let fixes = of(&["--fleet", fleet.to_str().unwrap()]);
    assert_eq!((&fixes[0]["risk"], &fixes[0]["clusters"]), (&json!("OnAzure"), &json!(70)));
    assert_eq!(fixes[1]["clusters"], 5);
    let run = exitpath(["simulate", "--graph", &file]);
    let words = "stable-4.1: OnAws (unblocks 1 of 2), OnAzure (unblocks 1 of 2)";
    assert!(run.out.contains(words), "{}", run.out);
}

/// In a copy of the real repository without its history, the predicted updates are uncertain.
#[test]
fn without_history_uncertain_results_are_not_errors() {
    let Some(history) = crate::checks::real_data::history() else { return };
    let scratch = Scratch::new("tarball");
    let folder = scratch.path().to_str().unwrap();
    let work_tree = format!("--work-tree={folder}");
    let checkout = [work_tree.as_str(), "checkout", "-q", "master", "--", "."];
    crate::git(history, &checkout);
    let run = exitpath(["simulate", folder]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.contains("(estimated, without the whole git history)"), "{}", run.out);
    for line in run.out.lines().filter(|line| line.contains("(every architecture)")) {
        let names = line.split(" (").next().unwrap().split([',', ' ']).filter(|w| w.contains('-'));
        let names: Vec<&str> = names.collect();
        let distinct: std::collections::BTreeSet<&&str> = names.iter().collect();
        assert_eq!(names.len(), distinct.len(), "{line}");
    }
}
