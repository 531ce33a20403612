//! What a page shows first.

use std::fmt::Write;

use crate::analysis::{AffectingRisks, ChosenRisks};
use crate::text::printable;

/// What a page shows first.
#[derive(Debug, Default)]
pub(crate) struct Start {
    /// Which risks affect the clusters.
    pub affecting: AffectingRisks,
    /// A panel, by its name in the script.
    pub panel: Option<&'static str>,
}

impl Start {
    /// The part of the page's address after `#`.
    pub(super) fn address(&self) -> String {
        let AffectingRisks { chosen, accepted } = &self.affecting;
        let is_accepted = |name: &&String| accepted.contains(name);
        let (clusters, on, off): (_, &[String], &[String]) = match chosen {
            ChosenRisks::All => (None, &[], &[]),
            ChosenRisks::Always => (Some("always"), &[], &[]),
            ChosenRisks::Only(only) => (Some("unaffected"), only, &[]),
            ChosenRisks::AllBut(kept) => (None, &[], kept),
        };
        let on = on.iter().filter(|name| !is_accepted(name)).map(|name| ("on", name.as_str()));
        let off = off.iter().chain(accepted).map(|name| ("off", name.as_str()));
        let clusters = clusters.into_iter().map(|kind| ("clusters", kind));
        let panel = self.panel.into_iter().map(|panel| ("tab", panel));
        let parts = clusters.chain(on).chain(off).chain(panel);
        let parts: Vec<String> =
            parts.map(|(key, value)| format!("{key}={}", encoded(&printable(value)))).collect();
        parts.join("&")
    }
}

impl Start {
    /// The part of the address that names a channel.
    pub(super) fn at_channel(name: Option<&str>) -> String {
        name.map(|name| format!("channel={}", encoded(&printable(name)))).unwrap_or_default()
    }
}

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::{AffectingRisks, ChosenRisks, Start};

    #[test]
    fn the_flags_of_simulate_are_switches_of_the_page() {
        let address = |chosen, accepted: &[&str]| {
            let accepted = accepted.iter().map(|name| (*name).to_owned()).collect();
            let affecting = AffectingRisks { chosen, accepted };
            Start { affecting, panel: None }.address()
        };
        let names = || vec!["A".to_owned(), "B & C".to_owned()];
        assert_eq!(address(ChosenRisks::All, &[]), "");
        assert_eq!(address(ChosenRisks::Always, &["A"]), "clusters=always&off=A");
        assert_eq!(
            address(ChosenRisks::Only(names()), &["A"]),
            "clusters=unaffected&on=B%20%26%20C&off=A"
        );
        assert_eq!(address(ChosenRisks::AllBut(names()), &[]), "off=A&off=B%20%26%20C");
    }
}
