//! A connection to a running Prometheus: the tests `values_judge` and the bench `query` ask it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use promql::Store;

/// A connection to a Prometheus on this machine.
pub(crate) struct Prometheus {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Prometheus {
    /// The one at an address and port.
    pub(crate) fn at(host: String) -> io::Result<Self> {
        let stream = TcpStream::connect(&host)?;
        // A question is one small packet, which should not wait for others.
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host })
    }

    fn post(&mut self, path: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        self.request(&format!("POST {path}"), headers, body)
    }

    fn request(&mut self, what: &str, headers: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let length = body.len();
        let head = format!(
            "{what} HTTP/1.1\r\nHost: {}\r\nContent-Length: {length}\r\n{headers}\r\n",
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

    /// Its version, such as `2.42.0`.
    pub(crate) fn version(&mut self) -> String {
        let (_, body) = self.request("GET /api/v1/status/buildinfo", "", b"");
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        body["data"]["version"].as_str().unwrap().to_owned()
    }

    /// The JSON that it answers to a query at a time in milliseconds since 1970.
    pub(crate) fn ask(&mut self, query: &str, time: i64) -> Vec<u8> {
        let mut body = format!("time={}&query=", time / 1000);
        for byte in query.bytes() {
            let _ = write!(body, "%{byte:02x}");
        }
        let form = "Content-Type: application/x-www-form-urlencoded\r\n";
        self.post("/api/v1/query", form, body.as_bytes()).1
    }

    /// Gives it series through its interface for remote writing, the oldest samples first.
    pub(crate) fn write(&mut self, store: &Store) {
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
