//! `exitpath cluster --timeline`: what a cluster does after a change, and when.

use std::path::Path;

use exitpath::testing::schema;
use serde_json::{Value as Json, json};

use crate::{Run, Scratch, exitpath};

/// A risk of 4.14.3 with a query.
fn timeline(name: &str, query: &str, flags: &[&str]) -> Run {
    let scratch = Scratch::new(&format!("timeline-{name}"));
    let risk = format!(
        "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://example.com/{name}\nname: {name}\n\
         message: It is a risk.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: {query}\n"
    );
    let file = scratch.write(&format!("4.14.3-{name}.yaml"), risk);
    let cluster = ["cluster", "--version", "4.13.10", "--channel", "stable-4.14", "--timeline"];
    let repository =
        ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    let given = ["--sample", "vsphere", "--add", file.to_str().unwrap()];
    exitpath(cluster.into_iter().chain(repository).chain(given).chain(flags.iter().copied()))
}

fn events(run: &Run) -> Vec<Json> {
    let report: Json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    assert!(schema::CLUSTER_TIMELINE.validator().is_valid(&report), "{report}");
    report["events"].as_array().unwrap().clone()
}

#[test]
fn a_query_without_an_answer_leads_to_the_alert_after_an_hour() {
    let run = timeline("Unclear", "group(nothing)", &["--operator", "4.18"]);
    assert_eq!(
        run.out,
        "\
A cluster with 4.13.10 in stable-4.14

  0:00:00     the change is merged
  by 0:05:00  the update service has read it; it reads every 5 minutes
  by 0:09:00  the operator has asked the service; it asks every 2 to 4 minutes

From the moment at which the operator has the change

  0:00:00  the operator asks about Unclear
  0:00:00  4.14.3: unknown, before recommended
  1:00:00  the operator asks again about Unclear
  1:00:00  the alert CannotEvaluateConditionalUpdates fires
  2:00:00 to 3:00:00  the operator asks again about Unclear

A query that fails is asked again after an hour. A repair of the repository takes as long as the change: up to 0:09:00.
"
    );
}

#[test]
fn a_query_with_an_answer_decides_at_once() {
    let query = "group(cluster_version)";
    let events = events(&timeline("Clear", query, &["--operator", "4.18", "--format", "json"]));
    let asked = json!({"after": 0, "event": "asked", "risks": ["Clear"], "again": false});
    let changed = json!({"after": 0, "event": "changed", "version": "4.14.3",
        "from": "recommended", "to": "not recommended (Clear)"});
    assert_eq!(events[..2], [asked, changed]);
    assert!(events.iter().all(|event| event["event"] != "alert"), "{events:?}");
}

/// The second new query waits for a second, and on old operators for ten minutes.
#[test]
fn the_next_query_waits() {
    for (operator, seconds) in [("4.18", 1), ("4.13", 600)] {
        let flags =
            ["--operator", operator, "--format", "json", "--with", "to=4.14.2 from=.* name=All"];
        let run = timeline("Second", "group(cluster_version)", &flags);
        let mut asked = events(&run).into_iter().filter(|event| event["event"] == "asked");
        let first = asked.find(|event| event["risks"] == json!(["Second"])).unwrap();
        let wait = first["after"].as_u64().unwrap();
        // An old query may be due at the same time.
        assert!(wait == 0 || wait == seconds, "{operator}: {wait}");
    }
    let words = timeline("Slow", "group(cluster_version)", &["--operator", "4.13"]).out;
    assert!(words.contains("known from descriptions of maintainers only"), "{words}");
}

#[test]
fn the_picture_is_valid_and_escapes_what_it_shows() {
    let flags = ["--operator", "4.18", "--format", "svg"];
    let run = timeline("Unclear", "group(nothing)", &flags);
    let picture = roxmltree::Document::parse(&run.out).unwrap();
    let texts: Vec<&str> = picture.descendants().filter_map(|node| node.text()).collect();
    for expected in ["4.14.3", "unknown", "fires", "queries asked", "1 h"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
}

#[test]
fn a_timeline_needs_a_change() {
    let cluster = ["cluster", "--version", "4.13.10", "--channel", "stable-4.14", "--timeline"];
    let repository =
        ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    let run = exitpath(cluster.into_iter().chain(repository));
    assert_eq!(run.status, 2);
    assert!(run.err.contains("`--timeline` needs a change"), "{}", run.err);
    let picture =
        ["cluster", "--version", "4.13.10", "--channel", "stable-4.14", "--format", "svg"];
    let run = exitpath(picture.into_iter().chain(repository));
    assert!(run.err.contains("only a timeline is drawn as SVG"), "{}", run.err);
}

/// A cluster that could not tell before the change raises the alert without it.
#[test]
fn an_alert_that_fires_anyway_is_not_blamed_on_the_change() {
    let scratch = Scratch::copy_of("timeline-alert", Path::new("fixtures/graph-data"));
    let broken = "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://example.com/1\nname: Broken\nmessage: It is a risk.\n\
        matchingRules:\n- type: PromQL\n  promql:\n    promql: group(nothing)\n";
    scratch.write("blocked-edges/4.14.3-Broken.yaml", broken);
    let repository = ["--repo", scratch.path().to_str().unwrap()];
    let cluster = ["cluster", "--version", "4.13.10", "--channel", "stable-4.14", "--timeline"];
    let given = [
        "--releases",
        "fixtures/graphs/releases.json",
        "--sample",
        "vsphere",
        "--operator",
        "4.18",
    ];
    let timeline = |change: [&str; 2]| {
        let flags = cluster.into_iter().chain(repository).chain(given).chain(change);
        exitpath(flags).out
    };
    let elsewhere = timeline(["--with", "to=4.14.0 from=4.13.9 name=Example"]);
    assert!(
        elsewhere.contains("before   the alert CannotEvaluateConditionalUpdates fires already"),
        "{elsewhere}"
    );
    assert!(elsewhere.contains("Nothing changes for this cluster in three hours."), "{elsewhere}");
    assert!(!elsewhere.contains("1:00:00  the alert"), "{elsewhere}");
    let picture = cluster.into_iter().chain(repository).chain(given);
    let picture = exitpath(picture.chain([
        "--with",
        "to=4.14.0 from=4.13.9 name=Example",
        "--format",
        "svg",
    ]));
    assert!(picture.out.contains(">fires</text>"), "{}", picture.out);
    let repaired = timeline(["--without", "Broken"]);
    assert!(repaired.contains("0:00:00  4.14.3: recommended, before unknown"), "{repaired}");
    assert!(
        repaired.contains("0:00:00  the alert CannotEvaluateConditionalUpdates ends"),
        "{repaired}"
    );
}
