//! `exitpath path` from outside.

use serde_json::{Value, json};

use crate::{Run, exitpath};

fn path(arguments: &[&str]) -> Run {
    let repository =
        ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json", "-q"];
    exitpath(["path"].into_iter().chain(arguments.iter().copied()).chain(repository))
}

#[test]
fn a_way_is_told_hop_by_hop_with_its_channels_and_risks() {
    let run = path(&["4.13.8", "4.15.1"]);
    assert_eq!(
        run.out,
        "without any risk, 2 hops:\n  4.13.8 → 4.14.3  stable-4.14\n  4.14.3 → 4.15.1  stable-4.15\n"
    );
    let run = path(&["4.13.8", "4.14.2", "--channel", "stable-4.14"]);
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            0,
            "with the fewest risks, 1 hop:\n  4.13.8 → 4.14.2  stable-4.14  unless VSphereNodesLoseTheirNames\n"
        )
    );
}

#[test]
fn where_there_is_no_way_what_closes_it_is_told() {
    for (from, to, words) in [
        ("4.13.8", "4.14.0", "4.13.8 → 4.14.0 is blocked by blocked-edges/4.14.0.yaml"),
        ("4.14.0", "4.13.8", "no update leads on to 4.13.8"),
        ("4.15.1", "4.13.8", "no update leads away from 4.15.1"),
    ] {
        let run = path(&[from, to]);
        assert_eq!(run.status, 1);
        assert_eq!(run.out, format!("there is no way from {from} to {to}: {words}\n"));
    }
}

#[test]
fn programs_are_told_the_same() {
    let run = path(&["4.13.8", "4.14.2", "--channel", "stable-4.14", "--format", "json"]);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        found,
        json!({"version": 1, "from": "4.13.8", "to": "4.14.2", "ways": [
            {"kind": "fewest-risks", "hops": [
                {"from": "4.13.8", "to": "4.14.2", "channel": "stable-4.14", "risks": ["VSphereNodesLoseTheirNames"]}]}]})
    );
}

#[test]
fn a_release_that_is_not_there_is_said() {
    let run = path(&["4.13.8", "4.14.33"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("there is no release `4.14.33`\n          did you mean `4.14.3`?"),
        "{}",
        run.err
    );
}
