//! Typical mistakes of somebody who edits the data by hand. The report of each names the mistake,
//! and says how to repair it.

use std::fmt::Write;
use std::fs;

use crate::{Scratch, exitpath};

const RISK: &str = "blocked-edges/4.14.1-VSphereNodesLoseTheirNames.yaml";
const CHANNEL: &str = "channels/stable-4.14.yaml";

/// A text in a file, what is there by mistake, and what the first finding says.
struct Mistake {
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    rule: &'static str,
    says: &'static str,
}

const fn mistake(
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    rule: &'static str,
    says: &'static str,
) -> Mistake {
    Mistake { file, right, wrong, rule, says }
}

const MISTAKES: [Mistake; 30] = [
    mistake(RISK, "\nfrom:", "\nform:", "missing-key", "did you mean `from`?"),
    mistake(RISK, "matchingRules", "matchinRules", "missing-key", "did you mean `matchingRules`?"),
    mistake(RISK, "type: PromQL", "type: promql", "unknown-rule-type", "did you mean `PromQL`?"),
    mistake(RISK, "https://", "htps:/", "vague-url", "did you mean `https://issues.example.com/"),
    mistake(RISK, "https://", "https:/", "vague-url", "did you mean `https://issues.example.com/"),
    mistake(RISK, "4[.]13", "4[.13", "invalid-from", "each `(`, `[`, and `{` needs its matching"),
    mistake(RISK, "^4[.]13", "^3[.]14", "from-matches-nothing", "matches no release"),
    mistake(RISK, "from: ^4[.]13[.].*$", "from:\n- 4.13.8", "from-not-text", "write one regular"),
    mistake(RISK, "to: 4.14.1", "to: 4.41.1", "unknown-target", "did you mean 4.14.1?"),
    mistake(RISK, "to: 4.14.1", "to: 4.14", "invalid-version", "write the full version"),
    mistake(RISK, "\nfrom", "\nfixedIn: 4.14\nfrom", "invalid-version", "write the full version"),
    mistake(
        RISK,
        "message: Nodes",
        "message: Note: nodes",
        "yaml-syntax",
        "put the text in quotes",
    ),
    mistake(RISK, "\n  promql:", "\n promql:", "yaml-syntax", "indent it by 0 or 2 spaces"),
    mistake(
        RISK,
        "\n  promql:",
        "\n    promql:",
        "yaml-syntax",
        "indent it by 2 spaces, like `type`",
    ),
    mistake(RISK, "\n  promql:", "\n\tpromql:", "yaml-syntax", "use spaces"),
    mistake(
        RISK,
        "url:",
        "<<<<<<< HEAD\nurl:",
        "merge-conflict",
        "choose between the two versions",
    ),
    mistake(
        RISK,
        "\"VSphere\"})",
        "\"VSphere\"}",
        "invalid-promql",
        "is a `)` missing after this?",
    ),
    mistake(
        RISK,
        "\"VSphere\"})",
        "\"VSphere\")",
        "invalid-promql",
        "is a `}` missing before this",
    ),
    mistake(RISK, "\"VSphere\"}", "\"VSphere}", "invalid-promql", "this `\"` is not closed"),
    mistake(RISK, "\"VSphere\"", "“VSphere”", "invalid-promql", "quotes are written `\"` or `'`"),
    mistake(
        RISK,
        "group(cluster_infrastructure_provider{_id=\"\"})",
        "group by (type (cluster_infrastructure_provider{_id=\"\"}))",
        "invalid-promql",
        "is a `)` missing before this, after the labels?",
    ),
    mistake(RISK, "message: ", "=======\nmessage: ", "yaml-syntax", "a merge conflict"),
    mistake(RISK, "name: ", "name:\u{a0}", "yaml-syntax", "a no-break space"),
    mistake(RISK, "^4[.]13[.].*$", "*", "yaml-syntax", "to match any text, write `.*`"),
    mistake(RISK, "4[.]13[.]", "4[.]1[4-3][.]", "invalid-from", "the smaller end of the range"),
    mistake(RISK, "promql: |", "query: |", "empty-promql", "`query`"),
    mistake(CHANNEL, "- 4.14.1\n", "- 4.14.1,\n", "invalid-version", "it contains `,`"),
    mistake(CHANNEL, "\nversions:", "\nversion:", "missing-key", "did you mean `versions`?"),
    mistake(CHANNEL, "- 4.14.1\n", "4.14.1\n", "yaml-syntax", "a list item that starts with `- `"),
    mistake(CHANNEL, "- 4.14.1\n", "- 4.14.1.\n", "invalid-version", "write the full version"),
];

#[test]
fn a_version_that_the_channel_has_is_no_repair() {
    let distant = |listed: &str| {
        let scratch = Scratch::copy_of("repair-distant", "fixtures/graph-data".as_ref());
        let file = scratch.path().join("channels/candidate-4.14.yaml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("- 4.14.3\n"), "{text}");
        fs::write(&file, text.replacen("- 4.14.3\n", listed, 1)).unwrap();
        let out = report(&scratch);
        let part = out.split("\nEP").find(|part| part.contains("distant-version"));
        part.unwrap_or_default().to_owned()
    };
    assert!(distant("- 4.14.33\n").contains("did you mean 4.14.3?"));
    assert!(distant("- 4.14.3\n- 4.14.33\n").contains("correct it, or remove it"));
}

#[test]
fn typical_mistakes_can_be_repaired_from_the_report() {
    let mut faults = String::new();
    for (nth, one) in MISTAKES.iter().enumerate() {
        let scratch = Scratch::copy_of(&format!("repair-{nth}"), "fixtures/graph-data".as_ref());
        let file = scratch.path().join(one.file);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(one.right), "{}", one.right);
        fs::write(&file, text.replacen(one.right, one.wrong, 1)).unwrap();
        let out = report(&scratch);
        let (rule, says) = (one.rule, one.says);
        let first = out.split("\n\n").find(|part| part.starts_with("EP")).unwrap_or_default();
        let words: Vec<&str> = out.split_whitespace().filter(|word| *word != "│").collect();
        if !first.ends_with(rule) || !words.join(" ").contains(says) {
            let _ = writeln!(faults, "{}: not {rule} first, or not `{says}`:\n{out}", one.wrong);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn a_copied_file_gets_the_finding_and_no_advice_to_take_the_name_of_the_original() {
    for (copy, key) in [
        ("blocked-edges/4.14.3-VSphereNodesLoseTheirNames.yaml", "`to`"),
        ("blocked-edges/4.14.1-Another.yaml", "`name`"),
    ] {
        let scratch = Scratch::copy_of("copied", "fixtures/graph-data".as_ref());
        fs::copy(scratch.path().join(RISK), scratch.path().join(copy)).unwrap();
        let out = report(&scratch);
        let first = out.split("EP").nth(1).unwrap_or_default();
        assert!(first.contains("213 duplicate-risk"), "{out}");
        assert!(first.contains(&format!("{copy}:4:7]")), "{out}");
        assert!(first.contains(&format!("was this file copied without editing {key}?")), "{out}");
        assert!(!out.contains("rename to"), "{out}");
    }
}

fn report(scratch: &Scratch) -> String {
    let root = scratch.path().to_str().unwrap();
    exitpath(["check", root, "--releases", "fixtures/graphs/releases.json", "--info"]).out
}

/// What follows from a mistake is not reported as another one.
#[test]
fn a_channel_that_does_not_load_has_one_finding() {
    for (right, wrong, rule) in [
        ("- 4.14.1\n", "- 4.14.1.\n", "invalid-version"),
        ("\nversions:", "\nversion:", "missing-key"),
    ] {
        let scratch = crate::clusters::diff::fixture("one-finding");
        let file = scratch.path().join(CHANNEL);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replacen(right, wrong, 1)).unwrap();
        let root = scratch.path().to_str().unwrap();
        let releases = format!("{root}/releases.json");
        let format = ["--format", "concise", "--info", "--releases", &releases];
        let run = exitpath([&["check", root, "--base", "HEAD"], &format[..]].concat());
        let findings: Vec<&str> = run.out.lines().filter(|line| line.contains("[EP")).collect();
        assert_eq!(findings.len(), 1, "{}", run.out);
        assert!(findings[0].contains(rule), "{}", run.out);
    }
}

/// After a merge that lost the line `versions:`, all releases of the channel seem to be tombstones.
#[test]
fn a_file_that_lacks_a_key_is_not_fixed() {
    let channel = "internal-channels/candidate.yaml";
    let lost = "name: candidate\ntombstones:\n- 4.14.0\n- 4.14.1\n- 4.14.0\n- 4.14.1\n- 4.14.2\n";
    let scratch = Scratch::copy_of("lost-key", std::path::Path::new("fixtures/graph-data"));
    scratch.write(channel, lost);
    let repository = scratch.path().to_str().unwrap();
    for select in [&[][..], &["--select", "repeated-version"]] {
        exitpath([&["check", repository, "--fix", "--no-graph"], select].concat());
        assert_eq!(fs::read_to_string(scratch.path().join(channel)).unwrap(), lost, "{select:?}");
    }
    // A risk without its rules.
    let damaged = "to: 4.14.1\nfrom: 4.13.*\nurl: https:/example.com/a\nname: R\nmessage: m.\n";
    scratch.write("blocked-edges/4.14.1-R.yaml", damaged);
    exitpath(["check", repository, "--fix", "--no-graph"]);
    let left = fs::read_to_string(scratch.path().join("blocked-edges/4.14.1-R.yaml")).unwrap();
    assert_eq!(left, damaged);
}
