//! One client takes nothing from the others.

use std::io::{Read, Write};
use std::thread;
use std::time::Duration;

use super::{Served, connected, graph_of, sent};
use crate::exitpath;

#[test]
fn a_connection_is_used_again_and_requests_may_come_together() {
    let served = Served::start(["fixtures/graph-data"]);
    let request = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20);
    let request = format!("{request}GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let answer = sent(served.clients, request.as_bytes());
    let answers = String::from_utf8(answer).unwrap().matches("HTTP/1.1 200 OK").count();
    assert_eq!(answers, 21);
}

/// A client that sends its request byte by byte is cut, and others do not wait for it.
#[test]
fn a_slow_request_is_cut() {
    let served = Served::start(["fixtures/graph-data"]);
    let mut slow: Vec<_> = (0..50).map(|_| connected(served.clients)).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /livez HTTP/1.1\r\nHo").unwrap();
    }
    assert_eq!(served.get("/livez").status, 200);
    for stream in &mut slow {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
    }
    served.wait_for("127.0.0.1: no whole request came within 10 seconds");
}

#[test]
fn many_clients_get_whole_and_equal_answers() {
    let served = Served::start(["fixtures/graph-data", "-q"]);
    let path = graph_of("stable-4.14", "amd64");
    let expected = served.get(&path).body;
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(served.get(&path).body, expected);
                }
            });
        }
    });
}

#[test]
fn what_is_under_way_is_finished_before_the_end() {
    let mut served = Served::start(["--scenario", "slow"]);
    let address = served.clients;
    let slow = thread::spawn(move || super::get(address, &graph_of("slow", "amd64"), &[]));
    thread::sleep(Duration::from_millis(500));
    assert_eq!(served.stop(), Some(0));
    let answer = slow.join().unwrap();
    assert_eq!((answer.status, answer.json()["version"].as_u64()), (200, Some(1)));
}

#[test]
fn a_port_in_use_says_so() {
    let served = Served::start(["fixtures/graph-data"]);
    let address = served.clients.to_string();
    let run = exitpath(["serve", "fixtures/graph-data", "--listen", &address]);
    assert_eq!(run.status, 2);
    assert_eq!(
        run.err,
        format!(
            "exitpath: another process already listens on {address}\n          name a free port: \
             `--listen 127.0.0.1:0`\n"
        )
    );
    let run = exitpath(["serve", "fixtures/graph-data", "--listen", "localhost"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("write an address and a port, such as 127.0.0.1:8080"), "{}", run.err);
    let port = format!(":{}", served.clients.port());
    let run = exitpath(["serve", "fixtures/graph-data", "--listen", &port]);
    assert!(run.err.contains(&format!("already listens on {address}")), "{}", run.err);
}
