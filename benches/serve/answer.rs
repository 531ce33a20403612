//! Asks, and compares what comes with what has to come.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::address::Address;

/// An answer as it comes in.
struct Answer {
    expected: Arc<[u8]>,
    head: Vec<u8>,
    /// How much of the body is there. None: the head is not complete.
    received: Option<usize>,
}

const END_OF_HEAD: &[u8] = b"\r\n\r\n";

impl Answer {
    fn new(expected: &Arc<[u8]>) -> Self {
        Self { expected: Arc::clone(expected), head: Vec::new(), received: None }
    }

    /// Takes the next bytes, and returns whether the answer is complete.
    fn take(&mut self, bytes: &[u8]) -> bool {
        let Some(received) = self.received else {
            self.head.extend_from_slice(bytes);
            let Some((length, body)) = split(&self.head) else { return false };
            assert_eq!(length, self.expected.len(), "the answer has another length");
            let body = body.to_vec();
            self.received = Some(0);
            return self.take(&body);
        };
        let expected = self.expected.get(received..received + bytes.len());
        assert!(expected == Some(bytes), "the answer differs after {received} bytes");
        self.received = Some(received + bytes.len());
        received + bytes.len() == self.expected.len()
    }

    fn restart(&mut self) {
        self.head.clear();
        self.received = None;
    }
}

/// The length of the body, and what is there of it. None: the head is not complete.
fn split(answer: &[u8]) -> Option<(usize, &[u8])> {
    let end = answer.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD)?;
    let head = std::str::from_utf8(&answer[..end]).unwrap().to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    Some((length.unwrap().trim().parse().unwrap(), &answer[end + END_OF_HEAD.len()..]))
}

/// The body of the first answer of a service.
pub(crate) fn expected(address: &Address, is_compressed: bool) -> Arc<[u8]> {
    let mut stream = TcpStream::connect(address.socket).unwrap();
    stream.write_all(&address.request(is_compressed)).unwrap();
    let mut answer = Vec::new();
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the answer breaks off");
        answer.extend_from_slice(&buffer[..read]);
        if let Some((length, body)) = split(&answer)
            && body.len() == length
        {
            return body.into();
        }
    }
}

const BUFFER: usize = 64 << 10;

/// A client that does nothing else while it waits.
pub(crate) struct Asking {
    stream: TcpStream,
    request: Vec<u8>,
    answer: Answer,
    buffer: Vec<u8>,
}

impl Asking {
    pub(crate) fn connect(address: &Address, is_compressed: bool, body: &Arc<[u8]>) -> Self {
        let stream = TcpStream::connect(address.socket).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = address.request(is_compressed);
        Self { stream, request, answer: Answer::new(body), buffer: vec![0; BUFFER] }
    }

    /// How long an answer takes.
    pub(crate) fn ask(&mut self) -> Duration {
        let started = Instant::now();
        self.stream.write_all(&self.request).unwrap();
        self.answer.restart();
        loop {
            let read = self.stream.read(&mut self.buffer).unwrap();
            assert!(read > 0, "the answer breaks off");
            if self.answer.take(&self.buffer[..read]) {
                return started.elapsed();
            }
        }
    }
}

/// One of many clients.
pub(crate) struct Patient {
    stream: tokio::net::TcpStream,
    request: Vec<u8>,
    answer: Answer,
    buffer: Vec<u8>,
}

impl Patient {
    pub(crate) async fn connect(address: &Address, is_compressed: bool, body: &Arc<[u8]>) -> Self {
        let stream = tokio::net::TcpStream::connect(address.socket).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let request = address.request(is_compressed);
        Self { stream, request, answer: Answer::new(body), buffer: vec![0; BUFFER] }
    }

    /// How long an answer takes.
    pub(crate) async fn ask(&mut self) -> Duration {
        let started = Instant::now();
        self.stream.writable().await.unwrap();
        // A request is smaller than any buffer of a socket.
        assert_eq!(self.stream.try_write(&self.request).unwrap(), self.request.len());
        self.answer.restart();
        loop {
            self.stream.readable().await.unwrap();
            match self.stream.try_read(&mut self.buffer) {
                Ok(read) => {
                    assert!(read > 0, "the answer breaks off");
                    if self.answer.take(&self.buffer[..read]) {
                        return started.elapsed();
                    }
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}"),
            }
        }
    }
}
