//! `exitpath check --url`: what a server says of the queries of a repository.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::Duration;

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::{SeriesText, Source};
use exitpath::testing::online::{Missing, Presence, QuestionLimits, ask};
use exitpath::testing::report::{CheckReport, Printed};
use promql::{Dialect, parse};
use serde_json::Value;

use crate::fake_prometheus::{FakePrometheus, http};
use crate::{Run, Scratch, exitpath, git};

/// A cluster on AWS. IPsec was on until an hour ago, and there are more pods than nodes.
const SERIES: &str = r#"
cluster_version{type="current",version="4.18.3"} 1755890000
cluster_version{type="initial",version="4.9.0"} 1655890000
cluster_infrastructure_provider{type="AWS",region="us-east-2"} 1
cluster_operator_conditions{name="dns",condition="Available"} 1
cluster_operator_conditions{name="network",condition="Available"} 1
ovnkube_controller_ipsec_enabled{node="a"} 1x60 stale _x58
kube_pod_info{pod="pod-{1..10001}"} 1
"#;

/// A repository with a risk for each query.
fn repository(queries: &[&str]) -> Scratch {
    let scratch = Scratch::new("online");
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    let channel = "name: candidate-4.14\nversions:\n- 4.13.1\n- 4.14.1\n";
    scratch.write("channels/candidate-4.14.yaml", channel);
    for (number, query) in queries.iter().enumerate() {
        scratch.write(&format!("blocked-edges/4.14.1-Risk{number}.yaml"), risk(number, query));
    }
    scratch
}

fn risk(number: usize, query: &str) -> String {
    format!(
        "to: 4.14.1\nfrom: 4[.]13[.].*\nurl: https://example.com/bugs/{number}\nname: Risk{number}\n\
         message: Reason {number} to wait.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      {query}\n"
    )
}

fn check(scratch: &Scratch, server: &FakePrometheus, more: &[&str]) -> Run {
    let repository = scratch.path().to_str().unwrap();
    let start = ["check", "--repo", repository, "--no-graph", "--url", &server.url];
    exitpath([&start, more].concat())
}

/// The findings about the server: rule, severity, and message.
fn findings(run: &Run) -> Vec<(String, String, String)> {
    assert!(run.status < 2, "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let all = report["findings"].as_array().unwrap().iter();
    let about = all.filter(|one| text(one, "rule").ends_with("-on-server"));
    about.map(|one| (text(one, "rule"), text(one, "severity"), text(one, "message"))).collect()
}

fn found(queries: &[&str]) -> Vec<(String, String, String)> {
    let server = FakePrometheus::of_series(SERIES);
    findings(&check(&repository(queries), &server, &["--format", "json"]))
}

/// With a second part that always answers 0.
fn or_zero(query: &str) -> String {
    format!("{query} or on () 0 * group(cluster_version{{_id=\"\"}})")
}

#[test]
fn a_query_that_suits_the_server_has_no_findings() {
    let region = r#"group(cluster_infrastructure_provider{_id="",type="AWS",region=~"us-.*"})"#;
    let excluded = r#"group(cluster_infrastructure_provider{_id="",type!="GCP",zone=""})"#;
    assert_eq!(found(&[&or_zero(region), &or_zero(excluded)]), []);
}

#[test]
fn what_the_server_lacks_is_found() {
    for (query, rule, severity, message) in [
        (
            r#"group(cluster_proxy_enable{_id="",type="http"})"#,
            "metric-not-on-server",
            "warning",
            "on this server, `cluster_proxy_enable` has no series, neither now nor in the last \
             day: this selects nothing there",
        ),
        (
            r#"max(ovnkube_controller_ipsec_enabled{_id="",zone="a"})"#,
            "metric-not-on-server",
            "info",
            "on this server, `ovnkube_controller_ipsec_enabled` has no series now, but had some in \
             the last day: what the query answers changes",
        ),
        (
            r#"group({__name__="cluster_version",_id="",typ="current"})"#,
            "label-not-on-server",
            "warning",
            "on this server, no series of `cluster_version` has the label `typ`, so this matcher \
             selects nothing there",
        ),
        (
            r#"group(cluster_version{_id="",typ!~"cur.*"})"#,
            "label-not-on-server",
            "warning",
            "on this server, no series of `cluster_version` has the label `typ`, so this matcher \
             excludes nothing there",
        ),
        (
            r#"group(cluster_infrastructure_provider{_id="",type="Azure"})"#,
            "value-not-on-server",
            "info",
            "on this server, no series of `cluster_infrastructure_provider` has the `type` `Azure`",
        ),
        (
            r#"group(cluster_infrastructure_provider{_id="",type=~"Az.*|GCP"})"#,
            "value-not-on-server",
            "info",
            "on this server, no series of `cluster_infrastructure_provider` has a `type` that \
             `Az.*|GCP` matches",
        ),
        (
            r#"group(kube_pod_info{_id="",pod=~"pod-.*"})"#,
            "costly-on-server",
            "info",
            "on this server, this selects 10,001 series",
        ),
    ] {
        let expected = (rule.to_owned(), severity.to_owned(), message.to_owned());
        assert_eq!(found(&[&or_zero(query)]), [expected], "{query}");
    }
}

#[test]
fn an_answer_is_one_sample_that_is_0_or_1() {
    let unknown = "instead of one sample, 0 or 1, so the risk is Unknown there: ";
    for (query, answer, why) in [
        (
            r#"group(cluster_version{_id="",type="current"} < 1)"#,
            "nothing",
            "invalid PromQL result length must be one, but is 0",
        ),
        (
            r#"cluster_version{_id=""} > bool 0"#,
            "2 samples",
            "invalid PromQL result length must be one, but is 2",
        ),
        (r#"count(cluster_version{_id=""})"#, "2", "invalid PromQL result (must be 0 or 1): 2"),
        ("1", "the scalar 1", "invalid PromQL result type is scalar, not vector"),
        (
            r#"cluster_version{_id=""} * on () cluster_version{_id=""}"#,
            "an error",
            "executing PromQL query: execution: found duplicate series for the match group",
        ),
    ] {
        let found = found(&[query]);
        let [(rule, severity, message)] = found.as_slice() else { panic!("{query}: {found:?}") };
        assert_eq!((rule.as_str(), severity.as_str()), ("answer-on-server", "warning"));
        let expected = format!("on this server, this answers {answer} {unknown}{why}");
        assert!(message.starts_with(&expected), "{message}\n{expected}");
    }
    let intended = found(&[r#"-1 * group(cluster_version{_id=""})"#]);
    assert_eq!(intended[0].1, "info", "it says Unknown on purpose: {intended:?}");
}

#[test]
fn each_question_is_asked_once_and_none_about_the_cluster_id() {
    let server = FakePrometheus::of_series(SERIES);
    let one = or_zero(r#"group(cluster_infrastructure_provider{_id="",type="AWS"})"#);
    let other = or_zero(r#"max(cluster_infrastructure_provider{_id="",type="AWS"})"#);
    let run = check(&repository(&[&one, &other, &one]), &server, &[]);
    let asked = server.queries.lock().unwrap();
    assert!(asked.contains(&one) && asked.contains(&other), "{asked:?}");
    assert_eq!(asked.iter().collect::<HashSet<_>>().len(), asked.len(), "{asked:?}");
    assert!(asked.iter().all(|question| !question.contains("_id!=")), "{asked:?}");
    let note = format!("asked the server {} questions about 2 queries", asked.len());
    assert!(run.err.contains(&note), "{}", run.err);
}

/// What the command says if it cannot run.
fn refusal(server: &FakePrometheus, more: &[&str]) -> String {
    let more = [more, &["--quiet"]].concat();
    let run = check(&repository(&[r#"group(cluster_version{_id=""})"#]), server, &more);
    assert_eq!((run.status, run.out.as_str()), (2, ""), "{}", run.err);
    run.err.replace(server.url.strip_prefix("http://").unwrap(), "HOST")
}

/// A Thanos that does not reach a part of its stores answers what the others have.
#[test]
fn a_part_of_an_answer_is_no_pass() {
    let answer = |more: &str| {
        let data = r#"{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}"#;
        http("200 OK", &format!(r#"{{"status":"success","data":{data}{more}}}"#))
    };
    let warned = move || answer(r#","warnings":["receive series from a:1: rpc error\u001b[2J"]"#);
    let part = "the answer of HOST may be only a part, so it says nothing about the cluster: it \
                warns \"receive series from a:1: rpc error\\u{1b}[2J\"\n";
    // From the first question on, and later.
    let first = FakePrometheus::answering(Box::new(move |_| warned()));
    assert_eq!(refusal(&first, &[]), format!("exitpath: {part}"));
    let later = FakePrometheus::answering(Box::new(move |query| match query {
        "vector(1)" => answer(""),
        _ => warned(),
    }));
    let words = refusal(&later, &[]);
    assert!(words.starts_with(&format!("exitpath: {part}")), "{words}");
    assert!(words.contains("the question was `group(cluster_version{_id=\"\"})`"), "{words}");
    // The other commands that ask.
    let host = later.url.strip_prefix("http://").unwrap();
    let cluster = ["cluster", "--version", "4.18.10", "--channel", "candidate-4.18", "--repo"];
    let files =
        ["fixtures/risk-tests/passing", "--releases", "fixtures/graphs/candidate-4.18.json"];
    let eval = ["promql", "eval", "group(cluster_version)"];
    for command in [&eval[..], &[&cluster[..], &files].concat()] {
        let run = exitpath([command, &["--quiet", "--url", &later.url]].concat());
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{}", run.err);
        assert_eq!(run.err.replace(host, "HOST"), format!("exitpath: {part}"));
    }
}

#[test]
fn a_server_that_does_not_answer_is_no_pass() {
    let status = |status: &'static str| FakePrometheus::answering(Box::new(|_| http(status, "")));
    for (server, words) in [
        (status("401 Unauthorized"), "HOST answers with HTTP status 401: the token is missing"),
        (status("403 Forbidden"), "HOST answers with HTTP status 403: the token may not query"),
        (status("503 Service Unavailable"), "HOST answers with HTTP status 503\n"),
        (
            FakePrometheus::answering(Box::new(|_| http("200 OK", "<html>Sign in</html>"))),
            "what HOST sends is not an answer of Prometheus: expected value at line 1 column 1",
        ),
        (
            FakePrometheus::answering(Box::new(|_| {
                "HTTP/1.1 302 Found\r\nLocation: https://sign.in/\r\nContent-Length: 0\r\n\r\n"
                    .into()
            })),
            "HOST redirects to https://sign.in/: exitpath does not follow",
        ),
        (
            FakePrometheus::answering(Box::new(|_| {
                let empty = r#"{"status":"success","data":{"resultType":"vector","result":[]}}"#;
                http("200 OK", empty)
            })),
            "the server does not answer 1 to the query `vector(1)`",
        ),
    ] {
        let refused = refusal(&server, &[]);
        assert!(refused.starts_with(&format!("exitpath: {words}")), "{refused}");
    }
}

#[test]
fn a_slow_server_is_given_up() {
    let server = FakePrometheus::answering(Box::new(|_| {
        sleep(Duration::from_secs(3));
        http("200 OK", "")
    }));
    let refused = refusal(&server, &["--timeout", "1"]);
    assert!(refused.starts_with("exitpath: HOST does not answer within 1 second\n"), "{refused}");
}

#[test]
fn a_question_without_an_answer_is_named() {
    let server = FakePrometheus::answering(Box::new(|query| {
        let one = r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}}"#;
        if query == "vector(1)" { http("200 OK", one) } else { http("503 Service Unavailable", "") }
    }));
    assert_eq!(
        refusal(&server, &[]),
        "exitpath: HOST answers with HTTP status 503\n          \
         the question was `group(cluster_version{_id=\"\"})`\n"
    );
}

#[test]
fn a_server_that_refuses_to_count_is_no_pass() {
    let server = FakePrometheus::answering(Box::new(|query| {
        let error = r#"{"status":"error","errorType":"execution","error":"too many samples"}"#;
        if query.starts_with("count(") {
            return http("422 Unprocessable Entity", error);
        }
        let one = r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}}"#;
        http("200 OK", one)
    }));
    let refused = refusal(&server, &[]);
    let words = "exitpath: the server refuses to count series \
                 (`count({__name__=\"cluster_version\"})`): execution: too many samples";
    assert!(refused.starts_with(words), "{refused}");
}

#[test]
fn the_number_and_the_time_of_questions_have_limits() {
    let source = Source::Series(
        SeriesText::read(SERIES.replace("{1..10001}", "").as_str(), None).series,
        Dialect::Three,
    );
    let text = r#"group(cluster_version{type="current"})"#;
    let query = parse(text).unwrap();
    let limited = |limits| ask(&source, [(text, &query)], limits).unwrap_err().words().0.to_owned();
    let few = QuestionLimits { questions: 2, ..QuestionLimits::default() };
    assert_eq!(limited(few), "the queries need more than 2 questions");
    let short = QuestionLimits { time: Duration::ZERO, ..QuestionLimits::default() };
    assert_eq!(limited(short), "the server is too slow: all queries take more than 0 s");
}

#[test]
fn with_a_base_only_new_queries_are_asked_about() {
    let server = FakePrometheus::of_series(SERIES);
    let old = r#"group(absent_metric{_id="",type="AWS"}) or 0 * group(cluster_version{_id=""})"#;
    let kept = or_zero(r#"group(other_absent_metric{_id=""})"#);
    let scratch = repository(&[old, &kept]);
    git(scratch.path(), &["init", "-q"]);
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-qm", "base"]);
    let json = ["--base", "HEAD", "--format", "json"];
    assert_eq!(findings(&check(&scratch, &server, &json)), []);
    assert_eq!(*server.queries.lock().unwrap(), ["vector(1)"], "nothing is new");

    // The metric was absent before, too. The value is new.
    let new = r#"group(absent_metric{_id="",type="AWS"}) or group(cluster_infrastructure_provider{_id="",type="GCP"}) or 0 * group(cluster_version{_id=""})"#;
    scratch.write("blocked-edges/4.14.1-Risk0.yaml", risk(0, new));
    let rules: Vec<String> =
        findings(&check(&scratch, &server, &json)).into_iter().map(|(rule, ..)| rule).collect();
    assert_eq!(rules, ["value-not-on-server"]);
    assert!(!server.queries.lock().unwrap().contains(&kept));
}

#[test]
fn a_baseline_hides_known_findings() {
    let server = FakePrometheus::of_series(SERIES);
    let scratch = repository(&[&or_zero(r#"group(absent_metric{_id=""})"#)]);
    let file = scratch.path().join("known.json");
    let file = file.to_str().unwrap();
    let written = check(&scratch, &server, &["--write-baseline", "--baseline", file]);
    assert_eq!(written.status, 0, "{}", written.err);
    let known = check(&scratch, &server, &["--baseline", file, "--format", "json"]);
    assert_eq!(findings(&known), []);
}

#[test]
fn every_format_reports_and_fails_alike() {
    let server = FakePrometheus::of_series(SERIES);
    let scratch = repository(&[&or_zero(r#"group(absent_metric{_id=""})"#)]);
    for format in CheckReport::formats().into_iter().map(Named::name) {
        let run = check(&scratch, &server, &["--format", format, "--fail-on", "warning"]);
        assert_eq!(run.status, 1, "{format}: {}", run.err);
        assert!(run.out.contains("metric-not-on-server"), "{format}: {}", run.out);
    }
}

#[test]
fn rules_about_servers_run_only_with_a_server() {
    let scratch = repository(&[&or_zero(r#"group(absent_metric{_id=""})"#)]);
    let repository = scratch.path().to_str().unwrap();
    let alone = |more: &[&str]| {
        exitpath([&["check", "--repo", repository, "--no-graph", "--info"], more].concat())
    };
    assert!(!alone(&[]).out.contains("on-server"));
    let named = alone(&["--select", "EP640"]);
    assert_eq!(named.status, 2);
    assert_eq!(
        named.err,
        "exitpath: the rule `EP640` needs a server\n          name a Prometheus or Thanos: `--url URL`\n"
    );
    assert_eq!(alone(&["--token-file", "x"]).status, 2);
    assert_eq!(alone(&["--url", "http://localhost:1", "--fix"]).status, 2);
    // A comment for another server stays.
    let file = "blocked-edges/4.14.1-Risk0.yaml";
    let text = std::fs::read_to_string(scratch.path().join(file)).unwrap();
    let comment = "# exitpath: allow(metric-not-on-server): only new clusters have it\n";
    scratch.write(file, format!("{comment}{text}"));
    assert!(!alone(&[]).out.contains("unused-allow"));

    // Other rules need no answers.
    let server = FakePrometheus::of_series(SERIES);
    assert_eq!(check(&scratch, &server, &["--select", "vague-url"]).status, 0);
    assert!(server.queries.lock().unwrap().is_empty());
}

#[test]
fn a_server_without_any_metric_is_remarked() {
    let server = FakePrometheus::of_series(r#"other{a="b"} 1"#);
    let run = check(&repository(&[r#"group(cluster_version{_id=""})"#]), &server, &["--quiet"]);
    let words = "exitpath: the server has no metric of any query: does it monitor a cluster, and is \
                 its clock right?\n";
    assert_eq!(run.err, words);
}

/// A series by its metric and its labels.
type OneSeries = (&'static str, &'static [(&'static str, &'static str)]);

const FEW: &[OneSeries] =
    &[("m", &[("a", "x"), ("b", "y")]), ("m", &[("a", "z")]), ("n", &[("b", "x")]), ("n", &[])];

/// Whether a matcher takes a value. The patterns of the test are literal, or `x|y`.
fn takes(op: &str, pattern: &str, value: &str) -> bool {
    let is_same = match op {
        "=" | "!=" => pattern == value,
        _ => pattern.split('|').any(|one| one == value),
    };
    is_same != op.starts_with('!')
}

/// All selectors of two matchers, judged by looking at each series.
#[test]
fn what_is_missing_is_what_a_look_at_all_series_misses() {
    let lines = FEW.iter().map(|(metric, labels)| {
        let labels: Vec<String> = labels.iter().map(|(n, v)| format!("{n}={v:?}")).collect();
        format!("{metric}{{{}}} 1", labels.join(","))
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let source = Source::Series(SeriesText::read(&text, None).series, Dialect::Three);
    let value = |series: &OneSeries, label: &str| {
        series.1.iter().find(|(name, _)| *name == label).map_or("", |(_, value)| *value)
    };
    let mut matchers = Vec::new();
    for label in ["a", "b", "c", "_id"] {
        for op in ["=", "!=", "=~", "!~"] {
            for pattern in ["", "x", "y", "x|y", "w"] {
                matchers.push((label, op, pattern));
            }
        }
    }
    let mut compared = 0;
    for metric in ["m", "n", "absent"] {
        for (nth, one) in matchers.iter().enumerate() {
            let both = [one, &matchers[(nth * 7 + 3) % matchers.len()]];
            let written = both.map(|(label, op, pattern)| format!("{label}{op}{pattern:?}"));
            let text = format!("group({metric}{{{}}})", written.join(","));
            let query = parse(&text).unwrap();
            let asked = ask(&source, [(text.as_str(), &query)], QuestionLimits::default()).unwrap();
            let said = &asked.query(&text).unwrap().selectors[0];

            let of_metric: Vec<&OneSeries> = FEW.iter().filter(|s| s.0 == metric).collect();
            let presence = match of_metric.len() {
                0 => Presence::Never,
                some => Presence::Now(some),
            };
            assert_eq!(said.metric, Some(presence), "{text}");
            let is_selected = |series: &&&OneSeries| {
                both.iter().all(|(label, op, pattern)| takes(op, pattern, value(series, label)))
            };
            assert_eq!(said.series, of_metric.iter().filter(is_selected).count(), "{text}");
            let mut missing = Vec::new();
            for (index, (label, op, pattern)) in both.iter().enumerate() {
                if of_metric.is_empty() || *label == "_id" || (*op, *pattern) == ("=", "") {
                    continue;
                }
                let has_label = of_metric.iter().any(|s| !value(s, label).is_empty());
                let is_taken = of_metric.iter().any(|s| takes(op, pattern, value(s, label)));
                let demands = !op.starts_with('!') && !takes(op, pattern, "");
                if !has_label {
                    missing.push((index, "label"));
                } else if demands && !is_taken {
                    missing.push((index, "value"));
                }
            }
            let kind = |(index, missing): &(usize, Missing)| match missing {
                Missing::Label(_) => (*index, "label"),
                Missing::Value(_) => (*index, "value"),
            };
            assert_eq!(said.missing.iter().map(kind).collect::<Vec<_>>(), missing, "{text}");
            compared += 1;
        }
    }
    assert_eq!(compared, 240);
}
