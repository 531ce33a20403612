//! Serves edits as soon as they are made.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crate::metrics::now;
use crate::server::Log;
use crate::service::Service;
use crate::tree::Watch;

use super::source::{Loaded, Source};

/// Starts a thread that reads the source again whenever it changes.
pub(super) fn start(
    source: Source,
    accepted: Vec<String>,
    service: &Arc<Service>,
    log: &Log,
) -> io::Result<()> {
    let mut watching = Watching {
        source,
        accepted,
        service: Arc::clone(service),
        log: log.clone(),
        problem: None,
    };
    let mut watch = Watch::new(watching.source.watched());
    let mut commit = watching.source.commit();
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
        let loaded = self.source.load().map_err(|failure| failure.words().0.to_owned());
        let loaded = loaded.and_then(|loaded| {
            let mut broken = loaded.refused.iter();
            match broken.find(|line| !self.accepted.contains(line)) {
                Some(line) => Err(line.clone()),
                None => Ok(loaded),
            }
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
}
