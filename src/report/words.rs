//! Lists in words.

/// A few by name, the rest by number.
pub(super) fn listed(things: &[&str], conjunction: &str) -> String {
    const MOST: usize = 6;
    match things {
        [all @ .., last] if things.len() <= MOST && !all.is_empty() => {
            format!("{} {conjunction} {last}", all.join(", "))
        }
        _ if things.len() <= MOST => things.join(", "),
        _ => format!("{} and {} more", things[..MOST - 1].join(", "), things.len() - (MOST - 1)),
    }
}

/// Releases, oldest first: a few by name, many by the first and the last.
pub(super) fn releases(versions: &[&str]) -> String {
    const FEW: usize = 4;
    match versions {
        [first, .., last] if versions.len() > FEW => {
            format!("{} releases from {first} to {last}", versions.len())
        }
        few => listed(few, "and"),
    }
}

/// The architectures of an answer to clusters, of all that were asked about.
pub(super) fn architectures(some: &[&str]) -> String {
    if some.len() == crate::graph_data::ARCHITECTURES.len() {
        return "every architecture".to_owned();
    }
    some.join(", ")
}
