//! One line for each request, written by a thread of its own so that no client waits for it.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::domain::time::write_time;
use crate::text::printable;

/// The most lines that wait to be written. Further ones are counted and omitted.
const MOST_WAITING: usize = 10_000;

/// The most bytes of one write.
const LARGEST_WRITE: usize = 64 << 10;

/// Lines that arrive within this time are written together.
const PAUSE: Duration = Duration::from_millis(5);

/// How long the end of the process may wait for the last lines.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A message to the thread of the log.
enum Message {
    Line(String),
    /// The last line. The thread replies when everything is written.
    Last(String, SyncSender<()>),
}

/// The log of requests and problems.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    lines: SyncSender<Message>,
    lost: Arc<AtomicU64>,
    has_requests: bool,
}

impl Log {
    /// A log on stderr. Without `has_requests`, it contains only problems.
    pub(crate) fn on_stderr(has_requests: bool) -> io::Result<Self> {
        let (lines, waiting) = sync_channel(MOST_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let of_writer = Arc::clone(&lost);
        thread::Builder::new().name("log".into()).spawn(move || write(&waiting, &of_writer))?;
        Ok(Self { lines, lost, has_requests })
    }

    /// Adds a line about a request.
    pub(super) fn request(&self, now: i64, line: &str) {
        if self.has_requests {
            self.add(format!("{} {}", write_time(now), printable(line)));
        }
    }

    /// Adds a line about normal operation.
    pub(crate) fn notice(&self, line: &str) {
        if self.has_requests {
            self.problem(line);
        }
    }

    /// Adds a line about a problem.
    pub(crate) fn problem(&self, line: &str) {
        self.add(format!("exitpath: {}", printable(line)));
    }

    /// Writes a last line. Does not wait for a terminal that accepts no output.
    pub(crate) fn end(&self, line: &str) {
        let started = Instant::now();
        let (written, wait) = sync_channel(1);
        let mut message = Message::Last(line.to_owned(), written);
        while let Err(TrySendError::Full(again)) = self.lines.try_send(message) {
            if started.elapsed() > LAST_WAIT {
                return;
            }
            message = again;
            thread::sleep(PAUSE);
        }
        let _ = wait.recv_timeout(LAST_WAIT);
    }

    fn add(&self, line: String) {
        if self.lines.try_send(Message::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn write(waiting: &Receiver<Message>, lost: &AtomicU64) {
    while let Ok(first) = waiting.recv() {
        let mut text = String::new();
        let mut asked = None;
        let mut next = Some(first);
        while let Some(message) = next {
            let line = match message {
                Message::Line(line) => line,
                Message::Last(line, written) => {
                    asked = Some(written);
                    line
                }
            };
            let _ = writeln!(text, "{line}");
            next = if text.len() < LARGEST_WRITE { waiting.try_recv().ok() } else { None };
        }
        let lost = lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let _ = writeln!(text, "exitpath: {lost} lines of the log are omitted");
        }
        let _ = io::stderr().lock().write_all(text.as_bytes());
        match asked {
            Some(written) => {
                let _ = written.send(());
            }
            None => thread::sleep(PAUSE),
        }
    }
}
