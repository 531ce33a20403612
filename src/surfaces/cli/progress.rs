//! A line on the terminal that says how far a long task is.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

/// A task that takes less time shows no line.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// How far a task is. The line goes away at the end.
#[derive(Debug)]
pub(super) struct Progress {
    what: &'static str,
    next: Instant,
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// A task that consists of many of something.
    pub(super) fn new(what: &'static str) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = io::stderr().is_terminal() && !is_dumb;
        Self { what, next: Instant::now() + PATIENCE, is_terminal, is_shown: false }
    }

    /// Shows how many are done, of how many.
    pub(super) fn show(&mut self, done: usize, all: usize) {
        if !self.is_terminal || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + PAUSE;
        self.is_shown = true;
        let line = line(self.what, done, all);
        // Whoever closed the terminal does not see it anyway.
        let _ = write!(io::stderr(), "\r\x1b[2K{line}").and_then(|()| io::stderr().flush());
    }
}

/// `[######              ] 3 of 10 files`
fn line(what: &str, done: usize, all: usize) -> String {
    const WIDTH: usize = 20;
    let full = (done * WIDTH).checked_div(all).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}] {done} of {all} {what}", "#".repeat(full), " ".repeat(WIDTH - full))
}

/// A file that says how much of it is read.
#[derive(Debug)]
pub(super) struct ShownFile {
    file: File,
    progress: Progress,
    read: usize,
    size: usize,
}

impl ShownFile {
    pub(super) fn new(file: File) -> Self {
        let size = file.metadata().map_or(0, |meta| meta.len());
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Self { file, progress: Progress::new("MiB"), read: 0, size }
    }
}

impl Read for ShownFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read;
        // A pipe has no size.
        if self.size > 0 {
            self.progress.show(self.read >> 20, self.size >> 20);
        }
        Ok(read)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_bar_grows() {
        assert_eq!(line("files", 0, 10), "[                    ] 0 of 10 files");
        assert_eq!(line("files", 5, 10), "[##########          ] 5 of 10 files");
        assert_eq!(line("files", 10, 10), "[####################] 10 of 10 files");
        assert_eq!(line("files", 0, 0), "[####################] 0 of 0 files");
    }
}
