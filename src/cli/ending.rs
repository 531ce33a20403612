//! How a command ends.

use std::io;

use crate::session::Failure;

/// How a command ended. "Could not run" is an error of the command, not a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Clean,
    Findings,
}

impl Status {
    /// The status of a command that fails if something is so.
    pub(super) fn failed_if(fails: bool) -> Self {
        if fails { Self::Findings } else { Self::Clean }
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// It could not run.
    Failed(Failure),
    /// The reader of the output went away, as `head` does.
    ReaderLeft,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderLeft,
            _ => Self::Failed(Failure::new(format!("cannot write: {error}"))),
        }
    }
}
