//! The names of channels: `stable-4.14`.

use super::Minor;

/// The name of a channel that leads to a minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelName<'n> {
    /// `candidate`, `fast`, `stable`, or `eus`.
    pub phase: &'n str,
    /// The minor that the channel leads to.
    pub minor: Minor,
}

impl<'n> ChannelName<'n> {
    /// Reads a name; none for a channel that is called otherwise.
    #[must_use]
    pub fn parse(name: &'n str) -> Option<Self> {
        let (phase, minor) = split(name)?;
        Some(Self { phase, minor: Minor::parse(minor)? })
    }
}

/// The parts of a name before and after its first `-`, as the service sorts channels by them.
#[must_use]
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once('-')
}

/// The phases that clusters are told to use, the one with the fewest releases first: members of
/// `stable` are in `fast`, too.
const ADVISED: [&str; 3] = ["stable", "eus", "fast"];

/// Whether clusters are told to use a channel of this name.
#[must_use]
pub(crate) fn is_advised(name: &str) -> bool {
    width(name) < ADVISED.len()
}

/// A number that is lower for a channel of a phase with fewer releases.
#[must_use]
pub(crate) fn width(name: &str) -> usize {
    let phase = split(name).map(|(phase, _)| phase);
    ADVISED.iter().position(|advised| phase == Some(advised)).unwrap_or(ADVISED.len())
}
