//! `simulate --certificate`: what it states, and when it fails.

use std::fs;

use exitpath::testing::schema;
use serde_json::{Value, json};

use crate::clusters::diff::fixture;
use crate::{Run, Scratch, exitpath};

/// Makes a certificate, and returns it with what the command printed.
pub(crate) fn certify(arguments: &[&str]) -> (Value, Run) {
    let scratch = Scratch::new("certificate");
    let file = scratch.path().join("certificate.json");
    let run = exitpath(
        ["simulate", "--certificate", file.to_str().unwrap()]
            .into_iter()
            .chain(arguments.iter().copied()),
    );
    let text = fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", run.err));
    let certificate = serde_json::from_str(&text).unwrap();
    assert!(schema::CERTIFICATE.validator().is_valid(&certificate), "{certificate}");
    (certificate, run)
}

const SAFE: &str = "fixtures/graphs/before-the-fix.json";
const OKD: &str = "fixtures/graphs/okd.json";

#[test]
fn a_channel_with_paths_has_a_guarantee() {
    let (certificate, run) = certify(&["--graph", SAFE]);
    assert_eq!(run.status, 0, "{}", run.out);
    let holds = json!({"G1": true, "G2": true, "G3": null, "G4": null});
    assert_eq!(certificate["holds"], holds);
    assert_eq!(certificate["updates"]["predicted"], 0);
    let aim = &certificate["channels"][0]["aims"][0];
    assert_eq!(aim["paths"], json!({"4.13.10": ["4.13.8", "4.13.9"]}));
    assert!(run.out.contains("Updates: 11, all served."), "{}", run.out);
}

#[test]
fn a_goal_that_does_not_hold_fails() {
    let (certificate, run) = certify(&["--graph", SAFE, "--goal", "patch,minor"]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert_eq!(certificate["holds"]["G1"], false);
    assert_eq!(certificate["holds"]["G2"], true);
    let failures = &certificate["channels"][0]["aims"][2]["failures"];
    assert_eq!(failures[0]["sets"], json!([["VSphereNodesLoseTheirNames"]]));
    assert_eq!(failures[0]["complete"], true);
    let shown =
        "4.13.8 in stable-4.14 (amd64): minor 4.14\n    stranded by VSphereNodesLoseTheirNames";
    assert!(run.out.contains(shown), "{}", run.out);
}

#[test]
fn a_release_without_an_update_has_the_empty_set() {
    let (certificate, run) = certify(&["--graph", OKD]);
    assert_eq!(run.status, 1);
    assert!(certificate.to_string().contains(r#""release":"4.20.0-okd-scos.0","sets":[[]]"#));
    assert!(run.out.contains("there is no path, even without risks"), "{}", run.out);
}

#[test]
fn the_page_to_sign_has_the_digest_of_the_certificate() {
    let scratch = Scratch::new("certificate-page");
    let file = scratch.path().join("certificate.json");
    let arguments = ["--graph", SAFE, "--certificate", file.to_str().unwrap()];
    let on = |format| exitpath(["simulate", "--format", format].into_iter().chain(arguments));
    let page = on("markdown").out;
    assert!(page.contains("Its own SHA-256 is `"), "{page}");
    assert!(page.ends_with("Signed: ____________________  on: ____________________\n"), "{page}");
    assert_eq!(on("json").out, fs::read_to_string(&file).unwrap());
}

#[test]
fn a_change_that_takes_a_path_is_named() {
    let copy = fixture("certificate");
    let root = copy.path().to_str().unwrap();
    let (before, _) = certify(&[root, "--rev", "HEAD", "--supported", "*"]);
    let (same, _) = certify(&[root, "--base", "HEAD", "--supported", "*"]);
    assert_eq!(same["holds"]["G3"], true);
    assert_eq!(same["channels"], with_base(&before["channels"]));
    let subject = before["subject"].as_str().unwrap();
    let commit = subject.strip_prefix("HEAD (").unwrap().strip_suffix(')').unwrap();
    assert_eq!(same["base"], format!("{commit}, the merge base with HEAD"));
    // Every update to the newest patch of a minor gets a risk.
    let aims = before["channels"].as_array().unwrap().iter();
    let mut paths = aims.flat_map(|channel| channel["aims"].as_array().unwrap());
    let target = paths.find_map(|aim| aim["paths"].as_object()?.keys().next().cloned()).unwrap();
    let with = format!("to={target} from=.* name=Everything");
    let (after, run) = certify(&[root, "--base", "HEAD", "--supported", "*", "--with", &with]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert_eq!(after["holds"]["G3"], false);
    let lost = after["channels"].as_array().unwrap().iter();
    let lost: Vec<&Value> = lost.flat_map(|channel| channel["lost"].as_array().unwrap()).collect();
    assert!(lost.iter().all(|pair| pair[1] == target.as_str()), "{lost:?}");
    assert!(run.out.contains(&format!("there was a path to {target}\n")), "{}", run.out);
    assert!(!lost.is_empty());
}

/// The same channels at a base that equals them.
fn with_base(channels: &Value) -> Value {
    let mut channels = channels.clone();
    for channel in channels.as_array_mut().unwrap() {
        channel["base"] = channel["digest"].clone();
    }
    channels
}

#[test]
fn each_query_has_a_verdict_and_a_dictionary() {
    let repository = "fixtures/rules/untested-risk/good";
    let (certificate, run) =
        certify(&["--repo", repository, "--supported", "*", "--prove-queries"]);
    let query = &certificate["queries"][0];
    assert_eq!(query["risks"], json!(["ExampleRisk"]), "{certificate}");
    assert_eq!(query["reproduce"], "exitpath risk show ExampleRisk");
    assert_eq!((query["verdict"] == "proved"), (certificate["holds"]["G4"] == true));
    assert_eq!(certificate["dictionary"]["added"], json!([]));
    let holds = |statement: &str| certificate["holds"][statement] == true;
    assert_eq!(run.status == 0, ["G1", "G2", "G4"].into_iter().all(holds), "{}", run.out);
}

#[test]
fn a_query_that_is_not_proved_is_named_with_a_cluster() {
    let repository = "fixtures/rules/several-answers/bad";
    let (certificate, run) =
        certify(&["--repo", repository, "--supported", "*", "--prove-queries"]);
    assert_eq!((run.status, &certificate["holds"]["G4"]), (1, &json!(false)), "{}", run.out);
    let query = &certificate["queries"][0];
    assert_eq!(query["verdict"], "can-go-wrong");
    assert!(!query["witness"].as_array().unwrap().is_empty());
    assert!(run.out.contains("\n  ExampleRisk: on a cluster "), "{}", run.out);
}

#[test]
fn what_cannot_be_certified_is_an_error() {
    let cases: [(&[&str], &str); 4] = [
        (&["--graph", SAFE, "--goal", "any"], "a certificate is about the goals"),
        (&["--graph", SAFE, "--base", "HEAD"], "a graph file has none"),
        (&["--graph", SAFE, "--supported", ">=5"], "nothing was checked"),
        (&["--graph", SAFE, "--keep", "Some"], "cannot be used with"),
    ];
    let scratch = Scratch::new("no-certificate");
    let file = scratch.path().join("certificate.json");
    for (arguments, why) in cases {
        let command = ["simulate", "--certificate", file.to_str().unwrap()];
        let run = exitpath(command.into_iter().chain(arguments.iter().copied()));
        assert!(run.status == 2 && run.err.contains(why), "{arguments:?}: {}", run.err);
        assert!(!file.exists(), "{arguments:?}");
    }
}
