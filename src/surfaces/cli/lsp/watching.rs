//! Notices when files change, and when the editor is gone.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::lsp::Server;
use crate::tree::Watch;

use super::Event;

/// A thread that watches the repositories of a server.
pub(super) struct Watcher {
    watched: Watched,
    orders: Sender<Watched>,
}

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Watched {
    paths: Vec<PathBuf>,
    /// The process that the server should not outlive.
    parent: Option<u32>,
}

const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Nearly all changes are reported by the system.
const LOOK_FOR_UNREPORTED: Duration = Duration::from_secs(10);

impl Watcher {
    pub(super) fn start(events: Sender<Event>) -> io::Result<Self> {
        let (orders, received) = channel::<Watched>();
        let watching = move || {
            let Ok(mut watched) = received.recv() else { return };
            loop {
                let mut watch =
                    Watch::new(watched.paths.clone()).looking_every(LOOK_FOR_UNREPORTED);
                let was_alive = watched.has_parent() == Some(true);
                let order = loop {
                    let has_changed = watch.wait(LOOK_AGAIN);
                    let is_orphan = was_alive && watched.has_parent() == Some(false);
                    let event = match (is_orphan, has_changed) {
                        (true, _) => Some(Event::ParentGone),
                        (false, true) => Some(Event::FilesChanged),
                        (false, false) => None,
                    };
                    if event.is_some_and(|event| events.send(event).is_err()) {
                        return;
                    }
                    if let Ok(order) = received.try_recv() {
                        break order;
                    }
                };
                watched = order;
            }
        };
        std::thread::Builder::new().name("watching".into()).spawn(watching)?;
        Ok(Self { watched: Watched::default(), orders })
    }

    /// Watches what the server needs.
    pub(super) fn follow(&mut self, server: &Server) {
        let watched = Watched { paths: server.watched(), parent: server.parent() };
        if watched != self.watched {
            self.watched = watched.clone();
            // If the thread is gone, the session ends.
            let _ = self.orders.send(watched);
        }
    }
}

impl Watched {
    /// Whether the parent process runs. None if the client did not name one. A parent in another
    /// container looks as if it did not run, because processes have other numbers there.
    fn has_parent(&self) -> Option<bool> {
        let parent = Pid::from_raw(i32::try_from(self.parent?).ok()?)?;
        Some(test_kill_process(parent) != Err(Errno::SRCH))
    }
}
