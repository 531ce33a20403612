//! Lists in words.

pub(super) use crate::text::words::{listed, releases};

/// The architectures of an answer to clusters, of all that were asked about.
pub(super) fn architectures(some: &[&str]) -> String {
    if some.len() == crate::graph_data::ARCHITECTURES.len() {
        return "every architecture".to_owned();
    }
    some.join(", ")
}
