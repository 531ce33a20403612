//! A server that plays Prometheus for given series: exitpath itself calculates the answers.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use exitpath::testing::metrics::{QueryError, SeriesText, Source};
use promql::{Dialect, Labels, Value, in_json};
use serde_json::json;

/// What it answers to a query.
pub(crate) type Answering = dyn Fn(&str) -> String + Send + Sync;

/// A server that runs until the test process ends.
pub(crate) struct FakePrometheus {
    pub(crate) url: String,
    /// The queries that it was asked.
    pub(crate) queries: Arc<Mutex<Vec<String>>>,
}

impl FakePrometheus {
    /// A server with the series of a text in the notation of `.series` files. `{1..20}` in a line
    /// stands for the numbers from 1 to 20, each in a line of its own.
    pub(crate) fn of_series(text: &str) -> Self {
        let read = SeriesText::read(&expanded(text), None);
        assert_eq!(read.malformed.count(), 0, "{:?}", read.malformed);
        let source = Source::Series(read.series, Dialect::Three);
        Self::answering(Box::new(move |query| answer(&source.ask(query))))
    }

    pub(crate) fn of_file(path: &Path) -> Self {
        Self::of_series(&fs::read_to_string(path).unwrap())
    }

    /// A server that answers each query with these bytes.
    pub(crate) fn answering(answering: Box<Answering>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let queries = Arc::new(Mutex::new(Vec::new()));
        let (asked, answering) = (Arc::clone(&queries), Arc::new(answering));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (asked, answering) = (Arc::clone(&asked), Arc::clone(&answering));
                thread::spawn(move || serve(&stream.unwrap(), &asked, &**answering));
            }
        });
        Self { url, queries }
    }
}

fn serve(mut stream: &TcpStream, asked: &Mutex<Vec<String>>, answering: &Answering) {
    let mut request = String::new();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    while lines.read_line(&mut request).is_ok_and(|bytes| bytes > 2) {}
    let (_, query) = request.lines().next().unwrap().split_once("&query=").unwrap();
    let query = decoded(query.strip_suffix(" HTTP/1.1").unwrap());
    asked.lock().unwrap().push(query.clone());
    // Who asks may have given up.
    let _ = stream.write_all(answering(&query).as_bytes());
}

/// The text of a URL's part.
fn decoded(part: &str) -> String {
    let mut pieces = part.split('%');
    let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        bytes.extend(&piece.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}

/// An answer of an HTTP server.
pub(crate) fn http(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

/// The HTTP answer of Prometheus.
pub(crate) fn answer(value: &Result<Value, QueryError>) -> String {
    match value {
        Ok(Value::Vector(samples)) => {
            let object =
                |labels: &Labels| labels.iter().map(|(n, v)| (n.to_owned(), v.into())).collect();
            let sample = |(labels, value): &(Labels, f64)| {
                let metric: serde_json::Map<String, serde_json::Value> = object(labels);
                json!({ "metric": metric, "value": [1, in_json(*value)] })
            };
            let result: Vec<_> = samples.iter().map(sample).collect();
            data(&json!({ "resultType": "vector", "result": result }))
        }
        Ok(Value::Scalar(value)) => {
            data(&json!({ "resultType": "scalar", "result": [1, in_json(*value)] }))
        }
        Ok(other) => panic!("no query of a test answers {other:?}"),
        Err(error) => {
            let status = if error.kind() == "bad_data" {
                "400 Bad Request"
            } else {
                "422 Unprocessable Entity"
            };
            http(
                status,
                &json!({ "status": "error", "errorType": error.kind(), "error": error.words() })
                    .to_string(),
            )
        }
    }
}

fn data(data: &serde_json::Value) -> String {
    http("200 OK", &json!({ "status": "success", "data": data }).to_string())
}

fn expanded(text: &str) -> String {
    let mut expanded = String::new();
    for line in text.lines() {
        let Some((before, rest)) = line.split_once("{1..") else {
            let _ = writeln!(expanded, "{line}");
            continue;
        };
        let (last, after) = rest.split_once('}').unwrap();
        for number in 1..=last.parse::<u32>().unwrap() {
            let _ = writeln!(expanded, "{before}{number}{after}");
        }
    }
    expanded
}
