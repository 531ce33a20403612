//! `exitpath lsp`: the language server, over standard input and output.

mod watching;

use std::io::{self, BufReader, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::lsp::{self, Received, Server};
use crate::text::Failure;

use super::lsp_args::LspArgs;
use super::{Status, Stop};
use watching::Watcher;

/// What the main thread waits for.
enum Event {
    Received(Received),
    /// Nothing more can be read.
    End(ReadEnd),
    FilesChanged,
    /// The process that started the server is gone.
    ParentGone,
}

/// Why nothing more can be read.
enum ReadEnd {
    /// The client closed the pipe.
    Closed,
    Failed(String),
}

/// Editors send the edits of one keystroke in several messages.
const QUIET: Duration = Duration::from_millis(20);

pub(super) fn run(args: &LspArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    let (sender, events) = channel();
    let reading = sender.clone();
    let read = move || {
        let mut input = BufReader::new(io::stdin().lock());
        loop {
            let event = match lsp::read(&mut input) {
                Ok(Some(received)) => Event::Received(received),
                Ok(None) => Event::End(ReadEnd::Closed),
                Err(error) => Event::End(ReadEnd::Failed(error.to_string())),
            };
            let is_end = matches!(event, Event::End(_));
            if reading.send(event).is_err() || is_end {
                return;
            }
        }
    };
    let cannot_start = |error: io::Error| Failure::new(format!("cannot start: {error}"));
    std::thread::Builder::new().name("input".into()).spawn(read).map_err(cannot_start)?;
    let mut watcher = Watcher::start(sender).map_err(cannot_start)?;
    let mut server = Server::new(args.base.clone());
    loop {
        match next(&events, server.is_stale()) {
            Next::Quiet => server.settle(),
            Next::Gone => return Ok(Status::Clean),
            Next::Batch { received, files_changed, end } => {
                if files_changed {
                    server.files_changed();
                }
                server.take(received);
                watcher.follow(&server);
                if let Some(why) = end {
                    write_all(&mut server, out)?;
                    return ended(&server, why);
                }
            }
        }
        write_all(&mut server, out)?;
        if let Some(status) = server.exit_status() {
            return Ok(Status::failed_if(status != 0));
        }
    }
}

fn write_all(server: &mut Server, out: &mut dyn Write) -> Result<(), Stop> {
    for message in server.take_messages() {
        lsp::write(out, &message)?;
    }
    Ok(())
}

/// The result of a session that ends without `exit`.
fn ended(server: &Server, why: ReadEnd) -> Result<Status, Stop> {
    match (server.exit_status(), why) {
        (Some(status), _) => Ok(Status::failed_if(status != 0)),
        (None, ReadEnd::Closed) => Ok(Status::Findings),
        (None, ReadEnd::Failed(why)) => {
            Err(Failure::new(format!("cannot read the client: {why}")).into())
        }
    }
}

enum Next {
    /// Nothing has arrived for some time.
    Quiet,
    /// The editor is gone.
    Gone,
    Batch {
        received: Vec<Received>,
        files_changed: bool,
        /// None if more can come.
        end: Option<ReadEnd>,
    },
}

/// Waits for events, and takes all that are there. If the server has work, it does not wait long.
fn next(events: &Receiver<Event>, has_work: bool) -> Next {
    let first = if has_work {
        events.recv_timeout(QUIET)
    } else {
        events.recv().map_err(|_| RecvTimeoutError::Disconnected)
    };
    let first = match first {
        Ok(event) => event,
        Err(RecvTimeoutError::Timeout) => return Next::Quiet,
        Err(RecvTimeoutError::Disconnected) => return Next::Gone,
    };
    let (mut received, mut files_changed, mut end) = (Vec::new(), false, None);
    let mut event = Some(first);
    while let Some(one) = event {
        match one {
            Event::Received(message) => received.push(message),
            Event::FilesChanged => files_changed = true,
            Event::End(why) => end = Some(why),
            Event::ParentGone => return Next::Gone,
        }
        event = events.try_recv().ok();
    }
    Next::Batch { received, files_changed, end }
}
