//! What `promql check` claims about all clusters, judged by random ones.
//!
//! The judge knows the dictionary of metrics and the evaluator of queries, and nothing about how
//! claims are found. `EXITPATH_CLUSTERS` is the number of clusters for each query, and
//! `EXITPATH_SEED` starts them elsewhere. `EXITPATH_CHANGED=1` takes every changed query, and not
//! only one of four.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use exitpath::testing::graph_data::{GraphData, blobs};
use exitpath::testing::metrics::{FIXED_TIME, SeriesText};
use exitpath::testing::tree::Blob;
use promql::{Dialect, Labels, Point, Query, Settings, Store, Value, evaluate, parse};
use serde_json::Value as Json;

use crate::data::dictionary::{Dictionary, Facts, LabelKind, facts};
use crate::data::random_clusters::{Clusters, written};
use crate::data::values_series::Random;
use crate::{exitpath, files_below, real_data};

/// All clusters of one test take no longer than this.
const MOST_TIME: Duration = Duration::from_mins(1);

const MINUTE: i64 = 60_000;

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What is wrong with the answer of a cluster, in the words of the report.
fn outcome(query: &Query, store: &Store, dialect: Dialect) -> Option<&'static str> {
    match evaluate(query, store, &Settings::at(FIXED_TIME, dialect)) {
        Ok(Value::Vector(samples)) => match samples.as_slice() {
            [] => Some("no-sample"),
            [(_, value)] if *value == 0.0 || *value == 1.0 => None,
            [_] => Some("other-value"),
            _ => Some("several-samples"),
        },
        Ok(_) | Err(_) => Some("error"),
    }
}

/// The report of `promql check`.
fn report(query: &str) -> Json {
    let run = exitpath(["promql", "check", "--format", "json", "--", query]);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{query}: {error}: {}", run.err))
}

fn text<'j>(json: &'j Json, key: &str) -> &'j str {
    json[key].as_str().unwrap_or_else(|| panic!("no {key} in {json}"))
}

/// The distinct queries of the fixtures, and of the newest revision of the real data.
fn queries() -> Vec<String> {
    let roots = files_below(Path::new("fixtures")).into_iter().filter_map(|file| {
        let folder = file.parent()?;
        folder.ends_with("blocked-edges").then(|| folder.parent().unwrap().to_owned())
    });
    let roots: BTreeSet<PathBuf> = roots.collect();
    let mut places: Vec<(&Path, Option<&str>)> =
        roots.iter().map(|root| (root.as_path(), None)).collect();
    places.extend(real_data::history_if_any().map(|history| (history, Some("HEAD"))));
    let mut all = BTreeSet::new();
    for (root, revision) in places {
        let data = GraphData::from_blobs(blobs(root, revision).unwrap());
        let valid = data.queries.all().filter(|reading| parse(&reading.text).is_ok());
        all.extend(valid.map(|reading| reading.text.clone()));
    }
    // The fixtures alone have 52.
    assert!(all.len() >= 50, "only {} queries are found", all.len());
    all.into_iter().collect()
}

/// A cluster whose answer is wrong.
struct Wrong {
    outcome: &'static str,
    dialect: Dialect,
    store: Store,
}

impl Wrong {
    /// Without the series that do not matter.
    fn least(mut self, query: &Query, dictionary: &Dictionary) -> Self {
        let labels: Vec<Labels> = self.store.iter().map(|(labels, _)| labels.clone()).collect();
        for one in &labels {
            let mut less = self.store.clone();
            less.retain(|labels| labels != one);
            if outcome(query, &less, self.dialect) == Some(self.outcome)
                && faults(&less, query, dictionary).is_empty()
            {
                self.store = less;
            }
        }
        self
    }
}

/// The cluster of a number.
fn nth_cluster(clusters: &Clusters<'_>, nth: usize) -> Store {
    let seed = number("EXITPATH_SEED", 1) * 1_000_003 + nth;
    let mut random = Random::new(seed as u64);
    // The first numbers of similar seeds are similar.
    for _ in 0..8 {
        random.below(2);
    }
    clusters.draw(&mut random)
}

/// What a cluster answers wrongly.
fn judge(query: &Query, clusters: &Clusters<'_>, nth: usize) -> Option<Wrong> {
    let store = nth_cluster(clusters, nth);
    // Before Prometheus 3, `.` does not match a line feed.
    let has_line_feed = |labels: &Labels| labels.iter().any(|(_, value)| value.contains('\n'));
    let is_plain = || !store.iter().any(|(labels, _)| has_line_feed(labels));
    let mut dialects = vec![Dialect::Three];
    dialects.extend((nth.is_multiple_of(8) && is_plain()).then_some(Dialect::Two));
    let wrong = dialects
        .into_iter()
        .find_map(|dialect| outcome(query, &store, dialect).map(|outcome| (outcome, dialect)));
    wrong.map(|(outcome, dialect)| Wrong { outcome, dialect, store })
}

/// Calls `work` for each, on all processors.
fn each<'t, T: Sync>(all: &'t [T], work: impl Fn(&'t T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(one);
                }
            });
        }
    });
}

/// Asks many random clusters about each query that is proved, and returns where a proof is wrong.
fn wrong_proofs(queries: &[String], dictionary: &Dictionary, clusters: usize) -> Vec<String> {
    let proved = Mutex::new(Vec::new());
    each(queries, |query: &String| {
        if text(&report(query), "verdict") == "proved" {
            proved.lock().unwrap().push(query);
        }
    });
    let mut proved = proved.into_inner().unwrap();
    proved.sort();
    let (wrong, asked) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let share = MOST_TIME / u32::try_from(proved.len().max(1)).unwrap()
        * u32::try_from(std::thread::available_parallelism().map_or(1, usize::from)).unwrap();
    each(&proved, |query| {
        let (start, parsed) = (Instant::now(), parse(query).unwrap());
        let random = Clusters::asked(dictionary, &parsed, query);
        for nth in (0..clusters).take_while(|_| start.elapsed() < share) {
            asked.fetch_add(1, Ordering::Relaxed);
            if let Some(found) = judge(&parsed, &random, nth) {
                let found = found.least(&parsed, dictionary);
                let mut told = format!("{query}\n{} on cluster {nth}", found.outcome);
                write!(told, " ({:?}):\n{}", found.dialect, written(&found.store)).unwrap();
                wrong.lock().unwrap().push(told);
                break;
            }
        }
    });
    let (all, asked) = (proved.len() * clusters, asked.into_inner());
    eprintln!("{} of {} queries are proved", proved.len(), queries.len());
    eprintln!("{asked} of {all} random clusters asked");
    wrong.into_inner().unwrap()
}

#[test]
fn proved_queries_survive_random_clusters() {
    let dictionary = Dictionary::read();
    let wrong = wrong_proofs(&queries(), &dictionary, number("EXITPATH_CLUSTERS", 10_000));
    assert!(wrong.is_empty(), "{} proofs are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Queries that differ from others in one place, as mistakes do.
fn changed(query: &str) -> Vec<String> {
    const CHANGES: &[(&str, &str)] = &[
        ("topk(1,", "(0 * 1 *"),
        ("topk(1,", "("),
        ("topk by (_id) (1,", "("),
        ("bottomk(1,", "("),
        ("group(", "max("),
        ("group(", "sum("),
        ("group(", "count("),
        ("group(", "("),
        ("group by (", "max by ("),
        ("group by (", "sum by ("),
        ("group by (", "group by (namespace, "),
        ("or on (_id)", "or"),
        ("or on (_id)", "or on ()"),
        ("or on ()", "or"),
        ("or\n", "or on ()\n"),
        ("or\n", "and\n"),
        ("or\n", "unless\n"),
        ("on () group_left", "on (_id) group_left"),
        ("on (_id) group_left", "on () group_left"),
        ("* on ()", "+ on ()"),
        ("0 * ", ""),
        ("0 * ", "0 + "),
        ("> 0", "> 1"),
        ("> 0", ">= 0"),
        ("> 0", ""),
        ("== 1", "== 0"),
        ("==", ">= bool"),
        ("!~", "=~"),
        ("=~", "!~"),
        ("!=", "="),
        ("\"current\"", "\"desired\""),
        ("\"initial\"", "\"current\""),
        ("\"initial\"", "\"cluster\""),
        ("type=\"initial\",", ""),
        ("resource=\"nodes\"", "resource=\"pods\""),
        ("max_over_time(", "min_over_time("),
        ("max_over_time(", "count_over_time("),
        ("max_over_time(", "last_over_time("),
        ("[1h]", "[1h:5m]"),
        ("[1h]", "[1m]"),
        ("{_id=\"\"}", "{_id=\"\"} offset 1h"),
        ("{_id=\"\"}", "{_id=\"\",namespace!=\"\"}"),
        ("{_id=\"\"}", "{_id=\"\",type!=\"\"}"),
        ("group(max_over_time", "group by (pod) (max_over_time"),
        ("group(", "group by (namespace) ("),
        ("{_id=\"\"}", "{_id=\"\",name!=\"\"}"),
        ("_id=\"\"", "_id=~\".+\""),
        ("[.]", "."),
        (".*", ".+"),
        ("AWS", "None"),
        ("None", "AWS"),
        ("csv_succeeded", "csv_count"),
        ("csv_count", "csv_succeeded"),
        ("cluster_version", "cluster_installer"),
        ("cluster_installer", "cluster_version"),
        ("cluster_infrastructure_provider", "cluster_proxy_enabled"),
        ("apiserver_storage_objects", "kube_configmap_info"),
        ("cluster_operator_conditions", "cluster_operator_up"),
        ("cluster_operator_conditions", "kubernetes_nmstate_features_applied"),
    ];
    let mut all = BTreeSet::new();
    for (from, to) in CHANGES {
        for (at, _) in query.match_indices(from) {
            all.insert(format!("{}{to}{}", &query[..at], &query[at + from.len()..]));
        }
        all.insert(query.replace(from, to));
    }
    all.remove(query);
    all.into_iter().filter(|query| parse(query).is_ok()).collect()
}

/// The real queries are mostly right. The changed ones are mostly wrong, and look alike.
#[test]
fn proved_changes_of_queries_survive_random_clusters() {
    let dictionary = Dictionary::read();
    let all: BTreeSet<String> = queries().iter().flat_map(|query| changed(query)).collect();
    // Another seed takes other ones.
    let share = number("EXITPATH_CHANGED", 4);
    let first = number("EXITPATH_SEED", 1) % share;
    let all: Vec<String> = all.into_iter().skip(first).step_by(share).collect();
    let wrong = wrong_proofs(&all, &dictionary, number("EXITPATH_CLUSTERS", 2_000));
    assert!(wrong.is_empty(), "{} proofs are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// How many of the clusters have each wrong outcome.
fn outcomes(query: &str, dictionary: &Dictionary, count: usize) -> BTreeMap<&'static str, usize> {
    let parsed = parse(query).unwrap();
    let clusters = Clusters::asked(dictionary, &parsed, query);
    let mut found = BTreeMap::new();
    for nth in 0..count {
        if let Some(wrong) = judge(&parsed, &clusters, nth) {
            *found.entry(wrong.outcome).or_default() += 1;
        }
    }
    found
}

/// A query that can go wrong needs one witness, but one for each way tells more.
#[test]
fn outcomes_of_random_clusters_have_witnesses() {
    let (dictionary, queries) = (Dictionary::read(), queries());
    let told = Mutex::new((0, 0, BTreeMap::new()));
    each(&queries, |query| {
        let report = report(query);
        let verdict = text(&report, "verdict");
        let found = outcomes(query, &dictionary, 400);
        assert!(found.is_empty() || verdict != "proved", "{query}\nis proved, but has {found:?}");
        let witnesses = report["witnesses"].as_array().unwrap().iter();
        let shown: BTreeSet<&str> = witnesses.map(|witness| text(witness, "outcome")).collect();
        let mut told = told.lock().unwrap();
        told.0 += found.keys().filter(|outcome| shown.contains(*outcome)).count();
        told.1 += found.len();
        let missed: Vec<&&str> = found.keys().filter(|one| !shown.contains(*one)).collect();
        if !missed.is_empty() {
            eprintln!("{verdict}, without a witness of {missed:?}:\n{query}\n");
        }
        let found = if found.is_empty() { "goes right" } else { "goes wrong" };
        *told.2.entry(format!("{verdict}, and {found}")).or_insert(0) += 1;
    });
    let (shown, all, verdicts) = told.into_inner().unwrap();
    eprintln!("{shown} of {all} outcomes have a witness; {verdicts:?}");
}

/// The series at a moment.
fn at(store: &Store, time: i64) -> Vec<(Labels, f64)> {
    let query = parse("{__name__=~\".+\"}").unwrap();
    match evaluate(&query, store, &Settings::at(time, Dialect::Three)).unwrap() {
        Value::Vector(samples) => samples,
        other => panic!("{other:?}"),
    }
}

/// What the dictionary does not allow in the series that a query asks for.
fn faults(store: &Store, query: &Query, dictionary: &Dictionary) -> Vec<String> {
    let mut faults = Vec::new();
    for (labels, points) in store.iter() {
        let Some(metric) = dictionary.metrics.get(labels.get("__name__")) else {
            faults.push(format!("{labels}: the dictionary does not know the metric"));
            continue;
        };
        let wrong = metric.wrong_labels(labels, dictionary, false);
        faults.extend(wrong.iter().map(|wrong| format!("{labels} {wrong}")));
        let values = points.iter().filter(|point| !point.is_stale());
        let values: BTreeSet<u64> = values.map(|point| point.value.to_bits()).collect();
        let values = values.into_iter().map(f64::from_bits);
        let wrong = values.filter_map(|value| metric.wrong_value(labels, value));
        faults.extend(wrong.map(|wrong| format!("{labels} {wrong}")));
    }
    let asked: BTreeSet<&str> = query.metrics().collect();
    let points = || store.iter().flat_map(|(_, points)| points);
    let mut times: BTreeSet<i64> = points().map(|point| point.time).collect();
    times.insert(FIXED_TIME);
    let mut since: BTreeMap<String, i64> = BTreeMap::new();
    for time in times {
        for wrong in faults_at(&at(store, time), time == FIXED_TIME, &asked, dictionary) {
            since.entry(wrong).or_insert((time - FIXED_TIME) / MINUTE);
        }
    }
    faults.extend(since.iter().map(|(wrong, minute)| format!("at minute {minute}: {wrong}")));
    faults
}

/// What the dictionary does not allow at one moment. A metric can begin later than others.
fn faults_at(
    samples: &[(Labels, f64)],
    is_now: bool,
    asked: &BTreeSet<&str>,
    dictionary: &Dictionary,
) -> Vec<String> {
    let said = facts(&samples.iter().collect::<Vec<_>>());
    let there: BTreeSet<&str> = samples.iter().map(|(labels, _)| labels.get("__name__")).collect();
    let is_of = |minor: (u32, u32)| {
        let facts = Facts { minor: Some(minor), off: said.off.clone() };
        let mut wrong = Vec::new();
        for (name, metric) in &dictionary.metrics {
            let set: Vec<&Labels> = samples
                .iter()
                .map(|(labels, _)| labels)
                .filter(|labels| labels.get("__name__") == name)
                .collect();
            if there.contains(name.as_str()) || is_now && asked.contains(name.as_str()) {
                let faults = metric.wrong_set(&set, &facts);
                wrong.extend(faults.iter().map(|fault| format!("{name}: {fault}")));
            }
        }
        wrong
    };
    // Where the cluster does not say its version, some version must fit.
    let minors = said.minor.map_or_else(|| (0..40).map(|minor| (4, minor)).collect(), |m| vec![m]);
    minors.into_iter().map(is_of).min_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn random_clusters_are_what_the_dictionary_says() {
    let dictionary = Dictionary::read();
    let all: Vec<&str> = dictionary.metrics.keys().map(String::as_str).collect();
    let query = parse(&all.join(" or ")).unwrap();
    let clusters = Clusters::all(&dictionary);
    let lacking: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let values: Mutex<BTreeSet<(String, String, String)>> = Mutex::default();
    let ended = AtomicUsize::new(0);
    let numbers: Vec<usize> = (0..200).collect();
    each(&numbers, |nth| {
        let store = nth_cluster(&clusters, *nth);
        let faults = faults(&store, &query, &dictionary);
        let shown = written(&store);
        assert!(faults.is_empty(), "cluster {nth}: {}\n{shown}", faults.join("\n"));
        let now = at(&store, FIXED_TIME);
        let has = |name: &str| now.iter().any(|(labels, _)| labels.get("__name__") == name);
        for name in dictionary.metrics.keys().filter(|name| !has(name)) {
            *lacking.lock().unwrap().entry(name.clone()).or_default() += 1;
        }
        let mut values = values.lock().unwrap();
        for (labels, value) in &now {
            let name = labels.get("__name__").to_owned();
            values.insert((name.clone(), "value".into(), value.to_string()));
            let own = labels.iter().map(|(label, value)| (label.to_owned(), value.to_owned()));
            values.extend(own.map(|(label, value)| (name.clone(), label, value)));
        }
        let is_over = |points: &[Point]| points.last().is_some_and(Point::is_stale);
        ended.fetch_add(
            store.iter().filter(|(_, points)| is_over(points)).count(),
            Ordering::Relaxed,
        );
    });
    let (lacking, values) = (lacking.into_inner().unwrap(), values.into_inner().unwrap());
    for (name, metric) in &dictionary.metrics {
        let lacks = lacking.get(name).copied().unwrap_or_default();
        let can_lack = metric.present != "always";
        let is_of_few_versions = metric.since.is_some() || metric.until.is_some();
        let expected = match (can_lack, is_of_few_versions) {
            (_, true) => 0..200,
            (true, false) => 20..180,
            (false, false) => 0..1,
        };
        assert!(expected.contains(&lacks), "{name}: {lacks}");
        let lists = metric.labels.iter().filter_map(|(label, kind)| match kind {
            LabelKind::These(values) => Some((label, values)),
            LabelKind::Any(_) => None,
        });
        for (label, value) in lists.flat_map(|(l, all)| all.iter().map(move |value| (l, value))) {
            let one = (name.clone(), label.clone(), value.clone());
            assert!(values.contains(&one), "no cluster has {name}{{{label}=\"{value}\"}}");
        }
    }
    assert!(ended.into_inner() > 500, "too few series end");
}

/// The series of a cluster, written and read again.
#[test]
fn written_clusters_are_read_the_same() {
    let dictionary = Dictionary::read();
    let clusters = Clusters::all(&dictionary);
    for nth in 0..20 {
        let store = nth_cluster(&clusters, nth);
        let read = SeriesText::read(&written(&store), None);
        assert_eq!(read.malformed.count(), 0);
        let points = |store: &Store| -> Vec<_> {
            let flat = |(labels, points): (&Labels, &[Point])| {
                let points = points.iter().map(|p| (p.time, p.value.to_bits())).collect::<Vec<_>>();
                (labels.to_string(), points)
            };
            store.iter().map(flat).collect()
        };
        assert_eq!(points(&store), points(&read.series.store));
    }
}

#[test]
fn patterns_get_texts_that_fit() {
    let dictionary = Dictionary::read();
    for pattern in [
        "4[.]([0-9]|1[0-2])[.].*",
        ".*(?:[.]dkr[.]ecr(?:-fips)?[.].*[.]amazonaws[.]com)[/@:].*",
        "|rendered-master-.*",
        "https?",
        "ptp-operator[.]v4[.][0-9]*[.]0-(202[3-5]|20260[1-9])[0-9]+",
    ] {
        let text = format!("up{{node=~{pattern:?}}}");
        let query = parse(&text).unwrap();
        let clusters = Clusters::asked(&dictionary, &query, &text);
        let nodes: BTreeSet<String> = (0..100)
            .flat_map(|nth| at(&nth_cluster(&clusters, nth), FIXED_TIME))
            .map(|(labels, _)| labels.get("node").to_owned())
            .collect();
        let fit =
            nodes.iter().filter(|node| promql::regex::matches(pattern, node) == Some(true)).count();
        assert!(fit > 1 && fit < nodes.len(), "{pattern}: {fit} of {} fit: {nodes:?}", nodes.len());
    }
}

/// The queries of the real mistakes about queries, with the ID of each mistake.
fn real_mistakes() -> Vec<(String, String)> {
    let Some(history) = real_data::history_if_any() else { return Vec::new() };
    let Some(list) = real_data::data("mistakes.jsonl") else { return Vec::new() };
    let mut all = BTreeSet::new();
    for line in std::fs::read_to_string(list).unwrap().lines() {
        let mistake: Json = serde_json::from_str(line).unwrap();
        if !text(&mistake, "class").starts_with("promql") {
            continue;
        }
        let (bad, id) = (text(&mistake, "bad"), text(&mistake, "id"));
        let paths = mistake["paths"].as_array().unwrap().iter().filter_map(Json::as_str);
        let paths: Vec<&str> = paths.collect();
        let show = |path: &str| {
            let place = format!("{bad}:{path}");
            let mut git = crate::shared::scratch::git_command();
            git.arg("-C").arg(history).args(["show", &place]).output().unwrap().stdout
        };
        let files = paths.iter().map(|path| Blob::new((*path).to_owned(), Ok(show(path))));
        let data = GraphData::from_blobs(files.collect());
        assert!(data.queries.all().next().is_some(), "{id} has no query");
        all.extend(data.queries.all().map(|reading| (id.to_owned(), reading.text.clone())));
    }
    all.into_iter().collect()
}

/// Mistakes, what is wrong with the answer, and where.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        r#"cluster_infrastructure_provider{_id="",type=~"VSphere|None"}"#,
        "no-sample",
        "on AWS, no type matches",
    ),
    (
        r#"max(cluster_infrastructure_provider{_id="",type="VSphere"})"#,
        "no-sample",
        "on AWS, there is nothing to take the greatest of",
    ),
    (r#"kube_node_info{_id=""}"#, "several-samples", "with two nodes"),
    (r#"sum(kube_node_info{_id=""})"#, "other-value", "with two nodes"),
    (
        r#"sum(kube_node_info{_id=""}) > 0"#,
        "other-value",
        "with two nodes, because a comparison keeps the value",
    ),
    (
        r#"group by (name) (csv_succeeded{_id="",name=~"a[.].*|b[.].*"}) or on (_id) 0 * group(csv_count{_id=""})"#,
        "several-samples",
        "with both operators",
    ),
    (
        r#"group(csv_succeeded{_id=""}) or 0 * group(csv_count{_id=""})"#,
        "no-sample",
        "without Operator Lifecycle Manager",
    ),
    (
        r#"group by (type) (cluster_infrastructure_provider{_id=""}) * on () group by (mode) (cco_credentials_mode{_id=""})"#,
        "no-sample",
        "without the capability CloudCredential",
    ),
    (
        r#"group by (type) (cluster_infrastructure_provider{_id=""}) * on () group by (node) (kube_node_info{_id=""})"#,
        "error",
        "with two nodes, many match one",
    ),
    (
        r#"group by (pod) (max_over_time(ovnkube_clustermanager_num_egress_ips{_id=""}[1h])) or on () 0 * group(cluster_version{_id=""})"#,
        "several-samples",
        "after the pod was replaced",
    ),
    (
        r#"max(apiserver_storage_objects{_id="",resource="nodes"}) or vector(0)"#,
        "other-value",
        "with two nodes",
    ),
    (
        r#"max(apiserver_storage_objects{_id="",resource="nodes"} == -1) or 0 * group(cluster_version{_id=""})"#,
        "other-value",
        "where counting failed",
    ),
    (
        r#"1 - max(cluster_version_capability{_id="",name="NodeTuning"})"#,
        "no-sample",
        "where the version does not know the capability",
    ),
    (
        r#"group(ovnkube_master_ipsec_enabled{_id=""}) or 0 * group(ovnkube_controller_ipsec_enabled{_id=""})"#,
        "no-sample",
        "without OVN-Kubernetes",
    ),
];

#[test]
fn random_clusters_show_known_mistakes() {
    let dictionary = Dictionary::read();
    for (query, expected, why) in MISTAKES {
        let found = outcomes(query, &dictionary, 1_000);
        assert!(found.contains_key(expected), "{query}: no {expected} {why}: {found:?}");
    }
}

#[test]
fn known_mistakes_have_a_witness() {
    let mut missed = Vec::new();
    for (query, expected, why) in MISTAKES {
        let report = report(query);
        let mut witnesses = report["witnesses"].as_array().unwrap().iter();
        let is_shown = witnesses.any(|witness| text(witness, "outcome") == *expected);
        if text(&report, "verdict") != "can-go-wrong" || !is_shown {
            missed.push(format!("{query}\nhas no witness of {expected} {why}: {report}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The answer is always 0, and so it is proved. A finding says that the risk applies to no cluster.
#[test]
fn an_answer_that_is_always_0_has_a_finding() {
    let query = r#"0 * group(cluster_version{_id=""}) or group(kube_node_info{_id=""})"#;
    let report = report(query);
    assert!(outcomes(query, &Dictionary::read(), 1_000).is_empty());
    assert_ne!(text(&report, "verdict"), "can-go-wrong");
    let findings = report["findings"].as_array().unwrap();
    let rules: Vec<&str> = findings.iter().map(|finding| text(finding, "rule")).collect();
    let about = ["never-affected", "unreachable-arm"];
    assert!(rules.iter().any(|rule| about.contains(rule)), "{report}");
}

#[test]
fn real_mistakes_have_a_finding_or_a_witness() {
    if real_data::history().is_none() {
        return;
    }
    let mut silent = BTreeSet::new();
    for (id, query) in real_mistakes() {
        let report = report(&query);
        let is_told = text(&report, "verdict") == "can-go-wrong"
            || !report["findings"].as_array().unwrap().is_empty();
        if !is_told {
            silent.insert(id);
        }
    }
    assert!(silent.is_empty(), "nothing about {silent:?}");
}

/// Each witness is a cluster that the dictionary allows, and it goes wrong as the report says.
#[test]
fn witnesses_go_wrong_here() {
    let dictionary = Dictionary::read();
    let mut all = queries();
    all.extend(MISTAKES.iter().map(|(query, ..)| (*query).to_owned()));
    all.extend(real_mistakes().into_iter().map(|(_, query)| query));
    let (count, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    each(&all, |query| {
        let report = report(query);
        let witnesses = report["witnesses"].as_array().unwrap();
        let is_wrong = text(&report, "verdict") == "can-go-wrong";
        assert_eq!(is_wrong, !witnesses.is_empty(), "{query}: {report}");
        for witness in witnesses {
            count.fetch_add(1, Ordering::Relaxed);
            let faults = witness_faults(query, witness, &dictionary);
            if !faults.is_empty() {
                let told = format!("{query}\n{}\n{witness:#}", faults.join("\n"));
                wrong.lock().unwrap().push(told);
            }
        }
    });
    let (count, wrong) = (count.into_inner(), wrong.into_inner().unwrap());
    eprintln!("{count} witnesses of {} queries", all.len());
    assert!(
        wrong.is_empty(),
        "{} of {count} witnesses are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn witness_faults(query: &str, witness: &Json, dictionary: &Dictionary) -> Vec<String> {
    let parsed = parse(query).unwrap();
    let lines: Vec<&str> =
        witness["series"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let read = SeriesText::read(&lines.join("\n"), None);
    let mut wrong = Vec::new();
    if read.malformed.count() > 0 {
        wrong.push(format!("{} lines cannot be read", read.malformed.count()));
    }
    let store = &read.series.store;
    if store.len() != lines.len() {
        wrong.push(format!("{} lines have {} series", lines.len(), store.len()));
    }
    let found = outcome(&parsed, store, Dialect::Three);
    if found != Some(text(witness, "outcome")) {
        wrong.push(format!("the answer is {found:?}"));
    }
    let blame = |end: &str| witness["blame"][end].as_u64().and_then(|at| usize::try_from(at).ok());
    let range = blame("start").zip(blame("end"));
    if range.is_none_or(|(start, end)| query.get(start..end).is_none_or(str::is_empty)) {
        wrong.push("the blame is no part of the query".into());
    }
    // A query whose result is never a vector fails everywhere, and needs no series for it.
    if !lines.is_empty() || found != Some("error") {
        wrong.extend(faults(store, &parsed, dictionary));
    }
    wrong
}
