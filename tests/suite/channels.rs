//! The list of channels, as an update service serves it.

use std::path::Path;

use exitpath::testing::channel_list::ChannelList;
use exitpath::testing::graph_data::{GraphData, blobs};
use exitpath::testing::schema;
use serde_json::{Value as Json, json};

use crate::Scratch;
use crate::real_data::history;

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
    assert!(fast.contains("supported") && fast.contains("updates from 4.17 to 4.18"), "{fast}");
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
    let names = ["candidate-4.18", "eus-4.17", "eus-4.18", "fast-4.18", "stable-4.0"];
    let list = list_at(repository(&names.map(|name| (name, ""))).path(), None);
    let text = |name| text(&list, name).map(|(text, _)| text);
    assert!(text("candidate-4.18").unwrap().contains("not supported"));
    assert!(text("eus-4.18").unwrap().contains("updates from 4.16 to 4.18"));
    assert_eq!(text("eus-4.17"), None, "an odd minor has no extended support");
    assert!(!text("stable-4.0").unwrap().contains("updates from"), "nothing is before 4.0");
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
    let files = std::process::Command::new("git")
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
    let phases = ["candidate-", "eus-", "fast-", "stable-"];
    for name in names.iter().filter(|name| phases.iter().any(|phase| name.starts_with(phase))) {
        assert!(list.description(name).is_some(), "{name}");
    }
}

#[test]
fn the_fixture_is_listed() {
    let body = body(&list_at(Path::new(FIXTURE), None));
    assert_eq!(body["channels"].as_object().map(serde_json::Map::len), Some(6));
    assert_eq!(body["defaultDescriptions"].as_array().map(Vec::len), Some(6));
}
