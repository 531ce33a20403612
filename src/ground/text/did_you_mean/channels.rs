//! Which channel a person meant.

use crate::domain::{ChannelName, Minor, channel_name};

use super::closest;

/// The known channel that a word stands for: its minor, its phase, or a typo of its name.
pub(crate) fn closest_channel<'n>(
    word: &str,
    names: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let channels = || names.iter().filter_map(|name| Some((ChannelName::parse(name)?, *name)));
    let minor = Minor::parse(word);
    let of_minor = channels().filter(|(channel, _)| Some(channel.minor) == minor);
    let of_phase = channels().filter(|(channel, _)| channel.phase == word);
    of_minor
        .min_by_key(|(_, name)| channel_name::phase_rank(name))
        .or_else(|| of_phase.max_by_key(|(channel, _)| channel.minor))
        .map(|(_, name)| name)
        .or_else(|| closest(word, names.iter().copied()))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::closest_channel;

    #[test]
    fn a_minor_or_a_phase_is_enough_and_swapped_digits_are_likely() {
        let known = ["candidate-4.18", "fast-4.18", "stable-4.1", "stable-4.18", "stable-4.9"];
        let meant = |word: &str| closest_channel(word, known.into_iter());
        for (word, channel) in [
            ("stable-4.81", "stable-4.18"),
            ("4.18", "stable-4.18"),
            ("stable", "stable-4.18"),
            ("fast", "fast-4.18"),
            ("stabel-4.18", "stable-4.18"),
            ("stable4.18", "stable-4.18"),
        ] {
            assert_eq!(meant(word).as_deref(), Some(channel), "{word}");
        }
        assert_eq!(meant("nightly"), None);
    }
}
