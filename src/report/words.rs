//! Words that several reports share.

use crate::domain::ArchSet;

/// The architectures that something is so for.
pub(super) fn architectures(some: ArchSet) -> String {
    if some.is_every() { "every architecture".to_owned() } else { some.to_string() }
}
