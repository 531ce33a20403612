//! The answers of a service, held against a repository.

use std::fs;
use std::path::Path;

use exitpath::testing::schema;
use serde_json::{Value, json};

use crate::{Run, Scratch, exitpath, git, real_data};

const FIXTURE: &str = "fixtures/graph-data";

/// A repository, the updates that its releases list, and a folder with answers.
struct Compared {
    repository: Scratch,
    listed: Scratch,
    answers: Scratch,
}

impl Compared {
    fn new() -> Self {
        let repository = Scratch::copy_of("compared", Path::new(FIXTURE));
        let answers = Scratch::new("answers");
        let listed = Scratch::new("listed");
        listed.write("graph.json", exitpath(["graph", FIXTURE, "--format", "json"]).out);
        let compared = Self { repository, listed, answers };
        for (channel, arch) in [("stable-4.14", "amd64"), ("stable-4.15", "arm64")] {
            let graph = ["graph", "--repo", compared.path(), "--channel", channel, "--arch", arch];
            let releases = ["--releases", &compared.releases(), "--format", "json"];
            let run = exitpath(graph.into_iter().chain(releases));
            compared.answers.write(&format!("{channel}.{arch}.json"), run.out);
        }
        compared
    }

    fn path(&self) -> &str {
        self.repository.path().to_str().unwrap()
    }

    fn releases(&self) -> String {
        self.listed.path().join("graph.json").to_str().unwrap().to_owned()
    }

    fn run(&self, more: &[&str]) -> Run {
        let answers = self.answers.path().to_str().unwrap();
        let arguments = ["compare", "--answers", answers, "--repo", self.path()];
        let releases = ["--releases", &self.releases()];
        exitpath(arguments.into_iter().chain(releases).chain(more.iter().copied()))
    }

    /// Changes the answer for stable-4.14.
    fn change(&self, change: impl FnOnce(&mut Value)) {
        let path = self.answers.path().join("stable-4.14.amd64.json");
        let mut answer = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut answer);
        fs::write(&path, answer.to_string()).unwrap();
    }
}

#[test]
fn equal_answers_are_equal() {
    let compared = Compared::new();
    let run = compared.run(&[]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert_eq!(run.out, "equal 2 answers with 28 updates\n");
    let json: Value = serde_json::from_str(&compared.run(&["--format", "json"]).out).unwrap();
    assert!(schema::COMPARE.validator().is_valid(&json), "{json}");
    assert_eq!((&json["equal"], &json["cause"]), (&json!(true), &Value::Null));
    let run = compared.run(&["--channel", "stable-4.15"]);
    assert!(run.out.starts_with("equal 1 answer with"), "{}", run.out);
}

/// A service that has not found the images of a release.
#[test]
fn a_release_that_is_not_scraped_is_the_cause() {
    let compared = Compared::new();
    compared.change(|answer| {
        let nodes = answer["nodes"].as_array_mut().unwrap();
        let last = nodes.len() - 1;
        let version = nodes.remove(last)["version"].clone();
        let edges = answer["edges"].as_array_mut().unwrap();
        edges.retain(|edge| edge[0] != json!(last) && edge[1] != json!(last));
        let groups = answer["conditionalEdges"].as_array_mut().unwrap();
        for group in groups.iter_mut() {
            let edges = group["edges"].as_array_mut().unwrap();
            edges.retain(|edge| edge["from"] != version && edge["to"] != version);
        }
        groups.retain(|group| !group["edges"].as_array().unwrap().is_empty());
    });
    let run = compared.run(&[]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..2], ["differs stable-4.14 for amd64", "  1 release only here: 4.14.3"]);
    assert!(run.out.ends_with(
        "Likely cause: the service has not found the images of these releases yet. Everything \
         else is equal.\n"
    ));
}

#[test]
fn an_older_revision_is_the_cause() {
    let compared = Compared::new();
    let repository = compared.repository.path();
    git(repository, &["init", "-q"]);
    for commit in ["one", "two"] {
        git(repository, &["add", "."]);
        git(repository, &["commit", "-qm", commit]);
        if commit == "one" {
            compared.repository.write(
                "blocked-edges/4.14.2-Added.yaml",
                "to: 4.14.2\nfrom: 4[.]14[.]1.*\nurl: https://example.com\nname: Added\n\
                 message: Added.\nmatchingRules:\n- type: Always\n",
            );
        }
    }
    let head = crate::shared::scratch::git_command()
        .args(["-C", compared.path(), "rev-parse", "HEAD~1"])
        .output();
    let older = String::from_utf8(head.unwrap().stdout).unwrap();
    let run = compared.run(&[]);
    assert_eq!(run.status, 1, "{} {}", run.out, run.err);
    assert!(
        run.out.contains(" without risks in the service and with Added here: 4.14.1 -> 4.14.2")
    );
    let cause = format!(
        "Likely cause: the service reads an older revision. At {}, all answers are equal.\n",
        older.trim()
    );
    assert!(run.out.ends_with(&cause), "{}", run.out);
    let json: Value = serde_json::from_str(&compared.run(&["--format", "json"]).out).unwrap();
    assert!(schema::COMPARE.validator().is_valid(&json), "{json}");
    assert_eq!(json["cause"]["commit"], older.trim());
}

#[test]
fn each_kind_of_difference_has_its_words() {
    let compared = Compared::new();
    compared.change(|answer| {
        answer["nodes"][0]["metadata"]["io.openshift.upgrades.graph.release.channels"] =
            json!("stable-4.14");
        answer["nodes"].as_array_mut().unwrap().push(json!({
            "version": "4.14.99", "payload": "image",
            "metadata": {"io.openshift.upgrades.graph.release.channels": "stable-4.14"}
        }));
        let group = &mut answer["conditionalEdges"][0];
        group["risks"][0]["message"] = json!("Another\u{1b}[31m text.");
        let edges = group["edges"].as_array_mut().unwrap();
        edges.pop();
        answer["edges"].as_array_mut().unwrap().remove(0);
    });
    let run = compared.run(&[]);
    for words in [
        "  1 release only in the service: 4.14.99\n",
        "  1 release with other channels: 4.13.8\n",
        "  1 update only here, without risks: ",
        "  1 update only here, with ",
        "  1 risk with another text or rule: ",
        "The cause is not known",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    assert!(!run.out.contains('\u{1b}'));
    let json: Value = serde_json::from_str(&compared.run(&["--format", "json"]).out).unwrap();
    assert!(schema::COMPARE.validator().is_valid(&json), "{json}");
}

#[test]
fn an_answer_that_is_missing_or_broken_is_not_equal() {
    let compared = Compared::new();
    compared.answers.write("fast-4.14.json", "{\"nodes\":[");
    let run = compared.run(&[]);
    assert_eq!(run.status, 2);
    assert!(run.out.contains("not compared fast-4.14 for amd64: line 1 "), "{}", run.out);
    assert!(run.out.contains("equal 2 answers"), "{}", run.out);
    let empty = Scratch::new("no-answers");
    let folder = empty.path().to_str().unwrap();
    let run = exitpath(["compare", "--answers", folder, "--repo", FIXTURE]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("has no answers"), "{}", run.err);
    let run = compared.run(&["--channel", "none-1.0"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    let run = exitpath(["compare", "--repo", FIXTURE]);
    assert_eq!(run.status, 2);
    let closed = ["compare", "--service", "http://127.0.0.1:1", "--repo", FIXTURE];
    let run = exitpath(closed.into_iter().chain(["--channel", "stable-4.14"]));
    assert_eq!(run.status, 2);
    assert!(run.out.contains("127.0.0.1:1 refuses the connection"), "{}", run.out);
    let run = exitpath(closed.into_iter().chain(["--channel", "stable-4.41"]));
    assert!(run.err.contains("did you mean `stable-4.14`?"), "{}", run.err);
}

/// An answer that breaks clusters is not equal, whatever it says.
#[test]
fn what_clusters_reject_is_not_compared() {
    let node =
        |version: &str| format!(r#"{{"version":"{version}","payload":"a","metadata":{{}}}}"#);
    let (one, two) = (node("4.14.1"), node("4.14.2"));
    let pair = r#"{"edges":[{"from":"4.14.1","to":"4.14.2"}],"risks":[{"url":"u","name":"N","message":"m","matchingRules":[{"type":"Always"}]}]}"#;
    for (answer, expected) in [
        (format!(r#"{{"nodes":[{}],"edges":[]}}"#, node("v4.99")), "clusters reject it"),
        (format!(r#"{{"nodes":[{one}],"edges":[[0,9]]}}"#), "no release number 9"),
        (format!(r#"{{"nodes":[{one},{one}],"edges":[]}}"#), "the release 4.14.1 twice"),
        (
            format!(r#"{{"nodes":[{one}],"edges":[],"conditionalEdges":[{pair}]}}"#),
            "no release 4.14.2",
        ),
        (
            format!(r#"{{"nodes":[{one},{two}],"edges":[[0,1]],"conditionalEdges":[{pair}]}}"#),
            "twice",
        ),
        (
            format!(r#"{{"nodes":[{one},{two}],"edges":[],"conditionalEdges":[{pair},{pair}]}}"#),
            "twice",
        ),
        (r#"{"kind":"x","value":"y"}"#.to_owned(), "not compared stable-4.14"),
        ("{}".to_owned(), "not compared stable-4.14"),
    ] {
        let compared = Compared::new();
        compared.answers.write("stable-4.14.amd64.json", &answer);
        let run = compared.run(&[]);
        assert_eq!(run.status, 2, "{answer}: {}", run.out);
        assert!(run.out.contains(expected), "{answer}: {}", run.out);
    }
}

#[test]
fn an_empty_answer_means_that_the_service_has_no_such_channel() {
    let compared = Compared::new();
    let nothing = r#"{"version":1,"nodes":[],"edges":[],"conditionalEdges":[]}"#;
    compared.answers.write("stable-4.14.amd64.json", nothing);
    let run = compared.run(&[]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("Likely cause: the service has no such channel"), "{}", run.out);
}

#[test]
fn names_of_risks_are_printed_safely() {
    let compared = Compared::new();
    compared.change(|answer| {
        let name = "A\u{1b}]0;x\u{7}\nequal 1 answer";
        answer["conditionalEdges"][0]["risks"][0]["name"] = json!(name);
    });
    let run = compared.run(&[]);
    assert!(!run.out.contains('\u{1b}') && !run.out.contains("\nequal 1 answer\n"), "{}", run.out);
}

#[cfg(feature = "serve")]
#[test]
fn our_own_service_is_equal() {
    let served = crate::surfaces::serve::Served::start([FIXTURE]);
    let api = format!("http://{}/api/upgrades_info", served.clients);
    for url in [format!("http://{}", served.clients), api.clone(), format!("{api}/v1/graph")] {
        let arguments = ["compare", "--service", &url, "--repo", FIXTURE];
        let run = exitpath(arguments.into_iter().chain(["--arch", "amd64,multi"]));
        assert_eq!((run.status, run.out.as_str()), (0, "equal 12 answers with 194 updates\n"));
    }
}

/// What production answered on the day of the newest revision. Two of the answers are from before
/// a promotion; and where the history does not tell, a few updates are predicted wrong.
#[test]
fn production_is_nearly_equal() {
    let Some(history) = real_data::history() else { return };
    let answers = real_data::data("served").unwrap();
    let (answers, repository) = (answers.to_str().unwrap(), history.to_str().unwrap());
    let arguments = ["compare", "--answers", answers, "--repo", repository, "--rev", "HEAD"];
    let run = exitpath(arguments.into_iter().chain(["--format", "json", "--look-back", "0"]));
    let json: Value = serde_json::from_str(&run.out).unwrap();
    let answers = json["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 5);
    for answer in answers {
        let count = |key: &str| answer[key].as_array().unwrap().len();
        let releases = count("only_theirs") + count("only_ours") + count("different_risks");
        assert_eq!(releases, 0, "{answer}");
        assert!(count("different_updates") <= 3, "{answer}");
    }
}
