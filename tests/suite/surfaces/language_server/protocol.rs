//! The session: its beginning, its end, and messages that are wrong.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use exitpath::testing::lsp::{Server, read};
use serde_json::{Value, json};

use super::client::{Client, framed};
use super::{RISK, repository, text_of};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap()
}

#[test]
fn a_session_begins_and_ends() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    assert_eq!(code(&client.answer("initialize", json!({ "capabilities": {} }))), -32600);
    assert_eq!(code(&client.answer("no/such", json!({}))), -32601);
    assert_eq!(code(&client.answer("textDocument/hover", json!({ "position": 1 }))), -32602);
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(code(&client.answer("textDocument/hover", json!({}))), -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.is_over(), Some(0));
}

#[test]
fn nothing_is_answered_before_the_beginning() {
    let mut server = Server::new(None);
    let request = json!({ "jsonrpc": "2.0", "id": "a", "method": "shutdown" });
    let received = read(&mut framed(&request).as_slice()).unwrap().unwrap();
    server.take(vec![received]);
    let [answer] = server.take_messages().try_into().unwrap();
    assert_eq!((code(&answer), &answer["id"]), (-32002, &json!("a")));
}

#[test]
fn a_canceled_request_is_not_calculated() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let request = json!({
        "jsonrpc": "2.0", "id": 77, "method": "workspace/symbol", "params": { "query": "" },
    });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 77 } });
    let answers = client.send(&[framed(&request), framed(&cancel)].concat());
    assert_eq!((answers.len(), code(&answers[0])), (1, -32800));
}

#[test]
fn a_malformed_message_is_answered_and_the_next_one_is_read() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let request = json!({ "jsonrpc": "2.0", "id": 5, "method": "workspace/symbol", "params": { "query": "x" } });
    let bytes = [b"Content-Length: 4\r\n\r\n{\"a\n".to_vec(), framed(&request)].concat();
    let answers = client.send(&bytes);
    assert_eq!(code(&answers[0]), -32700);
    assert_eq!(answers[1]["id"], 5);
}

/// What the reader makes of bytes: whether there is a message, or why not.
#[test]
fn headers_are_read_as_the_protocol_says() {
    let cases: [(&[u8], &str); 7] = [
        (b"", "end"),
        (b"Content-Length: 2\r\n\r\n{}", "message"),
        (b"content-length: 2\r\nContent-Type: x\r\n\r\n{}", "message"),
        (b"Content-Length: x\r\n\r\n{}", "Content-Length is not a number"),
        (b"Content-Type: x\r\n\r\n{}", "a header has no Content-Length"),
        (b"Content-Length: 9\r\n\r\n{}", "the input ends in a message"),
        (b"no header at all", "a line of a header does not end"),
    ];
    for (bytes, expected) in cases {
        let found = match read(&mut &*bytes) {
            Ok(None) => "end".to_owned(),
            Ok(Some(_)) => "message".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(bytes));
    }
}

/// A promise of many bytes takes no memory.
#[test]
fn a_message_that_is_too_large_is_skipped() {
    let size = 65 << 20;
    let header = format!("Content-Length: {size}\r\n\r\n");
    let next = framed(&json!({ "jsonrpc": "2.0", "method": "x" }));
    let mut input = header.as_bytes().chain(std::io::repeat(b' ').take(size)).chain(&*next);
    let mut input = std::io::BufReader::new(&mut input);
    assert!(format!("{:?}", read(&mut input).unwrap()).contains("TooLarge"));
    assert!(format!("{:?}", read(&mut input).unwrap()).contains("Message"));
}

#[test]
fn positions_are_counted_as_agreed() {
    let repository = repository();
    let text = text_of(&repository, RISK).replace("message: ", "message: ñ😀 ");
    for (encodings, start) in [(json!(["utf-8"]), 16), (json!(["utf-16"]), 13), (json!(null), 13)] {
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let capabilities = if encodings.is_null() { json!({}) } else { capabilities };
        let mut client = Client::with(repository.path(), &capabilities);
        client.open(RISK, &text);
        let line = text.lines().position(|line| line.starts_with("message")).unwrap();
        let place = |character: usize| json!({ "line": line, "character": character });
        let change = json!([{ "range": { "start": place(start), "end": place(start + 5) }, "text": "Clusters" }]);
        client.change_range(RISK, change);
        let hover = client.at("textDocument/hover", RISK, &text, "VSphereNodesLose");
        let about = hover["contents"]["value"].as_str().unwrap();
        assert!(about.contains("ñ😀 Clusters on vSphere"), "{encodings}: {about}");
    }
}

/// Ranges that are not in the text do no harm.
#[test]
fn wrong_ranges_are_moved_into_the_text() {
    let repository = repository();
    let text = text_of(&repository, RISK);
    let mut client = Client::new(repository.path());
    client.open(RISK, &text);
    let place = |line: u32, character: u32| json!({ "line": line, "character": character });
    for (start, end) in [
        (place(999, 0), place(999, 5)),
        (place(0, 999), place(1, 4_294_967_295)),
        (place(4, 3), place(1, 0)),
    ] {
        let change = json!([{ "range": { "start": start, "end": end }, "text": "x" }]);
        client.change_range(RISK, change);
        client.settled();
        let params = json!({ "textDocument": { "uri": client.uri(RISK) }, "position": start });
        client.ask("textDocument/hover", params.clone());
        client.ask("textDocument/completion", params);
    }
}

/// A process that serves, started as an editor starts it.
fn process() -> Child {
    Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn status(mut child: Child) -> (Option<i32>, String) {
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if started.elapsed() > Duration::from_mins(1) => {
                child.kill().unwrap();
                panic!("the server goes on without an editor");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    (status.code(), words)
}

#[test]
fn the_process_ends_with_its_editor() {
    let initialize = |parent: Option<u32>| {
        framed(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": { "processId": parent, "rootUri": null, "capabilities": {} },
        }))
    };
    let shutdown = framed(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
    let exit = framed(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    let mut child = process();
    let bytes = [initialize(None), shutdown, exit.clone()].concat();
    child.stdin.as_mut().unwrap().write_all(&bytes).unwrap();
    assert_eq!(status(child), (Some(0), String::new()), "after `shutdown` and `exit`");
    let mut child = process();
    child.stdin.as_mut().unwrap().write_all(&[initialize(None), exit].concat()).unwrap();
    assert_eq!(status(child).0, Some(1), "`exit` without `shutdown`");
    let mut child = process();
    child.stdin.take().unwrap().write_all(&initialize(None)).unwrap();
    assert_eq!(status(child).0, Some(1), "the input ends");
    let mut child = process();
    child.stdin.take().unwrap().write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let (code, words) = status(child);
    assert_eq!(code, Some(2), "no message");
    assert!(words.contains("cannot read the client"), "{words}");
    // The editor is gone, but somebody else still holds the other end of the pipe.
    let mut editor = Command::new("sleep").arg("600").spawn().unwrap();
    let mut child = process();
    child.stdin.as_mut().unwrap().write_all(&initialize(Some(editor.id()))).unwrap();
    let mut answer = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut answer).unwrap();
    // The watching thread sees the editor once a second.
    std::thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "the editor lives");
    editor.kill().unwrap();
    editor.wait().unwrap();
    assert_eq!(status(child).0, Some(0), "the editor's process is gone");
    // A process that nobody knows here is that of an editor outside the container.
    let mut child = process();
    child.stdin.as_mut().unwrap().write_all(&initialize(Some(4_194_000))).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(child.try_wait().unwrap().is_none(), "the editor is elsewhere");
    drop(child.stdin.take());
    assert_eq!(status(child).0, Some(1));
}
