//! Which version a person meant.

use std::collections::BTreeSet;

use crate::domain::version::{parse, without_build};
use crate::domain::{Minor, Version, is_general};

use super::{closest, is_swap, one_slip_away};

/// The characters of versions, apart from the names of pre-releases.
const TYPED: &str = "0123456789.";

/// The version that differs from an unknown one in one key stroke. `is_known` says whether a
/// version exists.
pub(crate) fn version_slip(
    version: &Version,
    is_known: impl Fn(&Version) -> bool,
) -> Option<String> {
    let written = without_build(version);
    let text = written.to_string();
    let in_common = |other: &str| {
        text.bytes().zip(other.bytes()).take_while(|(ours, other)| ours == other).count()
    };
    let has_same_dots = |other: &str| {
        other.len() == text.len()
            && text.bytes().zip(other.bytes()).all(|(a, b)| (a == b'.') == (b == b'.'))
    };
    // Two digits that changed places are more likely than a wrong one.
    let likely = |(version, other): &(Version, String)| {
        (is_swap(&text, other), has_same_dots(other), in_common(other), version.clone())
    };
    let slips = one_slip_away(&text, TYPED).filter_map(|text| Some((parse(&text)?, text)));
    let meant = slips.filter(|(version, _)| *version != written && is_known(version));
    meant.max_by_key(likely).map(|(_, text)| text)
}

/// The known version that a person meant: one that differs in a key stroke, the newest one of the
/// minor, or the most similar one.
pub(crate) fn closest_version<'n>(
    word: &str,
    names: impl Iterator<Item = &'n str>,
) -> Option<String> {
    let names: Vec<&str> = names.collect();
    let known: BTreeSet<Version> = names.iter().filter_map(|name| parse(name)).collect();
    let version = parse(word);
    let minor = version.as_ref().map(Minor::of).or_else(|| Minor::parse(word));
    let slip = || version_slip(version.as_ref()?, |version| known.contains(version));
    let newest = || {
        let of_minor = known.iter().filter(|known| Some(Minor::of(known)) == minor);
        of_minor.max_by_key(|known| (is_general(known), *known)).map(Version::to_string)
    };
    let similar = || closest(word, names.iter().copied()).map(str::to_owned);
    slip().or_else(newest).or_else(similar)
}

#[cfg(test)]
mod tests {
    use crate::domain::version::parse;

    use super::{closest_version, version_slip};

    #[test]
    fn a_slip_then_the_newest_of_the_minor_then_a_similar_version() {
        let known = ["4.1.8", "4.8.13", "4.16.8", "4.18.3", "4.18.19", "4.18.20-rc.1", "4.19.3"];
        let meant = |word: &str| closest_version(word, known.into_iter());
        for (word, version) in [
            ("4.81.3", "4.18.3"),
            ("4.91.3", "4.19.3"),
            ("4.18", "4.18.19"),
            ("4.18.999", "4.18.19"),
            ("4.118.3", "4.18.3"),
            ("v4.19.3", "4.19.3"),
        ] {
            assert_eq!(meant(word).as_deref(), Some(version), "{word}");
        }
        assert_eq!(meant("latest"), None);
    }

    #[test]
    fn a_version_is_no_slip_of_itself() {
        // Two equal digits can change places, and zeros can be added.
        for written in ["4.18.99", "4.18.9", "4.4.4"] {
            let version = parse(written);
            let slip = version.as_ref().and_then(|one| version_slip(one, |other| other == one));
            assert_eq!(slip, None, "{written}");
        }
    }
}
