//! Requests, and what the service answers to each.

use super::{Served, asked, get, sent};

const GRAPH: &str = "/api/upgrades_info/v1/graph";
const VERSIONED: &str = "application/vnd.redhat.cincinnati.v1+json";
const JSON: &str = "application/json";

/// A path, the header `Accept`, and the status, type, and body of the answer.
type Row = (&'static str, Option<&'static str>, u16, Option<&'static str>, Option<&'static str>);

const MISSING: &str =
    r#"{"kind":"missing_params","value":"mandatory client parameters missing: channel"}"#;
const NOT_ACCEPTABLE: &str =
    r#"{"kind":"invalid_content_type","value":"invalid Content-Type requested"}"#;
const BAD_CHANNEL: &str = r#"{"kind":"invalid_params","value":"invalid client parameters: channel 'Stable-4.14' does not match regex '^[0-9a-z\\-\\.]+$'"}"#;
const BAD_ARCH: &str = r#"{"kind":"invalid_params","value":"invalid client parameters: arch 'x86_64' does not match regex '^[0-9a-z]+$'"}"#;
const NO_CHANNEL: &str = "there is no such channel; `/` shows all\n";
const NOTHING: &str = "{\"version\":1,\"nodes\":[],\"edges\":[],\"conditionalEdges\":[]}\n";

const TABLE: &[Row] = &[
    ("/api/upgrades_info/v1/graph?channel=stable-4.14", None, 200, Some(VERSIONED), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", None, 200, Some(VERSIONED), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", Some(JSON), 200, Some(JSON), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", Some("*/*"), 200, Some(JSON), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", Some("*"), 200, Some(JSON), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", Some("application/*"), 200, Some(JSON), None),
    ("/api/upgrades_info/graph?channel=stable-4.14", Some(VERSIONED), 200, Some(VERSIONED), None),
    ("/api/upgrades_info/graph?channel=none-1.0", None, 200, Some(VERSIONED), Some(NOTHING)),
    (
        "/api/upgrades_info/channels",
        Some("application/vnd.redhat.cincinnati.channels.v2+json, application/json;q=0.5"),
        200,
        Some(JSON),
        None,
    ),
    (
        "/api/upgrades_info/graph?channel=stable-4.14&arch=mips",
        None,
        200,
        Some(VERSIONED),
        Some(NOTHING),
    ),
    ("/api/upgrades_info/graph", None, 400, Some(JSON), Some(MISSING)),
    ("/api/upgrades_info/graph?version=4.14.1&id=1", None, 400, Some(JSON), Some(MISSING)),
    ("/api/upgrades_info/graph?channel=Stable-4.14", None, 400, Some(JSON), Some(BAD_CHANNEL)),
    (
        "/api/upgrades_info/graph?channel=stable-4.14&arch=x86_64",
        None,
        400,
        Some(JSON),
        Some(BAD_ARCH),
    ),
    // The header is looked at first, then the parameters.
    ("/api/upgrades_info/graph", Some("text/html"), 406, Some(JSON), Some(NOT_ACCEPTABLE)),
    (
        "/api/upgrades_info/graph?channel=a",
        Some("application/json, text/plain"),
        406,
        Some(JSON),
        Some(NOT_ACCEPTABLE),
    ),
    ("/api/upgrades_info/channels", Some(VERSIONED), 406, Some(JSON), Some(NOT_ACCEPTABLE)),
    (
        "/api/upgrades_info/channels",
        None,
        200,
        Some("application/vnd.redhat.cincinnati.channels.v1+json"),
        None,
    ),
    ("/api/upgrades_info/channels", Some(JSON), 200, Some(JSON), None),
    ("/api/upgrades_info/openapi", Some("text/html"), 200, Some(JSON), None),
    ("/api/upgrades_info/v1/openapi", None, 200, Some(JSON), None),
    ("/api/upgrades_info/graph-data", Some("text/html"), 200, Some("application/gzip"), None),
    ("/graph-data", None, 200, Some("application/gzip"), None),
    ("/", None, 200, Some("text/html; charset=utf-8"), None),
    ("/explorer-data", None, 200, Some("text/plain; charset=utf-8"), None),
    ("/channels/stable-4.14", None, 302, None, Some("")),
    ("/channels/none-1.0", None, 404, Some("text/plain; charset=utf-8"), Some(NO_CHANNEL)),
    ("/livez", None, 200, None, Some("")),
    ("/readyz", None, 200, None, Some("")),
    ("/metrics", None, 200, Some("text/plain; version=0.0.4; charset=utf-8"), None),
    ("/graph", None, 404, None, Some("")),
    ("/api/upgrades_info/v2/graph", None, 404, None, Some("")),
    ("/api/upgrades_info/graph/", None, 404, None, Some("")),
    ("/api/upgrades_info//graph", None, 404, None, Some("")),
    ("/channels/", None, 404, None, Some("")),
    ("/channels/a/b", None, 404, None, Some("")),
    ("/../../etc/passwd", None, 404, None, Some("")),
    ("/graph-data/../../version", None, 404, None, Some("")),
    ("/%2e%2e/version", None, 404, None, Some("")),
    ("/channels/..%2f..%2fversion", None, 404, Some("text/plain; charset=utf-8"), Some(NO_CHANNEL)),
];

#[test]
fn each_request_has_its_answer() {
    let served = Served::start(["fixtures/graph-data"]);
    for (path, accept, status, content_type, body) in TABLE {
        let headers: Vec<_> = accept.iter().map(|accept| ("Accept", *accept)).collect();
        let answer = get(served.clients, path, &headers);
        let of = format!("{path} with {accept:?}");
        assert_eq!(answer.status, *status, "{of}");
        assert_eq!(answer.header("content-type"), *content_type, "{of}");
        if let Some(body) = body {
            assert_eq!(answer.text(), *body, "{of}");
        }
        // What is asked with HEAD differs only in the body.
        let head = asked(served.clients, "HEAD", path, &headers);
        assert_eq!((head.status, head.body.len()), (*status, 0), "{of}");
        assert_eq!(head.header("content-type"), *content_type, "{of}");
        if *path != "/metrics" {
            let length = head.header("content-length").unwrap_or("0");
            assert_eq!(Some(length), answer.header("content-length"), "{of}");
            assert_eq!(head.header("etag"), answer.header("etag"), "{of}");
        }
    }
}

#[test]
fn only_get_and_head_are_allowed_and_browsers_may_ask() {
    let served = Served::start(["fixtures/graph-data"]);
    let path = format!("{GRAPH}?channel=stable-4.14");
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let answer = asked(served.clients, method, &path, &[]);
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert_eq!(asked(served.clients, "POST", "/nothing", &[]).status, 404);
    let origin = ("Origin", "https://example.com");
    let answer = get(served.clients, &path, &[origin]);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://example.com"));
    let asks_first = [origin, ("Access-Control-Request-Method", "GET")];
    let preflight = asked(served.clients, "OPTIONS", &path, &asks_first);
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, HEAD"));
    assert_eq!(served.get(&path).header("access-control-allow-origin"), None);
    let closed = Served::start(["fixtures/graph-data", "--cors", "none"]);
    let answer = get(closed.clients, &path, &[origin]);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
    assert_eq!(asked(closed.clients, "OPTIONS", &path, &asks_first).status, 405);
}

#[test]
fn an_answer_is_compressed_and_not_sent_twice() {
    let served = Served::start(["fixtures/graph-data"]);
    let path = format!("{GRAPH}?channel=stable-4.14");
    let plain = served.get(&path);
    let zipped = get(served.clients, &path, &[("Accept-Encoding", "br, gzip")]);
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
    assert_eq!(zipped.unzipped(), plain.body);
    assert!(zipped.body.len() < plain.body.len() / 2);
    let tag = plain.header("etag").unwrap();
    let zipped_tag = zipped.header("etag").unwrap();
    assert_ne!(tag, zipped_tag);
    let weak = format!("W/{tag}");
    let list = format!("\"other\", {tag}");
    for known in [tag, weak.as_str(), list.as_str(), "*"] {
        let answer = get(served.clients, &path, &[("If-None-Match", known)]);
        assert_eq!((answer.status, answer.body.len()), (304, 0), "{known}");
        assert_eq!(answer.header("etag"), Some(tag));
    }
    let takes_gzip = ("Accept-Encoding", "gzip");
    let known = get(served.clients, &path, &[takes_gzip, ("If-None-Match", zipped_tag)]);
    assert_eq!((known.status, known.header("etag")), (304, Some(zipped_tag)));
    // Who has one encoding does not have the other.
    assert_eq!(get(served.clients, &path, &[("If-None-Match", zipped_tag)]).status, 200);
    assert_eq!(get(served.clients, &path, &[takes_gzip, ("If-None-Match", tag)]).status, 200);
    let other = get(served.clients, &path, &[("If-None-Match", "\"other\"")]);
    assert_eq!((other.status, other.body), (200, plain.body));
}

#[test]
fn what_is_not_http_gets_a_short_answer_and_a_line_in_the_log() {
    let served = Served::start(["fixtures/graph-data"]);
    let status = |bytes: &[u8]| {
        let answer = sent(served.clients, bytes);
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
    };
    let huge = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(1 << 20));
    let headers = format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "A: b\r\n".repeat(5000));
    for (bytes, expected) in [
        (&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], "HTTP/1.1 400 Bad Request"),
        (b"GET\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        (b"GET / HTTP/9.9\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        (b"GET / HTTP/1.1\r\nBad Header: x\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        (headers.as_bytes(), "HTTP/1.1 431 Request Header Fields Too Large"),
    ] {
        assert_eq!(status(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
    // The connection may end before the answer is read.
    let answer = status(huge.as_bytes());
    assert!(answer.is_empty() || answer.contains(" 414 ") || answer.contains(" 431 "), "{answer}");
    served.wait_for("127.0.0.1: the request is not HTTP");
    served.wait_for("127.0.0.1: the request has too large or too many headers");
    assert_eq!(served.get("/livez").status, 200);
    let log = served.log();
    assert!(log.iter().all(|line| line.len() < 1000), "{log:#?}");
}

#[test]
fn ports_have_what_the_real_services_have_there() {
    let arguments = ["fixtures/graph-data", "--raw", "127.0.0.1:0", "--status", "127.0.0.1:0"];
    let served = Served::start(arguments);
    let (raw, status) = (served.raw.unwrap(), served.status.unwrap());
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(served.get(path).status, 404, "{path}");
        assert_eq!(get(raw, path, &[]).status, 404, "{path}");
        assert_eq!(get(status, path, &[]).status, 200, "{path}");
    }
    assert_eq!(get(status, &format!("{GRAPH}?channel=stable-4.14"), &[]).status, 404);
    for path in ["/graph", "/api/upgrades_info/graph", "/api/upgrades_info/v1/graph"] {
        let answer = get(raw, path, &[]);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(JSON)), "{path}");
        let json = answer.json();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["conditionalEdges", "edges", "nodes"]);
        assert_eq!(get(raw, path, &[("Accept", VERSIONED)]).status, 406, "{path}");
        assert_eq!(get(raw, path, &[("Accept", "*/*")]).status, 200, "{path}");
    }
    assert_eq!(get(raw, "/graph-data", &[]).status, 200);
}
