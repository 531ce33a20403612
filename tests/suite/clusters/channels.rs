//! The list of channels, as an update service serves it.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;

use exitpath::testing::channel_list::ChannelList;
use exitpath::testing::graph_data::{Channel, GraphData, blobs};
use exitpath::testing::schema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::checks::real_data::history;
use crate::data::metrics_server::serve;
use crate::fake_prometheus::http;
use crate::{Run, Scratch, exitpath};

const FIXTURE: &str = "fixtures/graph-data";

fn list_at(root: &Path, revision: Option<&str>) -> ChannelList {
    ChannelList::of(&GraphData::from_blobs(blobs(root, revision).unwrap()))
}

/// A repository with these files in `channels/`, each with one release and these further lines.
fn repository(channels: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new("channels");
    scratch.write("version", "1.1.0\n");
    scratch.write("blocked-edges/.gitkeep", "");
    for (name, lines) in channels {
        let text = format!("name: {name}\n{lines}versions:\n- 4.18.1\n");
        scratch.write(&format!("channels/{name}.yaml"), text);
    }
    scratch
}

fn text(list: &ChannelList, name: &str) -> Option<(String, bool)> {
    list.description(name).map(|description| (description.text.clone(), description.is_default))
}

fn body(list: &ChannelList) -> Json {
    let body = serde_json::from_str(&list.body()).unwrap();
    assert!(schema::CHANNEL_LIST.validator().is_valid(&body), "{body}");
    body
}

#[test]
fn a_declared_description_wins_over_the_text_for_the_phase() {
    let repository = repository(&[
        ("stable-4.18", "description: >\n  For clusters of the bank.\n  Ask Eve.\n"),
        ("fast-4.18", ""),
        ("mine-4.18", ""),
    ]);
    let list = list_at(repository.path(), None);
    assert_eq!(
        text(&list, "stable-4.18"),
        Some(("For clusters of the bank. Ask Eve.".to_owned(), false))
    );
    let (fast, is_default) = text(&list, "fast-4.18").unwrap();
    assert!(is_default);
    assert!(fast.contains("supported") && fast.contains("leads from 4.17 to 4.18,"), "{fast}");
    assert_eq!(text(&list, "mine-4.18"), None);
    assert_eq!(
        body(&list),
        json!({
            "channels": {
                "fast-4.18": { "description": fast },
                "mine-4.18": {},
                "stable-4.18": { "description": "For clusters of the bank. Ask Eve." },
            },
            "defaultDescriptions": ["fast-4.18"],
        })
    );
}

#[test]
fn each_phase_has_a_text_of_its_own() {
    let names = ["candidate-4.18", "eus-4.17", "eus-4.18", "fast-4.18", "stable-4.1"];
    let list = list_at(repository(&names.map(|name| (name, ""))).path(), None);
    let text = |name| text(&list, name).map(|(text, _)| text);
    assert!(text("candidate-4.18").unwrap().contains("not supported"));
    assert!(text("eus-4.18").unwrap().contains("leads from 4.16 and 4.17 to 4.18,"));
    assert_eq!(text("eus-4.17"), None, "an odd minor has no extended support");
    assert!(!text("stable-4.1").unwrap().contains("leads from"), "nothing is before 4.1");
}

#[test]
fn a_description_that_is_not_text_or_has_no_words_is_none() {
    for value in ["description:\n", "description: ''\n", "description: 5\n", "description: [a]\n"] {
        let list = list_at(repository(&[("mine-4.18", value)]).path(), None);
        assert_eq!(text(&list, "mine-4.18"), None, "{value}");
        assert!(list.channels.contains_key("mine-4.18"), "{value}");
    }
}

#[test]
fn only_channels_that_clusters_can_request_are_listed() {
    let repository = repository(&[("stable-4.18", ""), ("stable", ""), ("Fast-4.18", "")]);
    repository.write("channels/no-name.yaml", "versions:\n- 4.18.1\n");
    repository.write("channels/broken-4.18.yaml", "name: broken-4.18\nversions:\n- 4.18\n");
    repository.write("internal-channels/inner.yaml", "name: inner-4.18\nversions:\n- 4.18.1\n");
    let list = list_at(repository.path(), None);
    assert_eq!(list.channels.keys().collect::<Vec<_>>(), ["stable-4.18"]);
}

#[test]
fn the_newest_data_has_all_public_channels_and_no_others() {
    let Some(history) = history() else { return };
    let files = crate::shared::scratch::git_command()
        .args(["ls-tree", "--name-only", "HEAD", "channels/"])
        .current_dir(history)
        .output()
        .unwrap();
    let files = String::from_utf8(files.stdout).unwrap();
    let stem =
        |line: &str| line.strip_prefix("channels/")?.strip_suffix(".yaml").map(str::to_owned);
    let mut names: Vec<String> = files.lines().filter_map(stem).collect();
    names.sort();
    let list = list_at(history, Some("HEAD"));
    assert_eq!(list.channels.keys().cloned().collect::<Vec<_>>(), names);
}

/// The default texts say which minors a channel has. So does the data.
#[test]
fn the_default_texts_are_true_for_the_newest_data() {
    let Some(history) = history() else { return };
    let data = GraphData::from_blobs(blobs(history, Some("HEAD")).unwrap());
    let list = ChannelList::of(&data);
    let phases = ["candidate", "eus", "fast", "stable"];
    let has_text = |channel: &&Channel| {
        channel.public && channel.parts().is_some_and(|name| phases.contains(&name.phase))
    };
    for channel in data.channels.iter().filter(has_text) {
        let Some((text, true)) = text(&list, channel.name()) else {
            panic!("{} has no default text", channel.name());
        };
        let versions = channel.versions.iter().filter_map(|member| member.version.as_ref());
        let minors: BTreeSet<(u64, u64)> =
            versions.map(|version| (version.major, version.minor)).collect();
        let minors: Vec<String> =
            minors.iter().map(|(major, minor)| format!("{major}.{minor}")).collect();
        let (own, before) = minors.split_last().unwrap();
        assert!(channel.name().ends_with(&format!("-{own}")), "{}: {minors:?}", channel.name());
        let said = text.split_once(" leads from ").and_then(|(_, rest)| rest.split_once(" to "));
        let said: Vec<&str> =
            said.map_or_else(Vec::new, |(minors, _)| minors.split(" and ").collect());
        // Even channels of other phases have the releases of eus, too.
        let is_all = !channel.name().starts_with("eus-") || said.len() == before.len();
        let is_true = said.iter().all(|minor| before.iter().any(|before| before == minor));
        assert!(is_true && is_all, "{}: {said:?}, not {before:?}", channel.name());
    }
}

#[test]
fn the_fixture_is_listed() {
    let body = body(&list_at(Path::new(FIXTURE), None));
    assert_eq!(body["channels"].as_object().map(serde_json::Map::len), Some(6));
    assert_eq!(body["defaultDescriptions"].as_array().map(Vec::len), Some(6));
}

/// Runs `channels` over a repository.
fn channels(repository: &Path, arguments: &[&str]) -> Run {
    let repository = ["channels", "--repo", repository.to_str().unwrap()];
    exitpath([&repository, arguments].concat())
}

#[test]
fn people_see_the_newest_minor_first_and_stable_before_candidate() {
    let names = ["stable-4.2", "candidate-4.10", "stable-4.10", "eus-4.10", "fast-4.10", "own-4.2"];
    let run = channels(repository(&names.map(|name| (name, ""))).path(), &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    let first = |line: &str| line.split(' ').next().unwrap().to_owned();
    let starts = run.out.lines().filter(|line| line.starts_with(char::is_alphabetic)).map(first);
    assert_eq!(
        starts.collect::<Vec<_>>(),
        ["stable-4.10", "eus-4.10", "fast-4.10", "candidate-4.10", "stable-4.2", "own-4.2"]
    );
    assert!(run.out.contains("(default text)"), "{}", run.out);
    assert!(run.out.contains("own-4.2         (no description)"), "{}", run.out);
}

#[test]
fn one_channel_is_shown_with_its_whole_text_and_its_releases() {
    let run = channels(Path::new(FIXTURE), &["stable-4.14"]);
    assert!(run.out.starts_with("stable-4.14: 7 releases, 4.13.8 to 4.14.3\n"), "{}", run.out);
    assert!(run.out.contains("never to a later minor"), "{}", run.out);
    let json = channels(Path::new(FIXTURE), &["stable-4.14", "--format", "json"]);
    let json: Json = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["channels"].as_object().map(serde_json::Map::len), Some(1));
    let unknown = channels(Path::new(FIXTURE), &["stabel-4.14"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("did you mean `stable-4.14`?"), "{}", unknown.err);
}

#[test]
fn json_is_the_body_of_the_service() {
    let run = channels(Path::new(FIXTURE), &["--format", "json"]);
    assert_eq!(run.out.trim_end(), list_at(Path::new(FIXTURE), None).body());
}

/// Control sequences in a text reach neither the terminal nor a reader of YAML as such.
#[test]
fn hostile_texts_are_escaped() {
    let hostile = repository(&[("own-4.18", "description: \"\\e[31mred\\u202e\\n##[group]x\"\n")]);
    for arguments in [&[][..], &["own-4.18"], &["--format", "json"], &["--as", "crd"]] {
        let run = channels(hostile.path(), arguments);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(!run.out.contains(['\u{1b}', '\u{202e}']), "{:?}", run.out);
        assert!(!run.out.contains("##["), "{:?}", run.out);
    }
    let objects = objects(&channels(hostile.path(), &["--as", "crd"]).out);
    assert_eq!(objects[0]["status"]["description"], "\u{1b}[31mred\u{202e}\n##[group]x");
}

/// The objects of a stream of YAML.
fn objects(yaml: &str) -> Vec<Json> {
    serde_yaml::Deserializer::from_str(yaml)
        .map(|document| Json::deserialize(document).unwrap())
        .collect()
}

#[test]
fn the_objects_of_a_cluster_are_a_stream_of_yaml() {
    let repository = repository(&[("fast-4.18", ""), ("own-4.18", "description: Ours.\n")]);
    let run = channels(repository.path(), &["--as", "crd"]);
    let objects = objects(&run.out);
    assert_eq!(objects.len(), 3, "{}", run.out);
    assert_eq!(objects[0]["metadata"]["annotations"]["exitpath/default-description"], "true");
    assert_eq!(
        objects[1],
        json!({
            "apiVersion": "config.openshift.io/v1",
            "kind": "Channel",
            "metadata": { "name": "own-4.18" },
            "spec": {},
            "status": { "description": "Ours." },
        })
    );
    assert_eq!(
        objects[2]["status"]["conditions"],
        json!([{ "type": "RetrievedChannels", "status": "True" }])
    );
}

/// Kubernetes stores the objects after it knows their definition.
#[test]
fn the_definition_comes_first_and_fits_the_objects() {
    let repository = repository(&[("own-4.18", "description: Ours.\n"), ("odd-4.18", "")]);
    let run = channels(repository.path(), &["--as", "crd", "--with-definition"]);
    let objects = objects(&run.out);
    let definition = &objects[0];
    assert_eq!(definition["kind"], "CustomResourceDefinition");
    assert_eq!(definition["metadata"]["name"], "channels.config.openshift.io");
    let version = &definition["spec"]["versions"][0];
    let schema = &version["schema"]["openAPIV3Schema"];
    let validator = jsonschema::validator_for(schema).unwrap();
    for object in &objects[1..3] {
        let api = format!("{}/{}", definition["spec"]["group"].as_str().unwrap(), "v1");
        assert_eq!((&object["apiVersion"], &version["name"]), (&json!(api), &json!("v1")));
        assert!(validator.is_valid(object), "{object}");
    }
    assert!(!validator.is_valid(&json!({ "spec": [] })));
    assert_eq!(objects[1]["status"], json!({}), "no text: {}", run.out);
    let run = channels(repository.path(), &["--with-definition"]);
    assert_eq!(run.status, 2);
}

#[test]
fn a_name_that_kubernetes_does_not_allow_is_no_object() {
    let run = channels(repository(&[("-4.18", ""), ("own-4.18", "")]).path(), &["--as", "crd"]);
    assert_eq!(objects(&run.out).len(), 2, "{}", run.out);
    assert!(run.err.contains("no object with the name -4.18"), "{}", run.err);
}

/// Runs `channels --service` with a service that gives this answer. `HOST` is its address.
fn asked(answer: impl Into<Vec<u8>>, arguments: &[&str]) -> Run {
    let (address, server) = serve(answer);
    let service = ["channels", "--service", &format!("http://{address}/")];
    let run = exitpath([&service, arguments].concat());
    server.join().unwrap();
    let replaced = |text: String| text.replace(&address.to_string(), "HOST");
    Run { status: run.status, out: replaced(run.out), err: replaced(run.err) }
}

const ANSWER: &str = r#"{"channels":{"own-4.18":{"description":"Ours.","color":"red"},
    "fast-4.18":{"description":"Quick."},"bare-4.18":{}},"defaultDescriptions":["fast-4.18"],"next":7}"#;

#[test]
fn a_service_is_asked_for_its_list() {
    let (address, server) = serve(http("200 OK", ANSWER));
    let run = exitpath(["channels", "--service", &format!("http://{address}"), "--format", "json"]);
    let request = server.join().unwrap();
    assert_eq!(request.lines().next(), Some("GET /api/upgrades_info/channels HTTP/1.1"));
    let accept = "accept: application/vnd.redhat.cincinnati.channels.v1+json\r\n";
    assert!(request.to_lowercase().contains(accept), "{request}");
    let body: Json = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        body,
        json!({
            "channels": {
                "bare-4.18": {},
                "fast-4.18": { "description": "Quick." },
                "own-4.18": { "description": "Ours." },
            },
            "defaultDescriptions": ["fast-4.18"],
        })
    );
    let list = asked(http("200 OK", ANSWER), &[]);
    assert!(list.out.contains("fast-4.18  Quick. (default text)"), "{}", list.out);
}

/// What a cluster stores: the condition's reason and message.
fn condition(run: &Run) -> (String, String) {
    let last = objects(&run.out).pop().unwrap();
    let condition = &last["status"]["conditions"][0];
    assert_eq!(condition["status"], "False", "{last}");
    let text = |key: &str| condition[key].as_str().unwrap().to_owned();
    (text("reason"), text("message"))
}

#[test]
fn the_condition_says_why_there_is_no_list() {
    let not = "Unable to retrieve channels:";
    let huge = [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec(), vec![b' '; 5 << 20]];
    let redirect = "HTTP/1.1 302 Found\r\nLocation: https://sign.in/\r\nContent-Length: 0\r\n\r\n";
    let cases: [(Vec<u8>, &str, &str); 10] = [
        (
            http("404 Not Found", "").into(),
            "ResponseFailed",
            "unexpected HTTP status: 404 Not Found",
        ),
        (
            http("500 Internal Server Error", ANSWER).into(),
            "ResponseFailed",
            "unexpected HTTP status: 500 Internal Server Error",
        ),
        (redirect.into(), "ResponseFailed", "unexpected HTTP status: 302 Found"),
        (http("200 OK", "<html>").into(), "ResponseInvalid", "expected value at line 1 column 1"),
        (http("200 OK", "{}").into(), "ResponseInvalid", "missing field `channels`"),
        (http("200 OK", r#"{"channels":[]}"#).into(), "ResponseInvalid", "invalid type: sequence"),
        (
            http("200 OK", r#"{"channels":{"a-4.1":"text"}}"#).into(),
            "ResponseInvalid",
            "invalid type: string",
        ),
        (http("200 OK", &"[".repeat(100_000)).into(), "ResponseInvalid", "invalid type: sequence"),
        (huge.concat(), "ResponseInvalid", "the answer of HOST has more than 4 MiB"),
        (
            Vec::new(),
            "RemoteFailed",
            "Get \"http://HOST/api/upgrades_info/channels\": asking HOST failed",
        ),
    ];
    for (answer, reason, words) in cases {
        let run = asked(answer.clone(), &["--as", "crd"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let (found, message) = condition(&run);
        assert_eq!(found, reason, "{message}");
        assert!(message.starts_with(&format!("{not} {words}")), "{message}");
        assert_eq!(objects(&run.out).len(), 1, "{}", run.out);
        let listed = asked(answer, &[]);
        assert_eq!(listed.status, 2, "{}", listed.out);
        assert!(listed.err.contains(words), "{}", listed.err);
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let answer = "HTTP/1.1 302 Found\r\nLocation: https://sign.in/\r\nContent-Length: 0\r\n\r\n";
    let run = asked(answer, &["--as", "crd"]);
    let words = "exitpath: HOST redirects to https://sign.in/: exitpath does not follow\n";
    assert!(run.err.contains(words), "{}", run.err);
}

#[test]
fn a_service_that_is_slow_or_not_there_does_not_answer() {
    // The system accepts connections, and nobody answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let service = format!("http://{}", listener.local_addr().unwrap());
    let arguments = ["channels", "--service", &service, "--as", "crd", "--timeout", "1"];
    let (reason, message) = condition(&exitpath(arguments));
    assert_eq!(reason, "RemoteFailed");
    assert!(message.ends_with("does not answer within 1 second"), "{message}");
    // Another test can get the port as soon as it is free, so more than one is tried.
    let messages: Vec<String> = (0..5)
        .map(|_| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let service = format!("http://{}", listener.local_addr().unwrap());
            drop(listener);
            let arguments = ["channels", "--service", &service, "--as", "crd", "--timeout", "1"];
            let (reason, message) = condition(&exitpath(arguments));
            assert_eq!(reason, "RemoteFailed");
            message
        })
        .collect();
    let is_refused = |message: &String| message.ends_with("refuses the connection");
    assert!(messages.iter().any(is_refused), "{messages:?}");
}

#[test]
fn known_objects_of_another_kind_are_refused() {
    let scratch = Scratch::new("not-channels");
    let file = scratch.write("known.yaml", "apiVersion: v1\nkind: List\nitems: []\n");
    let known = ["--as", "crd", "--known", file.to_str().unwrap()];
    let failed = asked(http("503 Service Unavailable", ""), &known);
    assert_eq!(failed.status, 2);
    assert!(failed.err.contains("it has an object `List`"), "{}", failed.err);
}

#[test]
fn known_channels_stay_if_the_service_fails() {
    let scratch = Scratch::new("known-channels");
    let earlier = asked(http("200 OK", ANSWER), &["--as", "crd"]);
    let file = scratch.write("known.yaml", &earlier.out);
    let known = ["--as", "crd", "--known", file.to_str().unwrap()];
    let (objects_before, _) = earlier
        .out
        .split_once("---\napiVersion: config.openshift.io/v1\nkind: ClusterVersion")
        .unwrap();
    let failed = asked(http("503 Service Unavailable", ""), &known);
    assert!(failed.out.starts_with(objects_before), "{}", failed.out);
    assert_eq!(objects(&failed.out).len(), 4, "{}", failed.out);
    assert_eq!(condition(&failed).0, "ResponseFailed");
    assert!(failed.err.contains("the known channels stay"), "{}", failed.err);
    // What stays can stay again, and a new list replaces it.
    let file = scratch.write("again.yaml", &failed.out);
    let again = ["--as", "crd", "--known", file.to_str().unwrap()];
    assert_eq!(asked(http("503 Service Unavailable", ""), &again).out, failed.out);
    let renewed = asked(http("200 OK", r#"{"channels":{"new-4.19":{}}}"#), &again);
    assert_eq!(objects(&renewed.out).len(), 2, "{}", renewed.out);
}

#[test]
fn a_file_that_has_no_objects_is_refused() {
    let scratch = Scratch::new("known-channels");
    for text in ["a: [", "just text\n", "kind: Channel\n"] {
        let file = scratch.write("known.yaml", text);
        let known = ["--as", "crd", "--known", file.to_str().unwrap()];
        let run = asked(http("503 Service Unavailable", ""), &known);
        assert_eq!(run.status, 2, "{text}\n{}", run.out);
        assert!(run.err.contains("cannot use"), "{}", run.err);
    }
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    for arguments in [
        &["--known", "x", "--service", "http://localhost:1"][..],
        &["--as", "crd", "--format", "json"],
        &["--as", "crd", "--known", "x"],
        &["--service", "ftp://a"],
        &["--service", "http://localhost:1", "--repo", "."],
        &["--ca", "x"],
    ] {
        let run = exitpath([&["channels"], arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?} {}", run.out);
    }
}

/// The codes of `check` on channels with these descriptions.
fn findings(channels: &[(&str, &str)]) -> Vec<String> {
    let lines: Vec<(&str, String)> = channels
        .iter()
        .map(|(name, text)| (*name, format!("description: {}\n", Json::from(*text))))
        .collect();
    let lines: Vec<(&str, &str)> =
        lines.iter().map(|(name, line)| (*name, line.as_str())).collect();
    let repository = repository(&lines);
    let run = exitpath([
        "check",
        repository.path().to_str().unwrap(),
        "--select",
        "empty-description,contradictory-description",
        "--format",
        "json",
    ]);
    let report: Json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_default_texts_contradict_nothing() {
    let names: Vec<String> = ["candidate", "fast", "stable", "eus"]
        .iter()
        .flat_map(|phase| (0..25).map(move |minor| format!("{phase}-4.{minor}")))
        .collect();
    let all: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let list = list_at(repository(&all).path(), None);
    let texts: Vec<(String, String)> =
        names.iter().filter_map(|name| Some((name.clone(), text(&list, name)?.0))).collect();
    assert_eq!(texts.len(), 88);
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(findings(&texts), [""; 0]);
}

#[test]
fn a_text_about_other_channels_is_no_contradiction() {
    for text in [
        "Unlike candidate-4.18, which is not supported, this channel is for production.",
        "In candidate-4.18, releases are not supported.",
        "See candidate-4.18 for tests. It is not supported.",
        "Supported. Skipping releases is not supported.",
        "Updates from 4.16 are not supported.",
        "Not supported on ARM.",
        "The fast-4.18 releases, after a delay.",
        "fast-4.18 gets the releases that are promoted here later.",
        "See stable-4.17 for clusters of 4.17.",
    ] {
        assert_eq!(findings(&[("stable-4.18", text)]), [""; 0], "{text}");
    }
    for text in [
        "Releases for tests, until they are supported in fast-4.18.",
        "Supported only in fast-4.18.",
    ] {
        assert_eq!(findings(&[("candidate-4.18", text)]), [""; 0], "{text}");
    }
    let each =
        [("stable-4.17", "For 4.17."), ("stable-4.18", "For 4.18."), ("fast-4.18", "Quick.")];
    assert_eq!(findings(&each), [""; 0]);
}

#[test]
fn contradictions_are_found() {
    for (name, text, words) in [
        ("stable-4.18", "Not supported.", "is supported, but"),
        ("fast-4.18", "All releases. They are\nnot yet supported by Red Hat.", "is supported, but"),
        ("eus-4.18", "For tests, and unsupported.", "is supported, but"),
        ("fast-4.18", "This channel isn't supported in production!", "is supported, but"),
        ("candidate-4.18", "Releases of 4.18 are fully supported.", "is not supported, but"),
        ("stable-4.18", "stable-4.17 has all releases of 4.17.", "is about `stable-4.17`"),
        ("stable-4.18", "This is the fast-4.18 channel.", "is about `fast-4.18`"),
        ("stable-4.18", " \n ", "is empty"),
    ] {
        let found = findings(&[(name, text)]);
        assert!(found.len() == 1 && found[0].contains(words), "{text}: {found:?}");
    }
    let copied = [
        ("stable-4.18", "For clusters of 4.18 and  its staff."),
        ("fast-4.19", "for clusters of 4.19 and its staff."),
    ];
    let words = "`fast-4.19` and `stable-4.18` have the same description, but not the same purpose";
    assert_eq!(findings(&copied), [words]);
    let forgotten = [("stable-4.17", "Releases of 4.17."), ("stable-4.18", "Releases of 4.17.")];
    let words = "the description of `stable-4.18` is that of `stable-4.17`, and does not name 4.18";
    assert_eq!(findings(&forgotten), [words]);
}

/// A version that is found elsewhere comes with what the repository says of the channels.
#[test]
fn other_commands_print_declared_descriptions() {
    let copy = Scratch::copy_of("channels", Path::new(FIXTURE));
    let file = copy.path().join("channels/fast-4.15.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("description: |\n  For the\n  brave.\n{text}")).unwrap();
    let repo = copy.path().to_str().unwrap();
    let run = exitpath([
        "path",
        "4.14.1",
        "4.15.0",
        "--channel",
        "fast-4.14",
        "--repo",
        repo,
        "--releases",
        "fixtures/graphs/releases.json",
    ]);
    assert!(run.err.contains("\n  fast-4.15: For the brave.\n"), "{}", run.err);
    assert!(run.err.contains("  stable-4.15: The releases of fast-4.15"), "{}", run.err);
}
