//! Splits the input into lines, and keeps one of them in memory.

use std::io::{self, BufRead};

/// The length of the longest line, in bytes. No exporter writes longer ones.
const LONGEST: usize = 1 << 20;

/// The lines of a reader.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

/// A line, without its line feed.
pub(super) enum ReadLine<'l> {
    Whole(&'l [u8]),
    TooLong,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new() }
    }

    /// The next line, if there is one.
    pub(super) fn next(&mut self) -> io::Result<Option<ReadLine<'_>>> {
        self.line.clear();
        let (mut is_too_long, mut is_there) = (false, false);
        loop {
            let ready = match self.reader.fill_buf() {
                Ok(ready) => ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if ready.is_empty() {
                break;
            }
            is_there = true;
            let end = ready.iter().position(|byte| *byte == b'\n');
            let part = &ready[..end.unwrap_or(ready.len())];
            is_too_long |= self.line.len() + part.len() > LONGEST;
            if !is_too_long {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(match (is_there, is_too_long) {
            (false, _) => None,
            (true, true) => Some(ReadLine::TooLong),
            (true, false) => {
                Some(ReadLine::Whole(self.line.strip_suffix(b"\r").unwrap_or(&self.line)))
            }
        })
    }
}
