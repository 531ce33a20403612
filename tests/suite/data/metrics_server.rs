//! Queries to a server, which is a thread of the test.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use exitpath::testing::metrics::{Server, ServerRequest, Source};
use promql::{Labels, Point, Value};

use crate::fake_prometheus::http;
use crate::shared::skipped;

const LONG: Duration = Duration::from_mins(1);

/// Answers one request with these bytes. The thread returns the request.
pub(crate) fn serve(answer: impl Into<Vec<u8>>) -> (SocketAddr, JoinHandle<String>) {
    let answer = answer.into();
    // Who asks may have heard enough.
    serve_by(move |stream| drop(stream.write_all(&answer)))
}

/// Answers one request so. The thread returns the request.
fn serve_by(
    answer: impl FnOnce(&mut TcpStream) + Send + 'static,
) -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = String::new();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        while lines.read_line(&mut request).unwrap() > 2 {}
        answer(&mut stream);
        request
    });
    (address, server)
}

fn request(url: &str) -> ServerRequest<'_> {
    let time = Some(1_755_896_700_500);
    ServerRequest { url, token_file: None, ca: None, time, limit: LONG }
}

fn open(request: &ServerRequest<'_>) -> Source {
    Source::Server(Server::open(request).unwrap().0)
}

/// What is made of an answer, with `HOST` for the server's address.
fn asked(answer: impl Into<Vec<u8>>) -> Result<Value, String> {
    let (address, server) = serve(answer);
    let answer = open(&request(&format!("http://{address}"))).ask("up");
    server.join().unwrap();
    answer.map_err(|error| error.to_string().replace(&address.to_string(), "HOST"))
}

#[test]
fn a_query_is_asked_at_its_time() {
    let body = r#"{"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"up","x":"é"},"value":[1755896700.5,"1"]},
        {"metric":{"__name__":"up"},"value":[1755896700.5,"-Inf"]}]}}"#;
    let (address, server) = serve(http("200 OK", body));
    let source = open(&request(&format!("http://{address}/some/prefix/")));
    assert_eq!(source.time(), 1_755_896_700_500);
    let answer = source.ask("up{x=~\"é|a b\"} + 1").unwrap();
    let request = server.join().unwrap();
    let labels = |pairs: &[(&str, &str)]| Labels::new(pairs.iter().copied());
    assert_eq!(
        answer,
        Value::Vector(vec![
            (labels(&[("__name__", "up"), ("x", "é")]), 1.0),
            (labels(&[("__name__", "up")]), f64::NEG_INFINITY),
        ])
    );
    assert_eq!(
        request.lines().next(),
        Some(
            "GET /some/prefix/api/v1/query?time=1755896700.500\
             &query=up%7Bx%3D~%22%C3%A9%7Ca%20b%22%7D%20%2B%201 HTTP/1.1"
        )
    );
    assert!(!request.to_lowercase().contains("authorization"), "{request}");
}

#[test]
fn answers_have_all_types() {
    let data = |data: &str| http("200 OK", &format!(r#"{{"status":"success","data":{data}}}"#));
    assert_eq!(
        asked(data(r#"{"resultType":"scalar","result":[1755896700,"1.5"]}"#)),
        Ok(Value::Scalar(1.5))
    );
    assert_eq!(
        asked(data(r#"{"resultType":"string","result":[1755896700,"a"]}"#)),
        Ok(Value::Text("a".into()))
    );
    assert_eq!(
        asked(data(
            r#"{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"],[3.25,"4"]]}]}"#
        )),
        Ok(Value::Matrix(vec![(
            Labels::default(),
            vec![Point { time: 1000, value: 2.0 }, Point { time: 3250, value: 4.0 }]
        )]))
    );
    assert_eq!(
        asked(data(r#"{"resultType":"vector","result":[]}"#)),
        Ok(Value::Vector(Vec::new()))
    );
}

#[test]
fn errors_have_the_words_of_the_operator() {
    let error = |kind: &str, words: &str| {
        format!(r#"{{"status":"error","errorType":"{kind}","error":"{words}"}}"#)
    };
    for (answer, words) in [
        (
            http("422 Unprocessable Entity", &error("execution", "too many samples")),
            "execution: too many samples",
        ),
        (http("400 Bad Request", &error("bad_data", "no")), "bad_data: no"),
        (http("200 OK", &error("execution", "no")), "execution: no"),
        (
            http("401 Unauthorized", "Unauthorized\n"),
            "unavailable: HOST answers with HTTP status 401: the token is missing or not valid; \
             name its file with `--token-file`",
        ),
        (
            http("403 Forbidden", &error("forbidden", "no")),
            "unavailable: HOST answers with HTTP status 403: the token may not query; it needs a \
             role such as `cluster-monitoring-view`",
        ),
        (
            http("503 Service Unavailable", &error("timeout", "slow")),
            "unavailable: HOST answers with HTTP status 503",
        ),
    ] {
        assert_eq!(asked(answer), Err(words.to_owned()));
    }
}

#[test]
fn what_is_no_answer_is_one_line_with_the_host() {
    let not = "unavailable: what HOST sends is not an answer of Prometheus:";
    for (answer, words) in [
        (
            http("200 OK", "<html>Sign in</html>"),
            format!("{not} expected value at line 1 column 1"),
        ),
        (http("200 OK", "{}"), format!("{not} it has neither `data` nor an error")),
        (
            http("200 OK", r#"{"status":"success","data":[{"a":"b"}]}"#),
            format!("{not} it does not answer a query"),
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: https://sign.in/\x07?a\r\nContent-Length: 0\r\n\r\n"
                .into(),
            "unavailable: asking HOST failed: protocol: http parse fail: invalid header value"
                .into(),
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: https://sign.in/?a\r\nContent-Length: 0\r\n\r\n"
                .into(),
            "unavailable: HOST redirects to https://sign.in/?a: exitpath does not follow, because \
             the token may not go there"
                .into(),
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{".into(),
            "unavailable: asking HOST failed: peer disconnected".into(),
        ),
        ("SSH-2.0-OpenSSH\r\n\r\n".into(), "unavailable: asking HOST failed: protocol: ".into()),
        (String::new(), "unavailable: asking HOST failed: peer disconnected".into()),
    ] {
        let error = asked(answer.clone()).unwrap_err();
        assert!(error.starts_with(&words), "{answer}\n{error}\n{words}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// An answer to which the server adds this before its end.
fn zero_and(more: &str) -> String {
    let data = r#"{"resultType":"vector","result":[{"metric":{},"value":[1,"0"]}]}"#;
    http("200 OK", &format!(r#"{{"status":"success","data":{data}{more}}}"#))
}

#[test]
fn a_part_of_an_answer_is_no_answer() {
    let zero = Ok(Value::Vector(vec![(Labels::default(), 0.0)]));
    // Hints about the query say nothing about the answer. Prometheus 2 has them among the warnings.
    for more in [
        "",
        r#","warnings":[]"#,
        r#","warnings":null"#,
        r#","infos":["PromQL info: metric might not be a counter"]"#,
        r#","warnings":["PromQL info: metric might not be a counter"]"#,
    ] {
        assert_eq!(asked(zero_and(more)), zero, "{more}");
    }
    let part = "unavailable: the answer of HOST may be only a part, so it says nothing about the \
                cluster: it warns";
    let long = "x".repeat(1000);
    let many = format!(r#"["{long}"]"#);
    for (warnings, words) in [
        (
            r#"["No StoreAPIs matched for this query"]"#,
            r#""No StoreAPIs matched for this query""#.to_owned(),
        ),
        (
            r#"["PromQL info: metric might not be a counter","receive series from a:1: rpc error: code = Unavailable"]"#,
            r#""receive series from a:1: rpc error: code = Unavailable""#.to_owned(),
        ),
        (
            r#"["a\u001b[31m","b\nexitpath: all is well"]"#,
            r#""a\u{1b}[31m" and "b\nexitpath: all is well""#.to_owned(),
        ),
        (r#"["a","b","c","d","e"]"#, r#""a", "b", "c", and 2 more warnings"#.to_owned()),
        (many.as_str(), format!("\"{}…\"", &long[..300])),
    ] {
        let answer = zero_and(&format!(r#","warnings":{warnings}"#));
        assert_eq!(asked(answer), Err(format!("{part} {words}")));
    }
    // An error says more than its warnings.
    let error = r#"{"status":"error","errorType":"execution","error":"no","warnings":["w"]}"#;
    let answer = http("422 Unprocessable Entity", error);
    assert_eq!(asked(answer), Err("execution: no".to_owned()));
    // A warning that is not a text is still one.
    let odd = asked(zero_and(r#","warnings":[1]"#)).unwrap_err();
    assert!(odd.contains("is not an answer of Prometheus"), "{odd}");
}

/// What a server sends without an end does not fill the memory.
#[test]
fn an_endless_answer_is_not_read() {
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    for (head, chunk) in [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", " ".repeat(1 << 20)),
        ("HTTP/1.1 422 No\r\nContent-Length: 99999999999\r\n\r\n", " ".repeat(1 << 20)),
    ] {
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sent);
        let (address, server) = serve_by(move |stream| {
            let _ = stream.write_all(head.as_bytes());
            // A client that reads all of it would not end.
            while counted.load(Relaxed) < 1000 && stream.write_all(chunk.as_bytes()).is_ok() {
                counted.fetch_add(1, Relaxed);
            }
        });
        let error = open(&request(&format!("http://{address}"))).ask("up").unwrap_err();
        server.join().unwrap();
        let expected = format!("unavailable: the answer of {address} has more than 64 MiB");
        assert_eq!(error.to_string(), expected);
        assert!(sent.load(Relaxed) < 100, "{} MiB were read", sent.load(Relaxed));
    }
    // The same for headers.
    let (address, server) = serve_by(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        let header = format!("X: {}\r\n", "x".repeat(1 << 10));
        for _ in 0..100_000 {
            if stream.write_all(header.as_bytes()).is_err() {
                break;
            }
        }
    });
    let error = open(&request(&format!("http://{address}"))).ask("up").unwrap_err();
    server.join().unwrap();
    assert!(error.to_string().starts_with("unavailable: asking "), "{error}");
}

/// Each byte comes in time, and the answer does not.
#[test]
fn a_slow_answer_is_given_up() {
    const LIMIT: Duration = Duration::from_millis(400);
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    let body = r#"{"status":"success","data":{"resultType":"vector","result":[]}}"#;
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks: Vec<String> = body.chars().map(|c| format!("1\r\n{c}\r\n")).collect();
    let chunks = chunks.concat();
    for (at_once, slowly) in [
        (String::new(), format!("{head}{body}")),
        (head.to_owned(), body.to_owned()),
        (chunked.to_owned(), format!("{chunks}0\r\n\r\n")),
    ] {
        let (address, server) = serve_by(move |stream| {
            let _ = stream.write_all(at_once.as_bytes());
            for byte in slowly.bytes() {
                thread::sleep(Duration::from_millis(50));
                if stream.write_all(&[byte]).is_err() {
                    break;
                }
            }
        });
        let url = format!("http://{address}");
        let started = Instant::now();
        let answer = open(&ServerRequest { limit: LIMIT, ..request(&url) }).ask("up");
        let took = started.elapsed();
        let words = format!("unavailable: {address} does not answer within 400 ms");
        assert_eq!(answer.map_err(|error| error.to_string()), Err(words));
        assert!(took < Duration::from_secs(2), "{took:?}");
        server.join().unwrap();
    }
}

#[test]
fn a_huge_answer_is_not_read() {
    let mut answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    answer.resize(answer.len() + (65 << 20), b' ');
    assert_eq!(
        asked(answer),
        Err("unavailable: the answer of HOST has more than 64 MiB".to_owned())
    );
}

#[test]
fn a_slow_server_is_given_up() {
    // The system accepts connections, and nobody answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let request = ServerRequest { limit: Duration::from_millis(50), ..request(&url) };
    let error = open(&request).ask("up").unwrap_err().to_string();
    let host = listener.local_addr().unwrap();
    assert_eq!(error, format!("unavailable: {host} does not answer within 50 ms"));
}

#[test]
fn a_server_that_is_not_there_refuses() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap();
    drop(listener);
    let error = open(&request(&format!("http://{host}"))).ask("up").unwrap_err().to_string();
    assert_eq!(error, format!("unavailable: {host} refuses the connection"));
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metrics-server").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, text: &str) -> PathBuf {
    let file = folder(name).join(name);
    fs::write(&file, text).unwrap();
    file
}

fn with_token<'a>(token: &'a Path, url: &'a str) -> ServerRequest<'a> {
    ServerRequest { token_file: Some(token), ..request(url) }
}

/// Why a server is not asked, and what to do.
fn refusal(request: &ServerRequest<'_>) -> (String, Option<String>) {
    let failure = Server::open(request).unwrap_err();
    let (what, hint) = failure.words();
    (what.to_owned(), hint.map(str::to_owned))
}

#[test]
fn only_addresses_of_servers_are_asked() {
    for (url, words) in [
        ("localhost:9090", "it does not start with https:// or http://"),
        ("file:///etc/passwd", "it does not start with https:// or http://"),
        ("http://", "it is not a URL"),
        ("http:///api", "it is not a URL"),
        ("http://a b", "it is not a URL"),
        ("https://a/?x=1", "it has more than a path"),
        ("https://a/#x", "it has more than a path"),
    ] {
        let (what, hint) = refusal(&request(url));
        assert_eq!(what, format!("`{url}` is not the address of a Prometheus: {words}"));
        assert_eq!(
            hint.as_deref(),
            Some("an address is such as https://prometheus.example.com or http://localhost:9090")
        );
    }
    let (what, hint) = refusal(&request("https://me:secret@a/"));
    assert_eq!(what, "the URL has the name of a user");
    assert_eq!(hint.as_deref(), Some("give a token instead: `--token-file FILE`"));
}

#[test]
#[cfg(unix)]
fn a_token_goes_only_where_nobody_else_reads_it() {
    use std::os::unix::fs::PermissionsExt;

    let token = file("token", "sha256~abc\n");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
    for host in ["prometheus.example.com", "127.0.0.1.example.com", "[2001:db8::1]:9090"] {
        let url = format!("http://{host}/");
        let (what, hint) = refusal(&with_token(&token, &url));
        assert_eq!(
            what,
            format!("the token is not sent to http://{host}: everybody in between could read it")
        );
        assert_eq!(hint.as_deref(), Some("use a URL that starts with https://"));
    }
    for url in ["https://prometheus.example.com", "http://localhost:1", "http://[::1]:1"] {
        assert_eq!(Server::open(&with_token(&token, url)).unwrap().1, [""; 0], "{url}");
    }

    let body = r#"{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}"#;
    let (address, server) = serve(http("200 OK", body));
    open(&with_token(&token, &format!("http://{address}"))).ask("1").unwrap();
    let request = server.join().unwrap().to_lowercase();
    assert!(request.contains("authorization: bearer sha256~abc\r\n"), "{request}");

    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).unwrap();
    let (server, notes) = Server::open(&with_token(&token, "https://a")).unwrap();
    let name = token.display();
    assert_eq!(notes, [format!("every user of this machine can read the token in {name}")]);
    assert!(!format!("{server:?}").contains("abc"), "{server:?}");
}

#[test]
fn a_file_without_a_token_or_certificate_is_an_error() {
    for text in ["", " \n", "two words", "a\nb", "é"] {
        let token = file("no-token", text);
        let request = ServerRequest { token_file: Some(&token), ..request("https://a") };
        let (what, hint) = refusal(&request);
        assert_eq!(what, format!("{} has no token", token.display()));
        assert_eq!(hint.as_deref(), Some("`oc whoami --show-token` prints one"));
    }
    let ca = file("ca", "-----BEGIN CERTIFICATE-----\n");
    let (what, _) = refusal(&ServerRequest { ca: Some(&ca), ..request("https://a") });
    assert_eq!(what, format!("{} has no certificate", ca.display()));
    let missing = ca.with_file_name("missing");
    let (what, _) = refusal(&ServerRequest { ca: Some(&missing), ..request("https://a") });
    assert_eq!(what, format!("cannot read {}: no such file or directory", missing.display()));
}

/// Makes an authority and a certificate for localhost with openssl, if it is there.
fn certificates(folder: &Path) -> bool {
    let openssl = |arguments: &str| {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
        run.is_ok_and(|run| run.status.success())
    };
    fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority"))
        && openssl(&format!("req -x509 {key} -keyout other.key -out other.pem -days 2 -subj /CN=x"))
        && openssl(&format!("req {key} -keyout server.key -out server.csr -subj /CN=server"))
        && openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
             -extfile names -out server.pem",
        )
}

#[test]
fn a_certificate_has_to_be_signed_by_the_authority() {
    let folder = folder("tls");
    if !certificates(&folder) {
        skipped("there is no openssl to make certificates");
        return;
    }
    let mut server = Command::new("openssl")
        .args("s_server -accept 127.0.0.1:0 -cert server.pem -key server.key -www".split(' '))
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let address = lines.find_map(|line| line.unwrap().strip_prefix("ACCEPT ").map(str::to_owned));
    let port = address.as_deref().and_then(|address| address.rsplit(':').next()).unwrap();
    // What it writes must not fill the pipe.
    let rest = thread::spawn(move || lines.for_each(drop));
    let url = format!("https://localhost:{port}");
    let words = |ca: Option<&str>| {
        let ca = ca.map(|name| folder.join(name));
        let request = ServerRequest { ca: ca.as_deref(), ..request(&url) };
        let words = open(&request).ask("up").unwrap_err().to_string();
        words.replace(port, "PORT")
    };
    let unknown = "unavailable: the certificate of localhost:PORT does not verify (UnknownIssuer): \
                   if your own authority signs it, name that with --ca FILE";
    let answers = [words(None), words(Some("other.pem")), words(Some("ca.pem"))];
    server.kill().unwrap();
    server.wait().unwrap();
    rest.join().unwrap();
    assert_eq!(answers[0], unknown);
    assert_eq!(answers[1], unknown);
    // It is trusted, and its answer is a page.
    assert_eq!(
        answers[2],
        "unavailable: what localhost:PORT sends is not an answer of Prometheus: expected value at \
         line 1 column 1"
    );
}
