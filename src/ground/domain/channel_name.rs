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
    pub fn parse(name: &'n str) -> Option<Self> {
        let (phase, minor) = split(name)?;
        Some(Self { phase, minor: Minor::parse(minor)? })
    }

    /// What the channel is for, as one paragraph. None for an unknown phase, and for an `eus`
    /// channel of an odd minor: no such minor has extended support.
    pub(crate) fn meaning(&self) -> Option<String> {
        let minor = self.minor;
        let before = self.minors_before();
        let is_even = minor.minor.is_multiple_of(2);
        let own = match (self.phase, before.first()) {
            ("candidate", _) => format!(
                "All releases of {minor} as soon as they are built, release candidates included. \
                 For tests: the releases are not supported, and some never reach another channel."
            ),
            ("fast", _) => format!(
                "The releases of {minor} as soon as Red Hat declares them generally available. \
                 They are supported, and the same releases reach stable-{minor} later."
            ),
            ("stable", _) => format!(
                "The releases of fast-{minor}, after a delay in which the updates of connected \
                 clusters are watched. They are supported."
            ),
            ("eus", Some(from)) if is_even => format!(
                "The releases of stable-{minor}, and those that clusters of {from} need to get \
                 there: {from} and {minor} have extended support. The releases are supported."
            ),
            ("eus", None) if is_even => {
                format!("The releases of stable-{minor}. They are supported.")
            }
            _ => return None,
        };
        let before: Vec<String> = before.iter().map(Minor::to_string).collect();
        let targets = match before.as_slice() {
            [] => "never leads".to_owned(),
            minors => format!("leads from {} to {minor}, and never", minors.join(" and ")),
        };
        Some(format!("{own} The channel {targets} to a later minor version."))
    }

    /// The minors from which the channel always leads, oldest first. The channel may also have
    /// releases of other minors. Minors of an earlier major are missing, because it is unknown
    /// which minor is the last one of a major.
    fn minors_before(&self) -> Vec<Minor> {
        let Minor { major, minor } = self.minor;
        let (most, oldest) = if self.phase == "eus" { (2, FIRST_EUS) } else { (1, FIRST) };
        let oldest = if major == oldest.major { oldest.minor } else { 0 };
        let start = minor.saturating_sub(most).max(oldest);
        (start..minor).map(|minor| Minor { major, minor }).collect()
    }
}

/// The oldest minor with releases.
const FIRST: Minor = Minor { major: 4, minor: 1 };
/// The oldest minor with extended support.
const FIRST_EUS: Minor = Minor { major: 4, minor: 6 };

/// Whether the service can serve a public channel of this name. It crashes on names without `-`.
pub(crate) fn is_servable(name: &str) -> bool {
    name.contains('-') && name.chars().all(is_name_character)
}

/// Whether a cluster can request a channel with this character in its name.
pub(crate) fn is_name_character(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.')
}

/// The parts before and after the first `-`. The service sorts channels by them.
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once('-')
}

/// The phases that administrators are advised to use, from the fewest releases to the most: every
/// release in `stable` is also in `fast`.
const ADVISED: [&str; 3] = ["stable", "eus", "fast"];

/// Whether the releases of a channel are not supported.
pub(crate) fn is_for_tests(name: &str) -> bool {
    split(name).is_some_and(|(phase, _)| phase == "candidate" || phase == "prerelease")
}

pub(crate) fn is_advised(name: &str) -> bool {
    phase_rank(name) < ADVISED.len()
}

/// The rank of a channel's phase. A lower rank means fewer releases.
pub(crate) fn phase_rank(name: &str) -> usize {
    let phase = split(name).map(|(phase, _)| phase);
    ADVISED.iter().position(|advised| phase == Some(advised)).unwrap_or(ADVISED.len())
}
