//! Signals that would end the program in the middle of its writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// While this exists, signals wait.
#[derive(Debug)]
pub(super) struct Interrupts {
    /// The signal that came last. 0: none.
    received: Arc<AtomicUsize>,
    /// Whether signals end the program again.
    are_let_through: Arc<AtomicBool>,
}

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

impl Interrupts {
    pub(super) fn hold() -> Self {
        let held = Self {
            received: Arc::new(AtomicUsize::new(0)),
            are_let_through: Arc::new(AtomicBool::new(false)),
        };
        for signal in SIGNALS {
            // If the system refuses, the signal ends the program at once, as it does without this.
            let _ = flag::register_conditional_default(signal, Arc::clone(&held.are_let_through));
            let number = usize::try_from(signal).unwrap_or_default();
            let _ = flag::register_usize(signal, Arc::clone(&held.received), number);
        }
        held
    }

    pub(super) fn received(&self) -> Option<i32> {
        let number = self.received.load(Ordering::SeqCst);
        i32::try_from(number).ok().filter(|number| *number != 0)
    }

    /// Ends the program as the signal would have done.
    pub(super) fn end_by(signal: i32) {
        let _ = low_level::emulate_default_handler(signal);
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.are_let_through.store(true, Ordering::SeqCst);
    }
}
