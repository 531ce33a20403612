//! What `promql`, `risk show`, and `test` say.

use std::fs;
use std::path::Path;

use exitpath::testing::domain::Named;
use exitpath::testing::report::formats_of_tests;
use serde_json::{Value as Json, json};

use crate::{Run, Scratch, exitpath};

fn eval(query: &str, sample: &str) -> Run {
    exitpath(["promql", "eval", query, "--sample", sample])
}

#[test]
fn eval_says_what_a_cluster_makes_of_the_answer() {
    let query = r#"group(cluster_operator_conditions{name="aro"}) or 0 * group(cluster_version)"#;
    let on_aro = eval(query, "aro");
    assert_eq!(on_aro.status, 0);
    assert!(on_aro.out.starts_with("answer: 1\n"), "{}", on_aro.out);
    assert!(on_aro.out.contains("The risk applies to this cluster"), "{}", on_aro.out);
    let on_aws = eval(query, "aws");
    assert!(on_aws.out.contains("Recommended=True, NotExposedToRisks"), "{}", on_aws.out);
    let nothing = eval(r#"group(cluster_operator_conditions{name="aro"})"#, "aws");
    assert_eq!(nothing.status, 0);
    let reason = "(invalid PromQL result length must be one, but is 0)";
    assert!(nothing.out.replace("\n    ", " ").contains(reason), "{}", nothing.out);
}

#[test]
fn eval_shows_which_arm_decides() {
    let query = "group(cluster_operator_conditions{name=\"aro\"})\nor\n0 * group(cluster_version)";
    let decides = |sample: &str| {
        let out = eval(query, sample).out;
        let lines: Vec<&str> = out.lines().collect();
        let at = lines.iter().position(|line| line.ends_with("← decides")).unwrap();
        // The query is indented by two columns, and words under it by more.
        let is_query = |line: &&&str| !line.contains('─') && !line.starts_with("   ");
        lines[..at].iter().rfind(is_query).unwrap().trim().to_owned()
    };
    assert_eq!(decides("aro"), "group(cluster_operator_conditions{name=\"aro\"})");
    assert_eq!(decides("aws"), "0 * group(cluster_version)");
}

/// Both arms answer, and `topk` takes the greater one.
#[test]
fn a_choice_between_arms_shows_the_chosen_one() {
    let query = "bottomk(1,\n0 * group by (a) (up)\nor\nvector(5)\n)";
    let out = eval(query, "aws").out;
    let chosen: Vec<&str> = out.lines().filter(|line| line.ends_with("← decides")).collect();
    assert_eq!(chosen, ["  ───────────────────── 0 ← decides"], "{out}");
}

#[test]
fn eval_shows_where_a_query_fails() {
    let run = eval("up * on () group_left () up", "aws");
    assert_eq!(run.status, 2);
    assert!(run.out.contains("the query fails: found duplicate series"), "{}", run.out);
    assert!(run.out.contains("fails here"), "{}", run.out);
    let run = eval("sum(up", "aws");
    assert_eq!(run.status, 2);
    assert!(run.out.contains("      ─ missing `)` for the unclosed `(`"), "{}", run.out);
}

#[test]
fn eval_prints_what_the_query_api_answers() {
    let json = |query: &str| {
        let run = exitpath(["promql", "eval", query, "--sample", "aws", "--format", "json"]);
        (run.status, serde_json::from_str::<Json>(&run.out).unwrap())
    };
    let (status, answer) = json("group(cluster_version)");
    let time = answer["result"][0]["value"][0].clone();
    let expected =
        json!({"resultType": "vector", "result": [{"metric": {}, "value": [time, "1"]}]});
    assert_eq!((status, answer), (0, expected));
    let (status, answer) = json("up * on () group_left () up");
    assert_eq!((status, &answer["errorType"]), (2, &json!("execution")));
    assert_eq!(json("sum(").1["errorType"], "bad_data");
}

#[test]
fn eval_reads_files_and_says_which_lines_it_skips() {
    let scratch = Scratch::new("eval");
    let file = scratch.path().join("metrics.txt");
    fs::write(&file, "a{x=\"1\"} 1\na{x=} 2\na{x=\"2\"} 0\n").unwrap();
    let file = file.to_str().unwrap();
    let run = exitpath(["promql", "eval", "count(a)", "--metrics", file]);
    assert!(run.out.starts_with("answer: 2\n"), "{}", run.out);
    let skipped = format!("exitpath: {file}:2:5: expected a text in double quotes");
    assert!(run.err.starts_with(&skipped), "{}", run.err);
}

#[test]
fn eval_wants_series() {
    let run = exitpath(["promql", "eval", "up"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("there are no series"), "{}", run.err);
    let run = eval("up", "asw");
    assert!(run.err.contains("did you mean `aws`?"), "{}", run.err);
    let run = exitpath(["promql", "eval", "up", "--sample", "aws", "--token-file", "x"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--url <URL>"), "{}", run.err);
}

/// Clusters up to 4.18 have a function that the others do not.
#[test]
fn eval_as_prometheus_2_knows_holt_winters() {
    let query = "holt_winters(cluster_version{type=\"current\"}[5m], 0.5, 0.5) ^ 0";
    let run = exitpath(["promql", "eval", query, "--sample", "aws", "--prometheus", "2"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("holt_winters"), "{}", run.out);
    let why = "there is no function `holt_winters` in Prometheus 3: it became \
               `double_exponential_smoothing`, which is experimental; clusters do not enable it";
    let run = eval(query, "aws");
    assert_eq!(run.status, 2);
    assert!(run.out.replace('\n', " ").contains("`holt_winters` in Prometheus 3"), "{}", run.out);
    let run = exitpath(["promql", "check", query, "--format", "concise"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains(why), "{}", run.out);
}

#[test]
fn eval_notes_metrics_that_no_sample_has() {
    let run = eval("group(no_such_metric) or vector(0)", "aws");
    assert!(run.err.contains("no sample cluster has series of `no_such_metric`"), "{}", run.err);
    assert_eq!(eval("group(cluster_version)", "aws").err, "");
}

#[test]
fn check_finds_in_a_query_what_it_finds_in_a_file() {
    let run = exitpath(["promql", "check", "--format", "concise", "count(up)"]);
    assert!(run.out.starts_with("query:1:1: error[EP612 answer-not-0-or-1]"), "{}", run.out);
    assert_eq!(run.status, 1);
    let run = exitpath(["promql", "check", "count(up)", "--fail-on", "never"]);
    assert_eq!(run.status, 0);
    let run = exitpath(["promql", "check", "--format", "json", "up{a=\"é\"} + on () (foo)) "]);
    let check: Json = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &check["verdict"]), (1, &json!("can-go-wrong")));
    assert_eq!(check["findings"][0]["code"], "EP601");
}

const PASSING: &str = "fixtures/risk-tests/passing";
const FAILING: &str = "fixtures/risk-tests/failing";

#[test]
fn risk_show_says_which_clusters_a_risk_applies_to() {
    let run = exitpath(["risk", "show", "LoadBalancerForgetsAddresses", "--repo", PASSING]);
    let row = |name: &str| {
        let line = run.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("bare-metal "), "applies 1");
    assert_eq!(row("aws "), "does not apply 0");
    let run = exitpath(["risk", "show", "LoadBalancerForgetsAddress", "--repo", PASSING]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("did you mean `LoadBalancerForgetsAddresses`?"), "{}", run.err);
}

#[test]
fn risk_show_says_that_a_risk_does_not_work() {
    let scratch = Scratch::copy_of("broken-risk", Path::new("fixtures/graph-data"));
    let file = "blocked-edges/4.15.0-EtcdSlowStart.yaml";
    let text = fs::read_to_string(scratch.path().join(file)).unwrap();
    let show = |text: &str| {
        scratch.write(file, text);
        let root = scratch.path().to_str().unwrap();
        exitpath(["risk", "show", "EtcdSlowStart", "--repo", root])
    };
    let words = "It has no rule that clusters understand, so all clusters drop these updates.";
    assert!(!show(&text).out.contains(words));
    let run = show(&text.replace("- type: Always", "- type: always"));
    assert!(run.out.contains(words), "{}", run.out);
    let run = show(&text.replace("message:", "mesage:"));
    let note = format!(
        "exitpath: {file} does not load, so it has no effect; `exitpath check` explains why\n"
    );
    assert_eq!(run.err, note);
}

#[test]
fn tests_pass_fail_and_are_counted() {
    let run = exitpath(["test", "--repo", PASSING]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("passed"), "{}", run.out);
    let run = exitpath(["test", "--repo", FAILING]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("expected applies, but found not-applies"), "{}", run.out);
    let run = exitpath(["test", "--repo", "fixtures/graph-data"]);
    assert_eq!(run.status, 2, "no test is no pass");
    let run = exitpath(["test", "--repo", FAILING, "--format", "junit"]);
    let junit = roxmltree::Document::parse(&run.out).unwrap();
    let failures = junit.descendants().filter(|node| node.has_tag_name("failure")).count();
    assert_eq!(failures, 1);
    let run = exitpath(["test", "--repo", FAILING, "--format", "github"]);
    assert!(run.out.starts_with("::error file=fixtures/risk-tests/failing/"), "{}", run.out);
}

/// A copy of the passing repository with another test file.
fn with_tests(tests: &str) -> Scratch {
    let scratch = Scratch::copy_of("risk-tests", std::path::Path::new(PASSING));
    fs::remove_dir_all(scratch.path().join("risk-tests")).unwrap();
    fs::create_dir(scratch.path().join("risk-tests")).unwrap();
    fs::write(scratch.path().join("risk-tests/a.yaml"), tests).unwrap();
    scratch
}

/// What is wrong with each test of a file, and where.
fn faults(tests: &str) -> Vec<String> {
    let scratch = with_tests(tests);
    let run = exitpath(["test", "--repo", scratch.path().to_str().unwrap(), "--format", "json"]);
    let report: Json =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.err));
    let file = &report["files"][0];
    let of_tests = file["tests"].as_array().unwrap().iter().map(|test| &test["fault"]);
    let all = of_tests.chain(file["faults"].as_array().unwrap()).filter(|fault| !fault.is_null());
    let words = |fault: &Json| {
        let (start, message) = (&fault["start"], fault["message"].as_str().unwrap());
        format!("{}:{} {message}", start["line"], start["column"])
    };
    all.map(words).collect()
}

#[test]
fn each_fault_of_a_test_file_has_its_place() {
    let test = |lines: &str| {
        let head = "risk: LoadBalancerForgetsAddresses\ntests:\n- expect: applies\n";
        faults(&format!("{head}{lines}"))
    };
    assert_eq!(
        test("  cluster: aw"),
        ["4:12 there is no sample cluster `aw`; did you mean `aws`?"]
    );
    assert_eq!(test("  clusters: aws"), ["4:3 unknown key `clusters`; did you mean `cluster`?"]);
    assert_eq!(
        test("  with: [{series: up, values: 1 x}]"),
        ["4:33 expected a number, `_`, or `stale`"]
    );
    assert_eq!(
        test("  with: [{series: up, values: true}]"),
        ["4:31 `values` is a boolean, but a number or text such as `1 _ stale 1x60` belongs there"]
    );
    assert_eq!(test("  without: [up]"), ["4:13 this selects no series of the cluster"]);
    assert_eq!(
        faults("risk: Nobody\ntests: [{expect: unknown}]"),
        ["1:7 no file declares the risk `Nobody`"]
    );
    assert_eq!(faults("risk: a\ntest: []"), ["2:1 unknown key `test`; did you mean `tests`?"]);
    assert_eq!(faults("risk: ["), ["1:7 this is not valid YAML"]);
}

#[test]
fn a_bad_test_does_not_hide_the_others() {
    let scratch = with_tests(
        "risk: LoadBalancerForgetsAddresses\ntests:\n- {expect: apply}\n- {cluster: bare-metal, expect: applies}\n",
    );
    let run = exitpath(["test", "--repo", scratch.path().to_str().unwrap()]);
    assert!(run.out.ends_with("✗ 1 of 2 tests in 1 file failed\n"), "{}", run.out);
    assert!(run.out.contains("must be one of applies, not-applies, unknown"), "{}", run.out);
}

#[test]
fn a_cluster_is_changed_by_with_and_without() {
    let scratch = with_tests(
        "risk: LoadBalancerForgetsAddresses
tests:
- name: without the operator
  cluster: bare-metal
  without: ['csv_succeeded{name=~\"metallb.*\"}']
  expect: not-applies
- name: nothing but the operator
  with:
  - {series: 'csv_succeeded{name=\"metallb-operator.v4.18.0\"}', values: 1}
  expect: applies
- name: the operator is gone since half an hour
  with:
  - {series: 'csv_succeeded{name=\"metallb-operator.v4.18.0\"}', values: 1x30 stale _x29}
  - {series: 'cluster_version{type=\"current\"}', values: 1}
  expect: not-applies
- name: a cluster without series
  expect: unknown
",
    );
    let run = exitpath(["test", "--repo", scratch.path().to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.out);
}

/// The tests would pass by looking at the other declarations only.
#[test]
fn a_declaration_that_cannot_be_read_fails_the_tests() {
    let scratch = with_tests(
        "risk: LoadBalancerForgetsAddresses\ntests:\n- {cluster: bare-metal, expect: applies}\n",
    );
    let path = "blocked-edges/4.18.19-LoadBalancerForgetsAddresses.yaml";
    fs::write(scratch.path().join(path), "to: [").unwrap();
    let repository = scratch.path().to_str().unwrap();
    let run = exitpath(["test", "--repo", repository]);
    assert_eq!(run.status, 1);
    let words = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("{path} cannot be read")), "{}", run.out);
    let run = exitpath(["risk", "show", "LoadBalancerForgetsAddresses", "--repo", repository]);
    assert!(run.err.contains(&format!("{path} cannot be read")), "{}", run.err);
}

#[test]
fn a_first_test_file_passes_and_is_not_overwritten() {
    let scratch = with_tests("risk: a\ntests: [{expect: applies}]\n");
    fs::remove_file(scratch.path().join("risk-tests/a.yaml")).unwrap();
    let repository = scratch.path().to_str().unwrap();
    let new = || exitpath(["test", "--new", "LoadBalancerForgetsAddresses", "--repo", repository]);
    let run = new();
    assert_eq!(run.status, 0, "{}", run.err);
    let file = scratch.path().join("risk-tests/LoadBalancerForgetsAddresses.yaml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("- cluster: bare-metal\n  expect: applies\n"), "{text}");
    assert_eq!(exitpath(["test", "--repo", repository]).status, 0);
    let run = new();
    assert_eq!(run.status, 2);
    assert!(run.err.contains("exists already"), "{}", run.err);
}

const UNSHOWN: &str = "applies to no sample cluster";

/// A repository whose risk has this query, and these tests.
fn with_query(query: &str, tests: Option<&str>) -> Scratch {
    let scratch = with_tests("risk: Rare\ntests: [{expect: applies}]\n");
    fs::remove_dir_all(scratch.path().join("blocked-edges")).unwrap();
    let risk = format!(
        "to: 4.18.11\nfrom: 4[.]18[.].*\nurl: https://example.com/bugs/1\nname: Rare\n\
         message: Reason to wait.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      {query}\n"
    );
    scratch.write("blocked-edges/4.18.11-Rare.yaml", risk);
    let file = scratch.path().join("risk-tests/a.yaml");
    match tests {
        Some(tests) => fs::write(file, tests).unwrap(),
        None => fs::remove_file(file).unwrap(),
    }
    scratch
}

const RARE: &str = r#"group(csv_succeeded{_id="",name=~"no-such: operator[.].*"}) or on () 0 * group(cluster_version{_id=""})"#;

/// Its own tests would otherwise all expect `not-applies`, and pass whatever the query catches.
#[test]
fn a_first_test_file_has_a_cluster_that_the_query_catches() {
    for query in [
        RARE,
        // The dictionary does not know the metric.
        r#"max(my_operator_broken{_id="",reason="A\"b"}) or on () 0 * group(cluster_version{_id=""})"#,
        // It is about the past.
        r#"max(max_over_time(csv_abnormal{_id="",name=~"no-such.*"}[2h])) or on () 0 * group(cluster_version{_id=""})"#,
    ] {
        let scratch = with_query(query, None);
        let repository = scratch.path().to_str().unwrap();
        let run = exitpath(["test", "--new", "Rare", "--repo", repository]);
        assert_eq!(run.status, 0, "{}", run.err);
        let text = fs::read_to_string(scratch.path().join("risk-tests/Rare.yaml")).unwrap();
        assert!(!text.contains("\n- cluster: aws\n  expect: applies\n"), "{text}");
        assert!(text.contains("\n- name: a cluster that the query catches\n  with:\n"), "{text}");
        assert!(text.ends_with("  expect: applies\n"), "{text}");
        let run = exitpath(["test", "--repo", repository]);
        assert_eq!(run.status, 0, "{text}{}", run.out);
        assert!(!run.out.contains(UNSHOWN), "{}", run.out);
    }
    let never = r#"0 * group(csv_succeeded{_id=""}) or on () 0 * group(cluster_version{_id=""})"#;
    let scratch = with_query(never, None);
    let repository = scratch.path().to_str().unwrap();
    assert_eq!(exitpath(["test", "--new", "Rare", "--repo", repository]).status, 0);
    let text = fs::read_to_string(scratch.path().join("risk-tests/Rare.yaml")).unwrap();
    assert!(
        text.ends_with(
            "is known to which the risk applies. Write a test with series of your own.\n"
        ),
        "{text}"
    );
}

#[test]
fn a_risk_that_applies_to_no_sample_cluster_is_a_warning() {
    let tests = "risk: Rare\ntests:\n- {cluster: aws, expect: not-applies}\n";
    let scratch = with_query(RARE, Some(tests));
    let repository = scratch.path().to_str().unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let test = |format: &str| exitpath(["test", "--repo", repository, "--format", format]);
    let run = test("human");
    assert_eq!(run.status, 0);
    let warning = "⚠ Rare applies to no sample cluster, and no test expects `applies`: nothing shows \
                   that it catches a cluster";
    assert!(words(&run.out).starts_with(warning), "{}", run.out);
    assert!(run.out.contains("risk-tests/a.yaml:1:7\n"), "{}", run.out);
    assert!(run.out.ends_with("✓ 1 test in 1 file passed\n"), "{}", run.out);
    let report: serde_json::Value = serde_json::from_str(&test("json").out).unwrap();
    assert_eq!(report["warnings"][0]["risk"], "Rare");
    assert_eq!(report["warnings"][0]["start"]["column"], 7);
    assert!(test("github").out.starts_with("::warning file="), "{}", test("github").out);
    let show = |format: &str| {
        let show = ["risk", "show", "Rare", "--repo", repository, "--format", format];
        let run = exitpath(show);
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
    };
    let shown = words(&show("human"));
    assert!(shown.contains("⚠ It applies to no sample cluster, so nothing here shows"), "{shown}");
    assert!(shown.contains("`exitpath test --new Rare` writes a test"), "{shown}");
    let json: serde_json::Value = serde_json::from_str(&show("json")).unwrap();
    assert_eq!(json["definitions"][0]["applies_to_no_sample"], true);

    // A test with series of one's own is enough, in any file.
    let own = "risk: Rare\ntests:\n- with: [{series: 'csv_succeeded{name=\"no-such: operator.v1\"}', \
               values: 1}]\n  expect: applies\n";
    scratch.write("risk-tests/b.yaml", own);
    assert!(!test("human").out.contains(UNSHOWN), "{}", test("human").out);
    let one = exitpath(["test", scratch.path().join("risk-tests/a.yaml").to_str().unwrap()]);
    assert!(!one.out.contains(UNSHOWN), "{}", one.out);
    // The risk of the fixture applies to some.
    let run = exitpath(["risk", "show", "LoadBalancerForgetsAddresses", "--repo", PASSING]);
    assert!(!run.out.contains(UNSHOWN), "{}", run.out);
}

/// A test is also named by a file of its risk, as pre-commit does.
#[test]
fn tests_are_named_by_files_of_their_risk() {
    let blocked = format!("{PASSING}/blocked-edges");
    let declared = fs::read_dir(&blocked).unwrap().map(|entry| entry.unwrap().path());
    let file = declared.into_iter().find(|p| p.to_str().unwrap().contains("LoadBalancer")).unwrap();
    let run = exitpath(["test", file.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("in 1 file passed"), "{}", run.out);
}

#[test]
fn nothing_from_a_test_file_can_command_a_runner() {
    let scratch = with_tests(
        "risk: LoadBalancerForgetsAddresses\ntests:\n- name: \"a\\n::error::b\\e[31m\"\n  cluster: aws\n  expect: applies\n",
    );
    for format in formats_of_tests().into_iter().map(Named::name) {
        let repository = scratch.path().to_str().unwrap();
        let run = exitpath(["test", "--repo", repository, "--format", format]);
        assert!(!run.out.contains('\u{1b}'), "{}", run.out);
        let is_command = |line: &str| line.trim_start().starts_with("::error::");
        assert!(!run.out.lines().any(is_command), "{}", run.out);
    }
}

/// Each part alone takes millions of steps. All of them together are asked for what one may take.
#[test]
fn a_costly_query_is_given_up() {
    let query = vec!["count_over_time(up[200d:1s])"; 300].join(" or ");
    let run = eval(&query, "aws");
    assert_eq!(run.status, 2);
    let words = "exitpath cannot evaluate it: the query takes more than 20000000 samples and steps";
    assert!(run.out.starts_with(words), "{}", run.out);
    assert!(run.out.contains("It is not known what a cluster makes of it."), "{}", run.out);
}

#[test]
fn a_query_is_laid_out_and_means_the_same() {
    let text = "group by (_id)(up{job=\"a\"}==1)or 0*group by(_id)(up)";
    let run = exitpath(["promql", "format", "--width", "30", text]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.lines().count() > 1 && run.out.lines().all(|line| line.len() <= 30));
    let again = exitpath(["promql", "format", "--width", "30", run.out.trim_end()]);
    assert_eq!(again.out, run.out, "it is laid out already");
    let wide = exitpath(["promql", "format", run.out.trim_end()]);
    let whole = "group by (_id) (up{job=\"a\"} == 1) or 0 * group by (_id) (up)\n";
    assert_eq!(wide.out, whole);
    let comment = exitpath(["promql", "format", "up # is it?"]);
    assert!(comment.err.contains("has a comment"), "{}", comment.err);
    let invalid = exitpath(["promql", "format", "up("]);
    assert!(invalid.err.contains("the query is invalid"), "{}", invalid.err);
    assert_eq!((comment.status, invalid.status), (2, 2));
}
