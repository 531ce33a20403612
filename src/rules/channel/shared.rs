//! What several rules about channels need.

use crate::graph_data::{Channel, Walk};
use crate::rules::shortened;

/// Whether a feeder's filter allows a version. The filter must match the whole version.
pub(super) fn filter_allows(filter: &str, version: &str) -> bool {
    let whole = Walk::of(&format!("^(?:{filter})$"));
    whole.is_some_and(|whole| whole.explain(version).is_some())
}

/// Whether the service can serve a channel of this name.
pub(super) fn is_servable_name(name: &str) -> bool {
    name.contains('-') && name.chars().all(is_name_character)
}

/// Whether a cluster can request a channel with this character in its name.
pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.')
}

/// The channel that another channel's releases come from, in words.
pub(super) fn source_in_words(channel: &Channel, source: &Channel) -> String {
    let feeder = channel.feeder.as_ref().and_then(|feeder| feeder.name.as_ref());
    let name = shortened(source.name());
    if feeder.is_some_and(|feeder| feeder.value == source.name()) {
        format!("its feeder `{name}`")
    } else {
        format!("`{name}`")
    }
}
