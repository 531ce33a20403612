//! What the service answers is what the other commands print.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Served, get, graph_of, text_of};
use crate::surfaces::explorer::explored;
use crate::{Scratch, exitpath, files_below, git, real_data};

const ARCHITECTURES: [&str; 5] = ["amd64", "arm64", "multi", "ppc64le", "s390x"];

fn printed(repository: &str, channel: &str, arch: &str) -> String {
    let arguments = ["graph", "--repo", repository, "--channel", channel, "--arch", arch];
    exitpath(arguments.into_iter().chain(["--format", "json"])).out
}

/// Clusters tell releases apart by their images, so the service names those that nobody knows.
fn without_images(mut graph: Value) -> Value {
    let mut images = BTreeSet::new();
    for node in graph["nodes"].as_array_mut().unwrap() {
        let image = node["payload"].take();
        assert!(image == "" || images.insert(image.to_string()), "{image} is there twice");
    }
    graph
}

#[test]
fn answers_equal_the_command_for_all_channels_and_architectures() {
    let repository = "fixtures/graph-data";
    let served = Served::start([repository, "--raw", "127.0.0.1:0"]);
    let list = served.get("/api/upgrades_info/channels").json();
    let channels = list["channels"].as_object().unwrap();
    assert_eq!(channels.len(), 6);
    for channel in channels.keys() {
        for arch in ARCHITECTURES {
            let answer = served.get(&graph_of(channel, arch)).json();
            let printed = serde_json::from_str(&printed(repository, channel, arch)).unwrap();
            assert_eq!(without_images(answer), without_images(printed), "{channel} {arch}");
        }
    }
    let raw = get(served.raw.unwrap(), "/graph", &[]);
    let whole = exitpath(["graph", "--repo", repository, "--format", "json"]);
    let whole = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(without_images(raw.json()), without_images(whole));
    let list = exitpath(["channels", "--repo", repository, "--format", "json"]);
    assert_eq!(served.get("/api/upgrades_info/channels").text().trim(), list.out.trim());
}

/// The newest revision: each channel, for one of the architectures in turn.
#[test]
fn answers_equal_the_command_on_real_data() {
    let Some(history) = real_data::history() else { return };
    let repository = text_of(history);
    let served = Served::start([repository, "--rev", "HEAD"]);
    let list = served.get("/api/upgrades_info/channels").json();
    let channels: Vec<&String> = list["channels"].as_object().unwrap().keys().collect();
    assert!(channels.len() > 70);
    // The whole graph has what the command prints for each channel.
    for (nth, channel) in channels.into_iter().enumerate() {
        let arch = ARCHITECTURES[nth % ARCHITECTURES.len()];
        let arguments = ["graph", "--repo", repository, "--rev", "HEAD", "--channel", channel];
        let printed =
            exitpath(arguments.into_iter().chain(["--arch", arch, "--format", "json"])).out;
        let printed = without_images(serde_json::from_str(&printed).unwrap());
        let answer = served.get(&graph_of(channel, arch)).json();
        assert!(without_images(answer) == printed, "{channel} {arch}");
    }
}

/// What production answered is served as it was, apart from what only its nodes say.
#[test]
fn production_answers_are_served_as_they_were() {
    let Some(folder) = real_data::data("served") else {
        return;
    };
    for file in files_below(&folder) {
        let channel = file.file_stem().unwrap().to_str().unwrap();
        let served = Served::start(["--graph", text_of(&file)]);
        let production: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let ours = served.get(&graph_of(channel, "amd64")).json();
        assert_eq!(updates(&ours), updates(&production), "{channel}");
        let list = served.get("/api/upgrades_info/channels").json();
        let names: Vec<&String> = list["channels"].as_object().unwrap().keys().collect();
        assert_eq!(names, [channel]);
    }
}

/// All updates in words, sorted, and the metadata of all releases.
fn updates(graph: &Value) -> Vec<String> {
    let nodes = graph["nodes"].as_array().unwrap();
    let version = |at: &Value| {
        let at = usize::try_from(at.as_u64().unwrap()).unwrap();
        nodes[at]["version"].as_str().unwrap()
    };
    let open = graph["edges"].as_array().unwrap().iter();
    let mut lines: Vec<String> =
        open.map(|edge| format!("{} -> {}", version(&edge[0]), version(&edge[1]))).collect();
    for group in graph["conditionalEdges"].as_array().unwrap() {
        for edge in group["edges"].as_array().unwrap() {
            lines.push(format!("{} -> {} {}", edge["from"], edge["to"], group["risks"]));
        }
    }
    lines.extend(nodes.iter().map(|node| format!("{} {}", node["version"], node["metadata"])));
    lines.sort();
    lines
}

#[test]
fn the_archive_has_the_files_that_the_service_reads() {
    let scratch = Scratch::copy_of("archive", Path::new("fixtures/graph-data"));
    scratch.write("LICENSE", "a license\n");
    scratch.write("OWNERS", "nobody\n");
    scratch.write("channels/notes.txt", "not data\n");
    scratch.write("channels/deep/stable-4.9.yaml", "name: stable-4.9\nversions: []\n");
    let long = format!("blocked-edges/4.15.0-{}.yaml", "Long".repeat(40));
    scratch.write(&long, "to: 4.15.0\nfrom: 4[.]14[.]0\n");
    let served = Served::start([text_of(scratch.path())]);
    let archive = served.get("/graph-data");
    let unpacked = Scratch::new("unpacked");
    let file = unpacked.write("archive.tar.gz", &archive.body);
    let listed = Command::new("tar").arg("tzf").arg(&file).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.starts_with("./LICENSE\n./blocked-edges/4.14.0.yaml\n"), "{listed}");
    let folder = unpacked.path().join("data");
    fs::create_dir(&folder).unwrap();
    let status = Command::new("tar").arg("xzf").arg(&file).arg("-C").arg(&folder).status();
    assert!(status.unwrap().success());
    let mut expected = vec!["LICENSE".to_owned(), "version".into(), "raw/metadata.json".into()];
    for folder in ["blocked-edges", "channels"] {
        let names = fs::read_dir(scratch.path().join(folder)).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| Path::new(name).extension() == Some("yaml".as_ref()));
        expected.extend(names.map(|name| format!("{folder}/{name}")));
    }
    expected.sort();
    let found: Vec<String> = files_below(&folder)
        .iter()
        .map(|path| text_of(path.strip_prefix(&folder).unwrap()).to_owned())
        .collect();
    assert_eq!(found, expected);
    for path in expected {
        let original = fs::read(scratch.path().join(&path)).unwrap();
        assert!(fs::read(folder.join(&path)).unwrap() == original, "{path}");
    }
}

/// A file that leads out of the repository is not read, and without it the archive would lack a
/// block.
#[cfg(unix)]
#[test]
fn an_archive_with_a_file_that_cannot_be_read_is_refused() {
    let scratch = Scratch::copy_of("leaky", Path::new("fixtures/graph-data"));
    let outside = Scratch::new("outside");
    let secret = outside.write("secret.yaml", "to: 4.15.0\nfrom: secret\n");
    let link = scratch.path().join("blocked-edges/4.15.0-Link.yaml");
    std::os::unix::fs::symlink(secret, link).unwrap();
    let served = Served::start([text_of(scratch.path())]);
    served.wait_for("blocked-edges/4.15.0-Link.yaml: the service does not load it");
    let answer = served.get("/graph-data");
    assert_eq!(answer.status, 500);
    assert_eq!(
        answer.text(),
        r#"{"kind":"file_open_err","value":"failed to open file: unable to open blocked-edges/4.15.0-Link.yaml"}"#
    );
    for path in ["/", "/channels/stable-4.15", "/api/upgrades_info/graph?channel=stable-4.15"] {
        assert!(!served.get(path).text().contains("secret"), "{path}");
    }
}

/// Texts from the data cannot add to a page.
#[test]
fn the_page_has_texts_only_as_data_and_marks_default_texts() {
    let scratch = Scratch::copy_of("page", Path::new("fixtures/graph-data"));
    let channel = scratch.path().join("channels/stable-4.14.yaml");
    let text = fs::read_to_string(&channel).unwrap();
    fs::write(&channel, format!("{text}description: <script>alert(1)</script>\n")).unwrap();
    scratch.write(
        "blocked-edges/4.14.2-Page.yaml",
        "to: 4.14.2\nfrom: .*\nurl: https://example.com/\"><b>\nname: Page\n\
         message: <img src=x onerror=alert(1)>\nmatchingRules:\n- type: Always\n",
    );
    let served = Served::start([text_of(scratch.path())]);
    for path in ["/", "/channels/stable-4.14", "/channels/%3Cscript%3E"] {
        let page = served.get(path);
        for text in ["<script>alert", "<img", "\"><b>"] {
            assert!(!page.text().contains(text), "{path}: {text}");
        }
    }
    let page = served.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    let page = explored(page.text());
    let channels = page["states"][0]["channels"].as_array().unwrap();
    let named = |name: &str| channels.iter().find(|channel| channel["name"] == name).unwrap();
    assert_eq!(named("stable-4.14")["purpose"], "<script>alert(1)</script>");
    let with_default_text = |channel: &&Value| channel["has_default_text"] == true;
    assert_eq!(channels.iter().filter(with_default_text).count(), 5);
    let risks = page["risks"].as_array().unwrap();
    assert!(risks.iter().any(|risk| risk["message"] == "<img src=x onerror=alert(1)>"));
    let channel = served.get("/channels/stable-4.14?arch=arm64");
    assert_eq!(channel.header("location").unwrap(), "/#channel=stable-4.14&arch=arm64");
}

#[test]
fn a_change_can_be_served_before_it_is_made() {
    let block = "to=4.14.2 from=.* name=Tried";
    let served = Served::start(["fixtures/graph-data", "--with", block]);
    let answer = served.get(&graph_of("stable-4.14", "amd64")).json();
    let risks = answer["conditionalEdges"].to_string();
    assert!(risks.contains("Tried"), "{risks}");
    let arguments = ["graph", "--repo", "fixtures/graph-data", "--channel", "stable-4.14"];
    let printed = exitpath(arguments.into_iter().chain(["--with", block, "--format", "json"]));
    let printed = serde_json::from_str(&printed.out).unwrap();
    assert_eq!(without_images(answer), without_images(printed));
}

#[test]
fn a_branch_is_served_and_followed() {
    let scratch = Scratch::copy_of("branch", Path::new("fixtures/graph-data"));
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "."]);
    git(scratch.path(), &["commit", "-qm", "one"]);
    let served = Served::start([text_of(scratch.path()), "--rev", "main"]);
    let path = graph_of("stable-4.14", "amd64");
    let before = served.get(&path).body;
    // What is not committed is not served.
    fs::remove_file(scratch.path().join("channels/stable-4.14.yaml")).unwrap();
    git(scratch.path(), &["add", "."]);
    assert_eq!(served.get(&path).body, before);
    git(scratch.path(), &["commit", "-qm", "two"]);
    served.wait_for("the data changed");
    assert!(served.get(&path).json()["nodes"].as_array().unwrap().is_empty());
}

#[test]
fn the_log_has_a_line_for_each_request() {
    let mut served = Served::start(["fixtures/graph-data"]);
    served.get("/api/upgrades_info/graph?channel=stable-4.14&id=%1b[31m");
    let line = served.wait_for("/api/upgrades_info/graph?channel=stable-4.14&id=%1b[31m");
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    assert_eq!(words[..2], ["127.0.0.1", "GET"]);
    assert_eq!((words[3], words[5]), ("200", "bytes"), "{line}");
    assert_eq!(served.stop(), Some(0));
    served.wait_for("exitpath: stopped");
}

#[test]
fn clusters_are_told_apart_from_what_is_known() {
    let served = Served::start(["fixtures/graph-data"]);
    let told = "the images of some releases are not known, and get their usual names: clusters can \
                read these answers, but cannot apply the updates";
    served.wait_for(told);
    for _ in 0..3 {
        served.get(&graph_of("stable-4.14", "amd64"));
    }
    assert_eq!(served.log().iter().filter(|line| line.contains(told)).count(), 1);
}
