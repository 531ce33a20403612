//! Reads a source when git is not changing it.

use std::thread;
use std::time::{Duration, Instant};

use crate::text::Failure;

use super::source::{Loaded, Source};

/// Why a state of the source is not known.
pub(super) enum Unknown {
    /// git is changing the work tree. With what it does, in words.
    Changing(String),
    Failed(Failure),
}

/// How long to wait for git before a message says so.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a start waits for git.
const LONGEST_START: Duration = Duration::from_secs(10);

/// Reads the source. Half of a checkout may lack a block, so what is read while git changes the
/// work tree does not count.
pub(super) fn read(source: &Source) -> Result<Loaded, Unknown> {
    let started = Instant::now();
    loop {
        let before = source.checkout();
        let lock = before.as_ref().and_then(|checkout| checkout.lock.as_ref());
        let why = if let Some(lock) = lock {
            format!("git is changing the files: {} exists", lock.display())
        } else {
            let loaded = source.load();
            if source.checkout() == before {
                return loaded.map_err(Unknown::Failed);
            }
            "git changed the files while they were read".to_owned()
        };
        if started.elapsed() > PATIENCE {
            return Err(Unknown::Changing(why));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Reads the source for the first time.
pub(super) fn read_first(source: &Source) -> Result<Loaded, Failure> {
    let started = Instant::now();
    loop {
        match read(source) {
            Ok(loaded) => return Ok(loaded),
            Err(Unknown::Failed(failure)) => return Err(failure),
            Err(Unknown::Changing(_)) if started.elapsed() < LONGEST_START => {}
            Err(Unknown::Changing(why)) => {
                return Err(Failure::new(format!("cannot start: {why}"))
                    .hint("if no git is running, an earlier one was stopped: delete that file"));
            }
        }
    }
}
