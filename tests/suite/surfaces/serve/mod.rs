//! The update service, over real sockets.

mod answers;
mod fresh;
mod limits;
mod scenarios;
mod table;
mod tls;
mod token;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use flate2::read::GzDecoder;

/// A service that ends with the test.
pub(crate) struct Served {
    process: Child,
    pub(crate) clients: SocketAddr,
    pub(crate) raw: Option<SocketAddr>,
    pub(crate) status: Option<SocketAddr>,
    log: Arc<Log>,
}

/// The lines on stderr.
#[derive(Default)]
struct Log {
    lines: Mutex<Vec<String>>,
    more: Condvar,
    /// How many lines were waited for.
    heard: AtomicUsize,
}

/// Nothing here takes so long.
const PATIENCE: Duration = Duration::from_mins(1);

impl Served {
    /// Starts a service on free ports, with these arguments.
    pub(crate) fn start<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_exitpath"))
            .arg("serve")
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Log::default());
        let stderr = BufReader::new(process.stderr.take().unwrap());
        let of_reader = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                of_reader.lines.lock().unwrap().push(line);
                of_reader.more.notify_all();
            }
        });
        let address = |line: &str, before: &str| -> Option<SocketAddr> {
            let rest = line.split_once(before)?.1;
            let rest = rest.split_once("://")?.1;
            rest.split(['/', ' ']).next()?.parse().ok()
        };
        log.wait_for("clusters ask at ");
        let lines = || log.lines.lock().unwrap().clone();
        let found = |before: &str| lines().iter().find_map(|line| address(line, before));
        let clients = found("clusters ask at ").unwrap();
        // The lines for other ports follow at once.
        log.wait_for("ready");
        let (raw, status) = (found("whole graph is at "), found("/metrics are at "));
        log.heard.store(0, Ordering::Relaxed);
        Self { process, clients, raw, status, log }
    }

    /// The response to a request for a path, without further headers.
    pub(crate) fn get(&self, path: &str) -> Answer {
        get(self.clients, path, &[])
    }

    /// Waits for a line on stderr that contains a text, and returns it.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.log.wait_for(text)
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lines.lock().unwrap().clone()
    }

    fn signal(&self, name: &str) {
        let process = self.process.id().to_string();
        assert!(Command::new("kill").args([name, &process]).status().unwrap().success());
    }

    /// Asks the service to stop, and returns its exit status.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.process.wait().unwrap().code()
    }
}

impl Log {
    /// Waits for a line after those that were waited for before.
    fn wait_for(&self, text: &str) -> String {
        let heard = self.heard.load(Ordering::Relaxed);
        let lines = self.lines.lock().unwrap();
        let place = |lines: &Vec<String>| (heard..lines.len()).find(|at| lines[*at].contains(text));
        let waits = |lines: &mut Vec<String>| place(lines).is_none();
        let (lines, waited) = self.more.wait_timeout_while(lines, PATIENCE, waits).unwrap();
        assert!(!waited.timed_out(), "no line with `{text}` after {heard} of {lines:#?}");
        let at = place(&lines).unwrap();
        self.heard.store(at + 1, Ordering::Relaxed);
        lines[at].clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A response as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// With names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        });
        Self { status, headers: headers.collect(), body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    pub(crate) fn unzipped(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        GzDecoder::new(self.body.as_slice()).read_to_end(&mut plain).unwrap();
        plain
    }
}

/// The answer to a request with these headers.
pub(crate) fn get(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Answer {
    asked(address, "GET", path, headers)
}

pub(crate) fn asked(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
    for (name, value) in headers {
        let _ = write!(request, "{name}: {value}\r\n");
    }
    request.push_str("Connection: close\r\n\r\n");
    Answer::parse(&sent(address, request.as_bytes()))
}

/// Everything that comes back for some bytes, until the connection ends.
pub(crate) fn sent(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connected(address);
    // The service may close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

pub(crate) fn connected(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// The path of a graph.
pub(crate) fn graph_of(channel: &str, arch: &str) -> String {
    format!("/api/upgrades_info/v1/graph?channel={channel}&arch={arch}")
}

pub(crate) fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}
