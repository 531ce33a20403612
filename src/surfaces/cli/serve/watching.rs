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

use super::settled::{Unknown, read};
use super::size::Size;
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

/// What is served.
pub(super) struct Served {
    /// The files that the update service would not load.
    pub(super) refused: Vec<String>,
    pub(super) size: Size,
}

/// Starts a thread that reads the source again whenever it changes.
pub(super) fn start(
    watched: Watched,
    served: Served,
    service: &Arc<Service>,
    log: &Log,
) -> io::Result<()> {
    let Watched { source, mut watch, mut commit } = watched;
    let (service, log) = (Arc::clone(service), log.clone());
    let mut watching = Watching { source, service, log, served, problem: None };
    let watching = move || {
        // The newest change that is not served, and when to look at it again.
        let (mut changed, mut next_look) = (None, Duration::MAX);
        loop {
            let has_changed = watch.wait(next_look);
            let newest = watching.source.commit();
            if has_changed || newest != commit {
                commit = newest;
                changed = Some(Instant::now());
            }
            if let Some(since) = changed {
                match watching.reload(since) {
                    None => (changed, next_look) = (None, Duration::MAX),
                    Some(delay) => next_look = delay,
                }
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
    served: Served,
    /// Why the newest state is not served.
    problem: Option<String>,
}

/// Why a state is not served.
enum NotServed {
    /// Nothing is wrong with it, but it may not be whole. To be looked at again after this time.
    Yet(String, Duration),
    Broken(String),
}

impl Watching {
    /// Serves the newest state. `changed` is the time of the change. Returns when to look at it
    /// again, if it may be served later.
    fn reload(&mut self, changed: Instant) -> Option<Duration> {
        let started = Instant::now();
        // A file that is just being replaced looks broken.
        let loaded = match self.load(changed) {
            Err(NotServed::Broken(_)) => {
                thread::sleep(SECOND_LOOK);
                self.load(changed)
            }
            other => other,
        };
        match loaded {
            Ok(Loaded { offer, refused, size, .. }) => {
                self.service.replace(offer, started.elapsed(), now() / 1000);
                self.served = Served { refused, size };
                self.problem = None;
                let milliseconds = changed.elapsed().as_millis();
                self.log.notice(&format!("the data changed: served after {milliseconds} ms"));
                None
            }
            Err(NotServed::Yet(why, delay)) => {
                if self.problem.as_ref() != Some(&why) {
                    self.service.wait(why.clone());
                    self.log.notice(&format!("the data changed, but is not served yet: {why}"));
                }
                self.problem = Some(why);
                Some(delay)
            }
            Err(NotServed::Broken(problem)) => {
                self.service.keep(problem.clone());
                if self.problem.as_ref() != Some(&problem) {
                    self.log.problem(&format!("the last good graph stays: {problem}"));
                }
                self.problem = Some(problem);
                None
            }
        }
    }

    /// The newest state, or why it is not served.
    fn load(&self, changed: Instant) -> Result<Loaded, NotServed> {
        let loaded = catch_unwind(AssertUnwindSafe(|| read(&self.source)));
        let loaded = match loaded {
            Ok(Ok(loaded)) => loaded,
            Ok(Err(Unknown::Changing(why))) => return Err(NotServed::Yet(why, Duration::ZERO)),
            Ok(Err(Unknown::Failed(failure))) => {
                return Err(NotServed::Broken(failure.words().0.to_owned()));
            }
            Err(_) => return Err(NotServed::Broken("reading the data failed".to_owned())),
        };
        let mut refused = loaded.refused.iter();
        if let Some(line) = refused.find(|line| !self.served.refused.contains(line)) {
            return Err(NotServed::Broken(line.clone()));
        }
        match self.served.size.much_lost_in(loaded.size) {
            Some(lost) if changed.elapsed() < LOOK_AT_LOSS => {
                let seconds = LOOK_AT_LOSS.as_secs();
                let why = format!("it lost {lost}; served if that stays so for {seconds} seconds");
                Err(NotServed::Yet(why, LOOK_AT_LOSS.saturating_sub(changed.elapsed())))
            }
            _ => Ok(loaded),
        }
    }
}

/// After this time, a file that was being replaced is whole.
const SECOND_LOOK: Duration = Duration::from_millis(50);
/// After this time without another change, what is lost was meant to be removed.
const LOOK_AT_LOSS: Duration = Duration::from_secs(2);
