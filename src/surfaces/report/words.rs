//! Phrases that several reports share.

use crate::domain::ArchSet;

pub(super) fn architectures(set: ArchSet) -> String {
    if set.is_every() { "every architecture".to_owned() } else { set.to_string() }
}
