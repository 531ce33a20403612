//! How a command ends.

use std::io;

use crate::text::Failure;

/// The exit status. A command that could not run ends with [`Stop::Failed`] instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Clean,
    Findings,
    /// The output says why.
    CouldNotRun,
}

impl Status {
    pub(super) fn failed_if(fails: bool) -> Self {
        if fails { Self::Findings } else { Self::Clean }
    }
}

#[derive(Debug)]
pub(super) enum Stop {
    Failed(Failure),
    /// The reader of the output closed it, as `head` does.
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
