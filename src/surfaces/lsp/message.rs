//! Messages of JSON-RPC, each behind a header with its length.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The largest message that is read, in bytes. It holds the largest file of a repository several
/// times.
const LARGEST: u64 = 64 << 20;
/// The longest line of a header, in bytes.
const LONGEST_LINE: u64 = 1 << 10;
/// The most lines of a header.
const MOST_LINES: usize = 16;

/// What the client sent.
#[derive(Debug)]
pub enum Received {
    Message(Message),
    /// The body is not a message. The reason.
    Malformed(String),
    /// The body has so many bytes that it was skipped.
    TooLarge(u64),
}

/// The name of a request, as the client chose it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum RequestId {
    Number(i64),
    Text(String),
}

/// A request, a notification, or an answer.
#[derive(Debug, Deserialize)]
pub struct Message {
    #[serde(default)]
    pub id: Option<RequestId>,
    /// None for an answer.
    #[serde(default)]
    pub method: Option<String>,
    #[serde(default)]
    pub params: Option<Box<RawValue>>,
}

/// Reads the next message. None at the end of the input. An error means that it is unknown where
/// the next message begins.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(length) = length(input)? else { return Ok(None) };
    if length > LARGEST {
        let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
        return if skipped == length {
            Ok(Some(Received::TooLarge(length)))
        } else {
            Err(cut_off())
        };
    }
    // The body is not allocated before it arrives, because a header can claim any length.
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Err(cut_off());
    }
    let message = serde_json::from_slice(&body);
    Ok(Some(message.map_or_else(|error| Received::Malformed(error.to_string()), Received::Message)))
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the input ends in a message")
}

/// The length of the next body. None at the end of the input.
fn length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut length = None;
    for number in 0..MOST_LINES {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(invalid("a line of a header does not end"));
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            let length = length.ok_or_else(|| invalid("a header has no Content-Length"))?;
            return Ok(Some(length));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header has no `:`"))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let value = value.trim().parse();
            length = Some(value.map_err(|_| invalid("Content-Length is not a number"))?);
        }
    }
    Err(invalid("a header has too many lines"))
}

/// Writes a message.
pub(crate) fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}
