//! Each method answers what the protocol and the repository say.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, position};
use super::{RISK, repository, text_of};
use crate::{Scratch, exitpath, git};

fn opened() -> (Scratch, Client, String) {
    let repository = repository();
    let text = text_of(&repository, RISK);
    let mut client = Client::new(repository.path());
    client.open(RISK, &text);
    (repository, client, text)
}

fn labels(completion: &Value) -> Vec<&str> {
    completion["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["label"].as_str().unwrap())
        .collect()
}

/// The labels at `¦` in the text of a file.
fn completed(path: &str, marked: &str) -> Vec<String> {
    let (_repository, mut client, _) = opened();
    let text = marked.replace('¦', "");
    client.open(path, &text);
    let position = position(&text, marked.find('¦').unwrap());
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "position": position });
    let answer = client.ask("textDocument/completion", params);
    labels(&answer).into_iter().map(str::to_owned).collect()
}

fn hover(at: &str) -> String {
    let (_repository, mut client, text) = opened();
    let hover = client.at("textDocument/hover", RISK, &text, at);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_unsaved_mistake_is_told_and_taken_back() {
    let (_repository, mut client, text) = opened();
    let uri = client.uri(RISK);
    let before = client.settled().get(&uri).cloned();
    client.change(RISK, &text.replacen("to:", "too:", 1));
    let told = &client.settled()[&uri];
    assert_eq!(told[0]["code"], "missing-key");
    assert_eq!(told[0]["range"]["end"], json!({ "line": 0, "character": 3 }));
    assert!(told[0]["codeDescription"]["href"].as_str().unwrap().ends_with("missing-key.md"));
    client.change(RISK, &text);
    assert_eq!(
        client.settled().get(&uri).cloned().unwrap_or(json!([])),
        before.unwrap_or(json!([]))
    );
}

#[test]
fn diagnostics_can_be_asked_for() {
    let repository = repository();
    let text = text_of(&repository, RISK);
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostic": { "refreshSupport": true } },
    });
    let mut client = Client::with(repository.path(), &capabilities);
    client.open(RISK, &text.replacen("to:", "too:", 1));
    let document = json!({ "uri": client.uri(RISK) });
    let first = client.ask("textDocument/diagnostic", json!({ "textDocument": document }));
    assert_eq!(
        (&first["kind"], &first["items"][0]["code"]),
        (&json!("full"), &json!("missing-key"))
    );
    let params = json!({ "textDocument": document, "previousResultId": first["resultId"] });
    assert_eq!(client.ask("textDocument/diagnostic", params)["kind"], "unchanged");
    let all = client.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let is_this = |one: &&Value| one["uri"] == document["uri"];
    let this = all["items"].as_array().unwrap().iter().find(is_this).unwrap();
    let previous = json!([{ "uri": this["uri"], "value": this["resultId"] }]);
    client.change(RISK, &text);
    assert!(client.settled().is_empty(), "nothing is told to a client that asks");
    let all = client.ask("workspace/diagnostic", json!({ "previousResultIds": previous }));
    let this = all["items"].as_array().unwrap().iter().find(is_this).unwrap();
    assert_eq!(this["kind"], "full");
    assert_ne!(this["items"][0]["code"], "missing-key");
}

#[test]
fn hovers_say_what_is_known() {
    assert!(hover("from").starts_with("**from**"), "{}", hover("from"));
    assert!(hover("^4[.]13").contains("every later patch"), "{}", hover("^4[.]13"));
    assert!(hover("VSphereNodesLoseTheirNames").contains("2 files: 4.14.1 and 4.14.2"));
    let release = hover("4.14.1");
    assert!(release.contains("channels: "), "{release}");
    let metric = hover("cluster_infrastructure_provider");
    assert!(metric.contains("**cluster_infrastructure_provider**"), "{metric}");
    let query = hover("or\n");
    assert!(query.contains("Proved") && query.contains("| vsphere | "), "{query}");
    assert!(query.contains("**the risk applies**"), "{query}");
}

/// A hover counts the updates that `graph` has, certain or not.
#[test]
fn a_version_has_the_updates_of_the_graph() {
    let repository = repository();
    let run = exitpath(["graph", "--quiet", "--repo", repository.path().to_str().unwrap()]);
    let graph: Value = serde_json::from_str(&run.out).unwrap();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let nodes = list(&graph["nodes"]);
    let place = |at: &Value| usize::try_from(at.as_u64().unwrap()).unwrap();
    let version = |at: &Value| nodes[place(at)]["version"].clone();
    let open = list(&graph["edges"]);
    let open = open.iter().map(|edge| [version(&edge[0]), version(&edge[1])]);
    let groups = list(&graph["conditionalEdges"]);
    let closed = groups.iter().flat_map(|group| list(&group["edges"]));
    let closed = closed.map(|edge| [edge["from"].clone(), edge["to"].clone()]);
    let updates: BTreeSet<[String; 2]> =
        open.chain(closed).map(|ends| ends.map(|end| end.as_str().unwrap().to_owned())).collect();
    let count = |end: usize| updates.iter().filter(|ends| ends[end] == "4.14.1+amd64").count();
    let release = hover("4.14.1");
    assert!(count(0) > 1 && count(1) > 1, "{updates:?}");
    assert!(release.contains(&format!("updates to {} releases", count(0))), "{release}");
    assert!(release.contains(&format!("updates from {} releases", count(1))), "{release}");
    std::fs::remove_dir_all(repository.path().join(".git")).unwrap();
    let mut client = Client::new(repository.path());
    let text = text_of(&repository, RISK);
    client.open(RISK, &text);
    let hover = client.at("textDocument/hover", RISK, &text, "4.14.1");
    let release = hover["contents"]["value"].as_str().unwrap();
    assert!(release.contains("(uncertain)"), "{release}");
}

#[test]
fn completion_knows_what_comes_next() {
    let path = "blocked-edges/4.14.3-VSphereNodesLoseTheirNames.yaml";
    assert_eq!(completed(path, "¦")[0], "to");
    assert_eq!(completed(path, "to: ¦")[0], "4.14.3");
    assert_eq!(completed(path, "to: 4.14.3\n¦")[0], "from");
    let head = "to: 4.14.3\nfrom: ";
    assert_eq!(completed(path, &format!("{head}¦"))[0], "^4[.]13[.].*$");
    assert_eq!(completed(path, "to: 4.14.3\nname: ¦")[0], "VSphereNodesLoseTheirNames");
    let named = "to: 4.14.3\nname: VSphereNodesLoseTheirNames\nurl: ¦";
    assert_eq!(completed(path, named)[0], "https://issues.example.com/browse/BUG-7");
    assert_eq!(completed(path, "matchingRules:\n- type: ¦")[0], "PromQL");
    let query = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      ";
    let all = completed(path, &format!("{query}group(cluster_infra¦"));
    assert_eq!(all[0], "cluster_infrastructure_provider");
    let labels = completed(path, &format!("{query}cluster_infrastructure_provider{{ty¦"));
    assert_eq!(labels[0], "type");
    let values =
        completed(path, &format!("{query}cluster_infrastructure_provider{{type=\"VSp¦\"}}"));
    assert_eq!(values[0], "VSphere");
    let unquoted = completed(path, &format!("{query}cluster_infrastructure_provider{{type=VS¦}}"));
    assert_eq!(unquoted[0], "\"VSphere\"");
    assert!(completed(path, &format!("{query}label_repl¦")).contains(&"label_replace".to_owned()));
}

#[test]
fn completion_in_queries_offers_what_can_stand_there() {
    let path = "blocked-edges/4.14.3-VSphereNodesLoseTheirNames.yaml";
    let in_query = |written: &str| {
        let head = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      ";
        completed(path, &format!("{head}{written}"))
    };
    let version = "cluster_version";
    assert!(in_query("up * on (_id) group_left (type)\n      clus¦").contains(&version.to_owned()));
    assert_eq!(in_query("up * on (_id) group_l¦")[0], "group_left");
    assert_eq!(in_query("up * on¦")[0], "on");
    assert_eq!(in_query("up == boo¦")[0], "bool");
    assert_eq!(in_query("up o¦"), ["or", "offset"]);
    assert_eq!(in_query("max by (_id) u¦"), [""; 0]);
    let labels = in_query("cluster_infrastructure_provider{¦}");
    assert_eq!(labels, ["_id", "type", "external", "region"]);
    // Only the metric's own values, and not those that other metrics have for this label.
    let types = in_query("cluster_version{type=\"¦\"}");
    assert!(types.contains(&"initial".to_owned()), "{types:?}");
    assert!(!types.contains(&"VSphere".to_owned()), "{types:?}");
    // A label that the query has elsewhere is no label of this metric.
    let named = "max by (region) (up) * cluster_version{¦}";
    assert!(!in_query(named).contains(&"region".to_owned()));
    // A list of labels can name those of all metrics of the query.
    let listed = in_query("max by (¦) (cluster_infrastructure_provider)");
    assert_eq!(listed, labels);
}

#[test]
fn completion_of_channels_settings_and_tests() {
    let members =
        completed("channels/fast-4.15.yaml", "name: fast-4.15\nversions:\n- 4.15.0\n- ¦\n");
    assert_eq!(members[0], "4.15.1");
    assert!(completed("exitpath.toml", "[rules]\nvague-u¦").contains(&"vague-url".to_owned()));
    let test = "risk-tests/A.yaml";
    assert_eq!(completed(test, "risk: VSp¦")[0], "VSphereNodesLoseTheirNames");
    assert!(completed(test, "risk: A\ntests:\n- cluster: v¦").contains(&"vsphere".to_owned()));
}

#[test]
fn names_lead_to_their_files() {
    let (_repository, mut client, text) = opened();
    let name = "VSphereNodesLoseTheirNames";
    let definition = client.at("textDocument/definition", RISK, &text, name);
    let other = client.uri("blocked-edges/4.14.2-VSphereNodesLoseTheirNames.yaml");
    assert_eq!(definition[0]["uri"], other);
    let references = client.ask(
        "textDocument/references",
        json!({
            "textDocument": { "uri": client.uri(RISK) },
            "position": position(&text, text.find("4.14.1").unwrap()),
            "context": { "includeDeclaration": true },
        }),
    );
    let uris: Vec<&str> =
        references.as_array().unwrap().iter().map(|one| one["uri"].as_str().unwrap()).collect();
    assert!(uris.contains(&client.uri("channels/fast-4.14.yaml").as_str()), "{uris:?}");
    assert!(uris.contains(&client.uri(RISK).as_str()), "{uris:?}");
    let document = json!({ "textDocument": { "uri": client.uri(RISK) } });
    let symbols = client.ask("textDocument/documentSymbol", document);
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["to", "from", "url", "name", "message", "matchingRules"]);
    let found = client.ask("workspace/symbol", json!({ "query": "etcd" }));
    assert_eq!(found[0]["name"], "EtcdSlowStart");
}

#[test]
fn a_risk_is_renamed_in_all_its_files() {
    let (_repository, mut client, text) = opened();
    let name = "VSphereNodesLoseTheirNames";
    let prepared = client.at("textDocument/prepareRename", RISK, &text, name);
    assert_eq!(prepared["placeholder"], name);
    let position = position(&text, text.find(name).unwrap());
    let mut params = json!({
        "textDocument": { "uri": client.uri(RISK) }, "position": position, "newName": "NamesChange",
    });
    let edit = client.ask("textDocument/rename", params.clone());
    let changes = edit["documentChanges"].as_array().unwrap();
    let renamed = |one: &&Value| one["kind"] == "rename";
    assert_eq!(changes.iter().filter(renamed).count(), 2, "{edit}");
    assert_eq!(changes[1]["edits"][0]["newText"], "name: NamesChange\n");
    params["newName"] = json!(name);
    assert_eq!(client.ask("textDocument/rename", params.clone())["documentChanges"], json!([]));
    params["newName"] = json!("no good");
    let refused = client.answer("textDocument/rename", params);
    assert!(refused["error"]["message"].as_str().unwrap().contains("cannot be the name"));
}

#[test]
fn queries_have_tokens_folds_and_a_layout() {
    let (_repository, mut client, text) = opened();
    let document = json!({ "textDocument": { "uri": client.uri(RISK) } });
    let tokens = client.ask("textDocument/semanticTokens/full", document.clone());
    let numbers: Vec<u64> =
        tokens["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    // `group`, `cluster_infrastructure_provider`, …: the line, the column, the length, the type.
    let group = text.lines().position(|line| line.contains("group(")).unwrap() as u64;
    assert_eq!(numbers[..10], [group, 6, 5, 2, 0, 0, 6, 31, 0, 0]);
    let folds = client.ask("textDocument/foldingRange", document.clone());
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap()))
        .collect();
    assert!(lines.contains(&(5, 11)), "{lines:?}");
    let format = json!({
        "textDocument": { "uri": client.uri(RISK) },
        "options": { "tabSize": 2, "insertSpaces": true },
    });
    let squeezed = text.replace("      or\n      0 * ", "      or 0*");
    client.change(RISK, &squeezed);
    let edits = client.ask("textDocument/formatting", format);
    let new = edits[0]["newText"].as_str().unwrap();
    assert!(new.contains("0 * group"), "{new}");
}

#[test]
fn tokens_in_a_quoted_scalar_end_with_their_quotes() {
    let (_repository, mut client, _) = opened();
    let path = "blocked-edges/4.14.3-Other.yaml";
    let head = "matchingRules:\n- type: PromQL\n  promql:\n    promql: ";
    for query in [r#""up{job=\"AWS\"}""#, "'up{job=''AWS''}'", "up{job='AWS'}"] {
        client.open(path, &format!("{head}{query}\n"));
        let document = json!({ "textDocument": { "uri": client.uri(path) } });
        let tokens = client.ask("textDocument/semanticTokens/full", document);
        let data: Vec<usize> = serde_json::from_value(tokens["data"].clone()).unwrap();
        let places = data.chunks(5).scan(0, |at, token| {
            *at += token[1];
            Some(*at..*at + token[2])
        });
        let line = format!("    promql: {query}");
        let mut words = places.map(|place| &line[place]);
        let value = words.find(|word| word.contains("AWS")).unwrap();
        let (before, after) = value.split_once("AWS").unwrap();
        assert!(!before.is_empty() && before == after, "{value}");
        client.close(path);
    }
}

#[test]
fn what_an_editor_cannot_do_is_not_offered() {
    let path = "blocked-edges/4.14.3.yaml";
    for text in
        ["# exitpath: allow(vague-url)\nto: 4.14.3\nfrom: .*\n", "\u{FEFF}to: 4.14.3\nfrom: .*\n"]
    {
        let (_repository, mut client, _) = opened();
        client.open(path, text);
        let uri = client.uri(path);
        assert!(!client.settled()[&uri].as_array().unwrap().is_empty());
        let all = json!({ "start": position(text, 0), "end": position(text, text.len()) });
        let params = json!({
            "textDocument": { "uri": uri }, "range": all, "context": { "diagnostics": [] },
        });
        let actions = client.ask("textDocument/codeAction", params);
        for action in actions.as_array().unwrap() {
            let title = action["title"].as_str().unwrap();
            assert!(!title.contains("allow") && !title.contains("byte order mark"), "{title}");
        }
    }
}

#[test]
fn actions_fix_allow_and_continue() {
    let (repository, mut client, text) = opened();
    let all = json!({ "start": position(&text, 0), "end": position(&text, text.len()) });
    let actions = |client: &mut Client| {
        let params = json!({
            "textDocument": { "uri": client.uri(RISK) }, "range": all,
            "context": { "diagnostics": [] },
        });
        client.ask("textDocument/codeAction", params)
    };
    client.change(RISK, &text.replacen("to:", "too:", 1));
    let found = actions(&mut client);
    let titles: Vec<&str> =
        found.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"Allow missing-key with a reason"), "{titles:?}");
    let fix = found.as_array().unwrap().iter().find(|one| one["isPreferred"] == true).unwrap();
    assert_eq!(fix["edit"]["documentChanges"][0]["edits"][0]["newText"], "to");
    // Another release follows: the risk waits for it.
    client.change(RISK, &text);
    for channel in ["internal-channels/candidate", "channels/candidate-4.14", "channels/fast-4.14"]
    {
        let path = format!("{channel}.yaml");
        let old = text_of(&repository, &path);
        repository.write(&path, old.replace("- 4.14.3\n", "- 4.14.3\n- 4.14.4\n"));
    }
    std::fs::remove_file(
        repository.path().join("blocked-edges/4.14.2-VSphereNodesLoseTheirNames.yaml"),
    )
    .unwrap();
    client.files_changed();
    let found = actions(&mut client);
    let is_extension =
        |one: &&Value| one["title"].as_str().unwrap().starts_with("Extend VSphereNodes");
    let extend = found.as_array().unwrap().iter().find(is_extension).unwrap();
    assert_eq!(extend["edit"]["documentChanges"][0]["kind"], "create");
    let lenses =
        client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": client.uri(RISK) } }));
    let is_extension =
        |one: &&Value| one["command"]["title"].as_str().unwrap().starts_with("extend to 4.14.2");
    let lens = lenses.as_array().unwrap().iter().find(is_extension).unwrap();
    client.asked.clear();
    client.ask("workspace/executeCommand", lens["command"].clone());
    assert_eq!(client.asked[0]["method"], "workspace/applyEdit");
    assert_eq!(client.asked[0]["params"]["edit"], extend["edit"]);
}

#[test]
fn a_lens_counts_what_the_edits_strand() {
    let repository = repository();
    let path = "blocked-edges/4.15.0-EverythingIsAtRisk.yaml";
    let text = "\
to: 4.15.0
from: .*
url: https://issues.example.com/browse/BUG-9
name: EverythingIsAtRisk
message: Everything is at risk.
matchingRules:
- type: Always
";
    git(repository.path(), &["tag", "base"]);
    let mut client = Client::new(repository.path());
    client.open(path, text);
    let lenses =
        client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": client.uri(path) } }));
    let titles: Vec<&str> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["command"]["title"].as_str().unwrap())
        .collect();
    repository.write(path, text);
    let root = repository.path().to_str().unwrap();
    let diff = crate::exitpath(["diff", "--repo", root, "base", "--format", "json"]);
    let diff: Value = serde_json::from_str(&diff.out).unwrap();
    let stranded = diff["exits"]["stranded"].as_array().map_or(0, Vec::len);
    let is_told = titles.iter().any(|title| title.ends_with("newly stranded"));
    assert_eq!(is_told, stranded > 0, "{titles:?} {}", diff["exits"]);
    assert!(titles.iter().any(|title| title.ends_with("of this target")), "{titles:?}");
}

#[test]
fn tests_of_risks_run_while_somebody_writes_them_or_their_risk() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/risk-tests");
    let repository = Scratch::copy_of("language-server-tests", &fixtures.join("failing"));
    let test = "risk-tests/NodesLoseTheirClock.yaml";
    let risk = "blocked-edges/4.18.11-NodesLoseTheirClock.yaml";
    let (tests, declaration) = (text_of(&repository, test), text_of(&repository, risk));
    let mut client = Client::new(repository.path());
    let test_uri = client.uri(test);
    let told = |client: &mut Client| -> Vec<(u64, String)> {
        let all = client.settled().get(&test_uri).cloned().unwrap_or_default();
        let all = all.as_array().cloned().unwrap_or_default();
        let line = |one: &Value| one["range"]["start"]["line"].as_u64().unwrap() + 1;
        all.iter().map(|one| (line(one), one["message"].as_str().unwrap().to_owned())).collect()
    };
    let failure = |name: &str, expected: &str, found: &str| {
        format!("NodesLoseTheirClock, {name}: expected {expected}, but found {found}")
    };
    let first = (6, failure("none", "applies", "not-applies"));

    client.open(test, &tests);
    assert_eq!(told(&mut client), std::slice::from_ref(&first));
    client.change(test, &tests.replacen("cluster: none", "clustre: none", 1));
    let misspelled = "NodesLoseTheirClock, test 2: unknown key `clustre`; did you mean `cluster`?";
    assert_eq!(told(&mut client), [(5, misspelled.to_owned())]);
    client.close(test);
    assert_eq!(told(&mut client), []);

    // The risk is open, and the file with its tests is not.
    client.open(risk, &declaration.replacen("VSphere|None", "AWS|None", 1));
    assert_eq!(
        told(&mut client),
        [
            (4, failure("vsphere", "applies", "not-applies")),
            first,
            (8, failure("aws", "not-applies", "applies")),
        ]
    );
}

#[test]
fn settings_are_checked_while_they_are_written() {
    let (_repository, mut client, _) = opened();
    client.open("exitpath.toml", "fail-on = \"sometimes\"\n");
    let uri = client.uri("exitpath.toml");
    let told = &client.settled()[&uri];
    assert!(told[0]["message"].as_str().unwrap().contains("sometimes"), "{told}");
    assert_eq!(told[0]["range"]["start"], json!({ "line": 0, "character": 10 }));
    client.change("exitpath.toml", "fail-on = \"error\"\n");
    assert_eq!(client.settled()[&uri], json!([]));
}

/// A client that can only change texts gets such edits.
#[test]
fn a_simple_client_gets_simple_edits() {
    let repository = repository();
    let text = text_of(&repository, RISK);
    let mut client = Client::with(repository.path(), &json!({}));
    client.open(RISK, &text.replacen("to:", "too:", 1));
    let range = json!({ "start": position(&text, 0), "end": position(&text, 3) });
    let params = json!({
        "textDocument": { "uri": client.uri(RISK) }, "range": range,
        "context": { "diagnostics": [] },
    });
    let actions = client.ask("textDocument/codeAction", params);
    let fix = actions.as_array().unwrap().iter().find(|one| one["isPreferred"] == true).unwrap();
    assert_eq!(fix["edit"]["changes"][client.uri(RISK)][0]["newText"], "to");
    let position = position(&text, text.find("VSphereNodes").unwrap());
    let params = json!({
        "textDocument": { "uri": client.uri(RISK) }, "position": position, "newName": "Other",
    });
    client.change(RISK, &text);
    let refused = client.answer("textDocument/rename", params);
    assert!(refused["error"]["message"].as_str().unwrap().contains("cannot create or rename"));
}

/// What a client has after it accepted the first completion at `¦`.
fn accepted(path: &str, marked: &str) -> String {
    let (_repository, mut client, _) = opened();
    let text = marked.replace('¦', "");
    client.open(path, &text);
    let position = position(&text, marked.find('¦').unwrap());
    let params = json!({ "textDocument": { "uri": client.uri(path) }, "position": position });
    let answer = client.ask("textDocument/completion", params);
    match answer["items"].get(0) {
        Some(first) => edited(&text, std::slice::from_ref(&first["textEdit"])),
        None => text,
    }
}

/// A text after edits that do not overlap. Positions are in bytes.
fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |place: &Value| {
        let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
        let before: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
        before + number("character")
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
            (offset(start), offset(end), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_unstable();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

#[test]
fn what_stands_beside_a_completion_stays() {
    let path = "blocked-edges/4.14.3-VSphereNodesLoseTheirNames.yaml";
    assert_eq!(accepted(path, "to: 4.14.¦ # why\n"), "to: 4.14.3 # why\n");
    assert_eq!(accepted(path, "to:¦\n"), "to: 4.14.3\n");
    assert_eq!(accepted(path, "matchingRules:\n-¦\n"), "matchingRules:\n- type: \n");
    assert_eq!(accepted(path, "¦{to: 4.14.3, from: x}\n"), "{to: 4.14.3, from: x}\n");
    assert_eq!(accepted(path, "¦some words here\n"), "some words here\n");
    let quoted =
        "matchingRules:\n- type: PromQL\n  promql:\n    promql: \"group(cluster_infra¦)\"\n";
    let whole = quoted.replace("cluster_infra¦", "cluster_infrastructure_provider");
    assert_eq!(accepted(path, quoted), whole);
    let block = "matchingRules:\n- type: PromQL\n  promql:\n    promql: | # who\n      gro¦\n";
    assert_eq!(accepted(path, block), block.replace("gro¦", "group"));
    let head = "matchingRules:\n- type: PromQL\n  promql:\n    promql: ";
    let escaped = format!("{head}\"cluster_infrastructure_provider{{type=\\\"VSp¦\\\"}}\"\n");
    assert_eq!(accepted(path, &escaped), escaped.replace("VSp¦", "VSphere"));
    let missing = format!("{head}\"cluster_infrastructure_provider{{type=VSp¦}}\"\n");
    assert_eq!(accepted(path, &missing), missing.replace("VSp¦", "\\\"VSphere\\\""));
    let minus = format!("{head}|\n      vector(1) -gro¦\n");
    assert_eq!(accepted(path, &minus), minus.replace("gro¦", "group"));
    assert_eq!(accepted("exitpath.toml", "fail-on = ¦\n"), "fail-on = \"error\"\n");
}

/// The allow comment of each finding hides it, and adds no other finding.
#[test]
fn an_allow_comment_hides_its_finding() {
    let query = "group(no_such_metric{_id=\"\"}) or 0 * group(cluster_version{_id=\"\"})";
    let head = "to: 4.14.3\nfrom: .*\nurl: https://issues.example.com/browse/A-1\nname: Other\n\
                message: Nodes may lose the the names.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: ";
    let path = "blocked-edges/4.14.3-Other.yaml";
    for written in [
        format!("|\n      {query}\n"),
        format!("|-\n      {}\n", query.replace(" or", "\n      or")),
        format!(">-\n      {}\n", query.replace(" or", "\n      or")),
        format!("'{query}'\n"),
        format!("{}\n", query.replace(" or", "\n      or").replace("0 * ", "")),
    ] {
        let repository = repository();
        let text = format!("{head}{written}");
        repository.write(path, &text);
        let mut client = Client::new(repository.path());
        client.open(path, &text);
        let uri = client.uri(path);
        let told = client.settled()[&uri].as_array().unwrap().clone();
        let all = json!({ "start": position(&text, 0), "end": position(&text, text.len()) });
        let params = json!({
            "textDocument": { "uri": uri }, "range": all, "context": { "diagnostics": [] },
        });
        let actions = client.ask("textDocument/codeAction", params);
        let allows = actions
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["title"].as_str().unwrap().starts_with("Allow "));
        let mut count = 0;
        for action in allows {
            let edits = action["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
            client.change(path, &edited(&text, edits));
            let now = client.settled()[&uri].as_array().unwrap().clone();
            let code = &action["diagnostics"][0]["code"];
            let message = &action["diagnostics"][0]["message"];
            let has = |list: &[Value]| {
                list.iter().any(|one| one["code"] == *code && one["message"] == *message)
            };
            assert!(has(&told) && !has(&now), "{code}: {now:?}\n{}", edited(&text, edits));
            assert!(now.len() < told.len(), "{code} adds a finding: {now:?}");
            count += 1;
        }
        assert!(count > 1, "{told:?}");
    }
}

#[test]
fn a_pattern_is_written_for_all_architectures_and_in_its_notation() {
    let path = "blocked-edges/4.14.3.yaml";
    let written = |text: &str| {
        let (_repository, mut client, _) = opened();
        client.open(path, text);
        let at = position(text, text.find("from").unwrap() + 8);
        let params = json!({
            "textDocument": { "uri": client.uri(path) }, "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "only": ["refactor.rewrite"] },
        });
        let actions = client.ask("textDocument/codeAction", params);
        let edits = actions.get(0).map(|one| one["edit"]["documentChanges"][0]["edits"].clone());
        edits.map(|edits| edited(text, edits.as_array().unwrap()))
    };
    let flow = written("{to: 4.14.3, from: \"4.14.[12][+].*\"}\n");
    assert_eq!(flow.as_deref(), Some("{to: 4.14.3, from: \"4[.]14[.][12][+].*\"}\n"));
    let plain = written("to: 4.14.3\nfrom: 4.14.[12][+].*\n");
    assert_eq!(plain.as_deref(), Some("to: 4.14.3\nfrom: 4[.]14[.][12][+].*\n"));
    assert_eq!(written("to: 4.14.3\nfrom: 4[.]14[.](1|2)[+]amd64\n"), None);
}

/// What files say is no markup for the editor.
#[test]
fn texts_of_files_are_not_markdown() {
    let (_repository, mut client, text) = opened();
    let message = "message: |-\n  ![x](https://evil.example/t.png) <img src=a>```\n  Nodes on";
    let hostile = text.replace("message: Nodes on", message);
    client.change(RISK, &hostile);
    let hover = client.at("textDocument/hover", RISK, &hostile, "VSphereNodesLoseTheirNames");
    let about = hover["contents"]["value"].as_str().unwrap();
    assert!(about.starts_with("```text\n"), "{about}");
    let ends = about.match_indices("```").count();
    assert_eq!(ends, 2, "only the block itself is one: {about}");
}
