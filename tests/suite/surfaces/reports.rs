//! Each output format of `check`, compared with what its readers expect.

use std::fs;

use exitpath::testing::domain::Named;
use exitpath::testing::report::{CheckReport, Printed};
use serde_json::Value;

use crate::{Scratch, exitpath, golden};

const EXAMPLE: &str = "fixtures/rules/missing-key/bad";

#[test]
fn each_format_of_an_example_is_as_expected() {
    // Every rule has a `bad.txt` for people.
    for format in
        CheckReport::formats().into_iter().map(Named::name).filter(|format| *format != "human")
    {
        let file = match format {
            "concise" => "report.concise.txt",
            "github" => "github.txt",
            "json" => "report.json",
            "junit" => "junit.xml",
            "markdown" => "summary.md",
            "sarif" => "report.sarif",
            other => panic!("the format {other} needs a file in fixtures/reports"),
        };
        let run = exitpath(["check", EXAMPLE, "--no-graph", "--format", format]);
        assert_eq!(run.status, 1, "the status is the same in every format");
        // The rules' texts have their own tests, and would make this file a copy of them.
        let shown = if format == "sarif" { without_rules(&run.out) } else { run.out };
        golden(format!("fixtures/reports/{file}"), &shown);
    }
}

#[test]
fn people_see_the_worst_first_and_infos_on_request() {
    let scratch = Scratch::copy_of("infos", "fixtures/rules/vague-url/good".as_ref());
    let risk = scratch.path().join("blocked-edges/4.14.3-ExampleRisk.yaml");
    let text = fs::read_to_string(&risk).unwrap();
    let text = text.replace("^4[.]13", "^4.13").replace("after their", "after after their");
    fs::write(&risk, text.replace("type: Always", "type: always")).unwrap();
    let root = scratch.path().to_str().unwrap();
    let codes = |options: &[&str]| -> Vec<String> {
        let releases = ["--releases", "fixtures/graphs/none.json", "--format", "concise"];
        let run = exitpath([&["check", root], &releases[..], options].concat());
        let lines = run.out.lines().filter_map(|line| line.split_once('[')?.1.split(' ').next());
        lines.map(str::to_owned).collect()
    };
    assert_eq!(codes(&[]), ["EP205", "EP229"]);
    assert_eq!(codes(&["--info"]), ["EP205", "EP229", "EP120"]);
    assert_eq!(codes(&["--fail-on", "info"]), ["EP205", "EP229", "EP120"], "they decide");
    let human = exitpath(["check", root, "--releases", "fixtures/graphs/none.json"]).out;
    assert!(
        !human.contains("EP120") && human.contains("`--info` also lists the info\n"),
        "{human}"
    );
    let releases = ["--releases", "fixtures/graphs/none.json"];
    let statistics = exitpath([&["check", root, "--statistics"], &releases[..]].concat()).out;
    let expected = "1  error    EP205 unknown-rule-type
1  warning  EP229 doubled-word
1  info     EP120 from-unescaped-dot

✗ 1 error, 1 warning, and 1 info in 4 files
";
    assert!(statistics.starts_with(expected), "{statistics}");
}

fn without_rules(sarif: &str) -> String {
    let mut log: Value = serde_json::from_str(sarif).unwrap();
    log["runs"][0]["tool"]["driver"]["rules"] = Value::Array(Vec::new());
    format!("{}\n", serde_json::to_string_pretty(&log).unwrap())
}

#[test]
fn junit_has_a_case_for_every_file_and_a_failure_for_every_file_with_errors() {
    let run = exitpath(["check", EXAMPLE, "--format", "junit"]);
    let document = roxmltree::Document::parse(&run.out).unwrap();
    let cases: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let failed =
        |case: &&roxmltree::Node<'_, '_>| case.children().any(|c| c.has_tag_name("failure"));
    let names: Vec<_> = cases.iter().map(|case| case.attribute("name").unwrap()).collect();
    assert!(names.contains(&"channels/stable-4.14.yaml"));
    assert_eq!(cases.len(), 5);
    let failures: Vec<_> =
        cases.iter().filter(failed).map(|case| case.attribute("name").unwrap()).collect();
    assert_eq!(failures, ["blocked-edges/4.14.2.yaml", "blocked-edges/4.14.3-ExampleRisk.yaml"]);
}

#[test]
fn findings_that_github_does_not_show_are_in_the_log() {
    let scratch = Scratch::new("github");
    scratch.write("version", "1.1.0\n");
    for i in 0..25 {
        scratch.write(&format!("channels/c-{i}.yaml"), "versions: []\n");
    }
    let run = exitpath(["check", scratch.path().to_str().unwrap(), "--format", "github"]);
    let errors = run.out.lines().filter(|line| line.starts_with("::error ")).count();
    assert_eq!(errors, 10);
    let total = 25 + 2; // two parts of the repository are missing
    assert!(run.out.contains(&format!("; {} further findings", total - errors)), "{}", run.out);
    let in_log =
        run.out.lines().filter(|line| line.contains(": error[") && !line.starts_with("::"));
    let in_log = in_log.count();
    assert_eq!(in_log, total - errors, "nothing is lost: {}", run.out);
}

#[test]
fn several_reports_are_written_at_once() {
    let scratch = Scratch::new("several");
    let at = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    let run = exitpath([
        "check",
        EXAMPLE,
        "--color",
        "always",
        "--output",
        &format!("junit={}", at("junit.xml")),
        "--output",
        &format!("human={}", at("human.txt")),
        "--format",
        "json",
        "--output",
        &at("plain.json"),
    ]);
    assert_eq!(run.out, "", "the report went to a file");
    assert!(fs::read_to_string(at("junit.xml")).unwrap().starts_with("<?xml"));
    assert!(fs::read_to_string(at("plain.json")).unwrap().starts_with('{'));
    let human = fs::read_to_string(at("human.txt")).unwrap();
    assert!(human.contains("EP022 missing-key") && !human.contains('\u{1b}'), "{human}");
}

#[test]
fn color_always_prints_colors() {
    let colored = exitpath(["check", EXAMPLE, "--color", "always"]);
    assert!(colored.out.contains("\u{1b}["));
    let plain = exitpath(["check", EXAMPLE]);
    assert!(!plain.out.contains('\u{1b}'));
}

#[test]
fn a_fault_in_a_very_long_line_is_shown_with_its_surroundings() {
    let scratch = Scratch::new("long");
    scratch.write("version", "1.1.0\n");
    let alternatives = "4[.]13[.]1|".repeat(20_000);
    scratch.write("blocked-edges/4.14.3.yaml", format!("to: 4.14.3\nfrom: {alternatives}(\n"));
    let run = exitpath(["check", scratch.path().to_str().unwrap(), "--select", "invalid-from"]);
    assert!(run.out.contains(":2:220007]"), "{}", run.out);
    assert!(run.out.len() < 2_000, "{}", run.out.len());
    assert!(run.out.contains("unclosed group"), "{}", run.out);
}
