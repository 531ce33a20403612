//! A real Prometheus as the judge of what queries answer. `tests/tables/values-verify` starts one,
//! and names it in `EXITPATH_PROMETHEUS`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;

use exitpath::testing::domain::Named;
use exitpath::testing::graph_data::{GraphData, blobs};
use exitpath::testing::metrics::SampleCluster;
use exitpath::testing::promql::{Dialect, Settings, Store};
use serde_json::{Value as Json, json};

use crate::real_data;
use crate::values::{answer, order_of_duplicates_aside};
use crate::values_odd_at::is_odd_at;
use crate::values_queries::Queries;
use crate::values_series::{NOW, series};

/// A connection to a Prometheus on this machine.
struct Prometheus {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Prometheus {
    /// The one that `EXITPATH_PROMETHEUS` names by address and port.
    fn found() -> Option<Self> {
        let Ok(host) = std::env::var("EXITPATH_PROMETHEUS") else {
            eprintln!("skipped: EXITPATH_PROMETHEUS names no Prometheus; see values-verify");
            return None;
        };
        let stream = BufReader::new(TcpStream::connect(&host).unwrap());
        Some(Self { stream, host })
    }

    fn post(&mut self, path: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n{headers}\r\n",
            self.host
        );
        let message = [head.as_bytes(), body].concat();
        self.stream.get_mut().write_all(&message).unwrap();
        let status = self.line().split(' ').nth(1).unwrap().parse().unwrap();
        let (mut length, mut chunked) = (0, false);
        loop {
            let line = self.line().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
            chunked |= line == "transfer-encoding: chunked";
        }
        let mut body = Vec::new();
        loop {
            if chunked {
                length = usize::from_str_radix(&self.line(), 16).unwrap();
            }
            let start = body.len();
            body.resize(start + length, 0);
            self.stream.read_exact(&mut body[start..]).unwrap();
            if !chunked {
                return (status, body);
            }
            self.line();
            if length == 0 {
                return (status, body);
            }
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// What it answers, in the form of `values::answer`.
    fn answer(&mut self, query: &str, time: i64) -> Json {
        let mut body = format!("time={}&query=", time / 1000);
        for byte in query.bytes() {
            let _ = write!(body, "%{byte:02x}");
        }
        let form = "Content-Type: application/x-www-form-urlencoded\r\n";
        let (_, body) = self.post("/api/v1/query", form, body.as_bytes());
        let body: Json = serde_json::from_slice(&body).unwrap();
        if body["status"] == "success" {
            return json!({"type": body["data"]["resultType"], "result": body["data"]["result"]});
        }
        json!({"errorType": body["errorType"], "error": body["error"]})
    }

    /// Gives it the series of the random queries, once.
    fn load(&mut self, store: &Store) {
        static LOADED: Mutex<bool> = Mutex::new(false);
        let mut is_loaded = LOADED.lock().unwrap();
        if !std::mem::replace(&mut *is_loaded, true) {
            self.write(store);
        }
    }

    /// Gives it series through its interface for remote writing, the oldest samples first.
    fn write(&mut self, store: &Store) {
        let mut by_time: BTreeMap<i64, Vec<Vec<u8>>> = BTreeMap::new();
        for (labels, points) in store.iter() {
            let pair = |(name, value): (&str, &str)| {
                field(1, &[field(1, name.as_bytes()), field(2, value.as_bytes())].concat())
            };
            let labels: Vec<u8> = labels.iter().flat_map(pair).collect();
            for point in points {
                let value = [&[0x09][..], &point.value.to_le_bytes()].concat();
                let time = [vec![0x10], varint(point.time.cast_unsigned())].concat();
                let sample = field(2, &[value, time].concat());
                let series = field(1, &[labels.clone(), sample].concat());
                by_time.entry(point.time).or_default().push(series);
            }
        }
        let samples: Vec<Vec<u8>> = by_time.into_values().flatten().collect();
        for part in samples.chunks(200) {
            let headers = "Content-Encoding: snappy\r\nContent-Type: application/x-protobuf\r\n\
                           X-Prometheus-Remote-Write-Version: 0.1.0\r\n";
            let (status, words) = self.post("/api/v1/write", headers, &snappy(&part.concat()));
            assert_eq!(status, 204, "{}", String::from_utf8_lossy(&words));
        }
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).unwrap());
    bytes
}

/// A field of a protocol buffer that has a length.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    [vec![number << 3 | 2], varint(content.len() as u64), content.to_vec()].concat()
}

/// Snappy's format without compressing anything.
fn snappy(content: &[u8]) -> Vec<u8> {
    let mut out = varint(content.len() as u64);
    for part in content.chunks(1 << 16) {
        let last = u16::try_from(part.len() - 1).unwrap();
        out.push(61 << 2);
        out.extend(last.to_le_bytes());
        out.extend(part);
    }
    out
}

/// Whether two numbers are the same but for rounding.
#[allow(clippy::float_cmp, reason = "infinities are equal only exactly")]
fn near(a: &str, b: &str) -> bool {
    let (Ok(a), Ok(b)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    let size = a.abs().max(b.abs());
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * size
}

/// Whether two parts of answers are the same.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let found = |(key, value): (&String, &Json)| b.get(key).is_some_and(|b| same(value, b));
            a.len() == b.len() && a.iter().all(found)
        }
        (Json::String(a), Json::String(b)) => a == b || near(a, b),
        (Json::Number(a), Json::Number(b)) => near(&a.to_string(), &b.to_string()),
        _ => a == b,
    }
}

/// Whether two answers are the same. Only what is sorted has an order.
fn agree(query: &str, ours: &Json, theirs: &Json) -> bool {
    if ours["errorType"] != theirs["errorType"] {
        return false;
    }
    if ours["errorType"] == "bad_data" {
        return true;
    }
    if let (Some(ours), Some(theirs)) = (ours["error"].as_str(), theirs["error"].as_str()) {
        let words = |error: &str| {
            let error = order_of_duplicates_aside(error);
            error.split('{').next().unwrap_or_default().to_owned()
        };
        return words(ours) == words(theirs);
    }
    let result = |answer: &Json| {
        let mut result = answer["result"].clone();
        let is_set = result.get(0).is_some_and(Json::is_object);
        if is_set && !query.starts_with("sort") {
            let series = result.as_array_mut().unwrap();
            series.sort_by_cached_key(|series| series["metric"].to_string());
        }
        if is_set && query.starts_with("sort") {
            // Equal values have no order.
            let values: Json =
                result.as_array().unwrap().iter().map(|s| s["value"].clone()).collect();
            result = values;
        }
        result
    };
    ours["type"] == theirs["type"] && same(&result(ours), &result(theirs))
}

fn settings(prometheus: &mut Prometheus) -> Settings {
    let (_, body) = prometheus.post("/api/v1/status/buildinfo", "", b"");
    let is_three = String::from_utf8_lossy(&body).contains("\"version\":\"3.");
    let dialect = if is_three { Dialect::Three } else { Dialect::Two };
    // Where nothing else is configured, rules are evaluated every minute.
    Settings { step: 60_000, ..Settings::at(NOW, dialect) }
}

#[test]
fn random_queries_are_answered_as_by_prometheus() {
    let Some(mut prometheus) = Prometheus::found() else { return };
    let number = |name: &str, else_: usize| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(else_)
    };
    let count = number("EXITPATH_QUERIES", 40_000);
    let (store, settings) = (series(), settings(&mut prometheus));
    prometheus.load(&store);
    let mut queries = Queries::new(number("EXITPATH_SEED", 1) as u64);
    let (mut kinds, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    let mut left_out = 0;
    for _ in 0..count {
        let query = queries.query();
        if is_odd_at(&query) {
            left_out += 1;
            continue;
        }
        let ours = answer(&query, &store, &settings);
        let mut theirs = prometheus.answer(&query, NOW);
        // After a subquery, the order of series is random there: `topk` may choose others, and sums
        // may be rounded in another way.
        let is_random = query.contains(':') || query.contains("histogram_quantile");
        for _ in 0..200 {
            if agree(&query, &ours, &theirs) || !is_random {
                break;
            }
            theirs = prometheus.answer(&query, NOW);
        }
        let kind = match theirs["type"].as_str() {
            Some(kind) if theirs["result"] == json!([]) => format!("empty {kind}"),
            Some(kind) => kind.to_owned(),
            None => format!("error: {}", theirs["errorType"]),
        };
        *kinds.entry(kind).or_default() += 1;
        if !agree(&query, &ours, &theirs) {
            wrong.push(format!("{query}\n    ours:  {ours}\n    there: {theirs}"));
        }
    }
    eprintln!("{count} queries: {kinds:?}, {left_out} left out, {} differ", wrong.len());
    wrong.sort_by_key(String::len);
    if let Some(path) = std::env::var_os("EXITPATH_DIFFERENCES") {
        fs::write(path, wrong.join("\n")).unwrap();
    }
    let shown: Vec<String> =
        wrong.iter().take(20).map(|w| w.chars().take(1500).collect()).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
}

/// The queries of the newest revision of the real data, or else of our own repository.
fn queries_of_risks() -> Vec<String> {
    let (root, revision) = match real_data::history() {
        Some(history) => (history, Some("HEAD")),
        None => (Path::new("fixtures/graph-data"), None),
    };
    let data = GraphData::from_blobs(blobs(root, revision).unwrap());
    data.queries.all().map(|reading| reading.text.clone()).collect()
}

#[test]
fn sample_clusters_are_answered_as_by_prometheus() {
    const DAY: i64 = 86_400_000;
    let Some(mut prometheus) = Prometheus::found() else { return };
    // A Prometheus takes no samples that are much older than what it has.
    prometheus.load(&series());
    let (settings, queries) = (settings(&mut prometheus), queries_of_risks());
    let (mut compared, mut wrong) = (0, Vec::new());
    for (nth, cluster) in SampleCluster::ALL.iter().enumerate() {
        let time = NOW + DAY * (i64::try_from(nth).unwrap() + 1);
        let cluster_series = cluster.series(Some(time));
        prometheus.write(&cluster_series.store);
        let settings = Settings { time, ..settings };
        for query in &queries {
            let query = cluster_series.as_asked(query);
            let ours = answer(&query, &cluster_series.store, &settings);
            let theirs = prometheus.answer(&query, time);
            compared += 1;
            if !agree(&query, &ours, &theirs) {
                wrong.push(format!(
                    "{}: {query}\n    ours:  {ours}\n    there: {theirs}",
                    cluster.name()
                ));
            }
        }
    }
    eprintln!("{compared} answers on sample clusters compared, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `values.jsonl` holds what Prometheus answers. `EXITPATH_BLESS=1` asks it again.
#[test]
fn the_table_is_what_prometheus_answers() {
    let Some(mut prometheus) = Prometheus::found() else { return };
    let (store, settings) = (series(), settings(&mut prometheus));
    if settings.dialect != Dialect::Two {
        eprintln!("skipped: the table holds what Prometheus 2 answers");
        return;
    }
    prometheus.load(&store);
    let (path, mut now, mut wrong) = ("tests/tables/values.jsonl", String::new(), Vec::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let answer = prometheus.answer(query, NOW);
        if !agree(query, &row["answer"], &answer) {
            wrong.push(format!("{query}: {answer}"));
        }
        let _ = writeln!(now, "{}", json!({"query": query, "answer": answer}));
    }
    if std::env::var_os("EXITPATH_BLESS").is_some() {
        fs::write(path, now).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same table without Prometheus.
#[test]
fn the_table_is_what_we_answer() {
    let (store, settings) =
        (series(), Settings { step: 60_000, ..Settings::at(NOW, Dialect::Two) });
    let mut wrong = Vec::new();
    for line in fs::read_to_string("tests/tables/values.jsonl").unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let ours = answer(query, &store, &settings);
        if !agree(query, &ours, &row["answer"]) {
            wrong.push(format!("{query}\n    ours:  {ours}\n    there: {}", row["answer"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
