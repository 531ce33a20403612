//! Serves edits as soon as they are made.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::metrics::now;
use crate::server::Log;
use crate::service::Service;
use crate::tree::Watch;

use super::source::{Loaded, Source};

/// A source, and what was seen of it before it was read.
pub(super) struct Watched {
    pub(super) source: Source,
    watch: Watch,
    commit: Option<String>,
}

impl Watched {
    /// Looks at the source. What changes from now on is noticed.
    pub(super) fn new(source: Source) -> Self {
        let (watch, commit) = (Watch::new(source.watched()), source.commit());
        Self { source, watch, commit }
    }
}

/// Starts a thread that reads the source again whenever it changes.
pub(super) fn start(
    watched: Watched,
    accepted: Vec<String>,
    service: &Arc<Service>,
    log: &Log,
) -> io::Result<()> {
    let Watched { source, mut watch, mut commit } = watched;
    let mut watching = Watching {
        source,
        accepted,
        service: Arc::clone(service),
        log: log.clone(),
        problem: None,
    };
    let watching = move || {
        loop {
            let has_changed = watch.wait();
            let newest = watching.source.commit();
            if has_changed || newest != commit {
                commit = newest;
                watching.reload();
            }
        }
    };
    thread::Builder::new().name("watching".into()).spawn(watching)?;
    Ok(())
}

struct Watching {
    source: Source,
    service: Arc<Service>,
    log: Log,
    /// The files that the update service would not load in the state that is served.
    accepted: Vec<String>,
    /// Why the newest state is not served.
    problem: Option<String>,
}

impl Watching {
    fn reload(&mut self) {
        let started = Instant::now();
        self.source.wait_for_git();
        // A file that is just being replaced looks broken.
        let loaded = self.load().or_else(|_| {
            thread::sleep(SECOND_LOOK);
            self.load()
        });
        match loaded {
            Ok(Loaded { offer, refused, .. }) => {
                self.service.replace(offer, started.elapsed(), now() / 1000);
                self.accepted = refused;
                self.problem = None;
                let milliseconds = started.elapsed().as_millis();
                self.log.notice(&format!("the data changed: served after {milliseconds} ms"));
            }
            Err(problem) => {
                self.service.keep(problem.clone());
                if self.problem.as_ref() != Some(&problem) {
                    self.log.problem(&format!("the last good graph stays: {problem}"));
                }
                self.problem = Some(problem);
            }
        }
    }

    /// The newest state, or why it cannot be served.
    fn load(&self) -> Result<Loaded, String> {
        let load = || self.source.load().map_err(|failure| failure.words().0.to_owned());
        let loaded = catch_unwind(AssertUnwindSafe(load));
        let loaded = loaded.unwrap_or_else(|_| Err("reading the data failed".to_owned()))?;
        let mut refused = loaded.refused.iter();
        match refused.find(|line| !self.accepted.contains(line)) {
            Some(line) => Err(line.clone()),
            None => Ok(loaded),
        }
    }
}

/// After this time, a file that was being replaced is whole.
const SECOND_LOOK: Duration = Duration::from_millis(50);
