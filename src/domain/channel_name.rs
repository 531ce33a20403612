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
    /// None if the name does not have this form.
    #[must_use]
    pub fn parse(name: &'n str) -> Option<Self> {
        let (phase, minor) = split(name)?;
        Some(Self { phase, minor: Minor::parse(minor)? })
    }
}

/// The parts before and after the first `-`. The service sorts channels by them.
#[must_use]
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once('-')
}

/// The phases that administrators are advised to use, from the fewest releases to the most: every
/// release in `stable` is also in `fast`.
const ADVISED: [&str; 3] = ["stable", "eus", "fast"];

#[must_use]
pub(crate) fn is_advised(name: &str) -> bool {
    phase_rank(name) < ADVISED.len()
}

/// Lower for a phase with fewer releases.
#[must_use]
pub(crate) fn phase_rank(name: &str) -> usize {
    let phase = split(name).map(|(phase, _)| phase);
    ADVISED.iter().position(|advised| phase == Some(advised)).unwrap_or(ADVISED.len())
}
