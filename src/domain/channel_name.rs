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

    /// What the channel is for, as one paragraph. None for an unknown phase, and for an `eus`
    /// channel of an odd minor: no such minor has extended support.
    #[must_use]
    pub(crate) fn meaning(&self) -> Option<String> {
        let minor = self.minor;
        let own = match self.phase {
            "candidate" => format!(
                "All releases of {minor} as soon as they are built, release candidates included. \
                 For tests: the releases are not supported, and some never reach another channel."
            ),
            "fast" => format!(
                "The releases of {minor} as soon as Red Hat declares them generally available. \
                 They are supported, and the same releases reach stable-{minor} later."
            ),
            "stable" => format!(
                "The releases of fast-{minor}, after a delay in which the updates of connected \
                 clusters are watched. They are supported."
            ),
            "eus" if minor.minor.is_multiple_of(2) => format!(
                "The releases of stable-{minor}, and what clusters of the two minor versions \
                 before need to update from one version with extended support to the next. They \
                 are supported."
            ),
            _ => return None,
        };
        let before = if self.phase == "eus" { 2 } else { 1 };
        let from = minor.minor.checked_sub(before).map_or(String::new(), |from| {
            format!(" has updates from {}.{from} to {minor}, and", minor.major)
        });
        Some(format!("{own} The channel{from} never leads to a minor version after {minor}."))
    }
}

/// Whether the service can serve a public channel of this name. It crashes on names without `-`.
#[must_use]
pub(crate) fn is_servable(name: &str) -> bool {
    name.contains('-') && name.chars().all(is_name_character)
}

/// Whether a cluster can request a channel with this character in its name.
#[must_use]
pub(crate) fn is_name_character(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.')
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
