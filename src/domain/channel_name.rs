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

    /// What the channel is for. None for an unknown phase.
    #[must_use]
    pub(crate) fn meaning(&self) -> Option<String> {
        let minor = self.minor;
        Some(match self.phase {
            "candidate" => format!(
                "all releases of {minor} as soon as they are built, release candidates included; \
                 for tests, and not supported"
            ),
            "fast" => format!(
                "releases of {minor} as soon as they are generally available; supported, and the \
                 same releases reach stable-{minor} later"
            ),
            "stable" => format!(
                "the releases of fast-{minor}, after a delay in which updates of other clusters \
                 were watched; supported"
            ),
            "eus" => format!(
                "the releases of stable-{minor}, and those that lead there from two minor versions \
                 before; supported"
            ),
            _ => return None,
        })
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
