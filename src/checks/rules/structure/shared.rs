//! What several rules about keys and values need.

use crate::rules::Subject;
use crate::schema::{Fault, Problem};
use crate::yaml::ValueKind;

/// Whether a fault says that the whole file is empty or has only comments.
pub(super) fn says_file_is_empty(subject: &Subject<'_>, fault: &Fault) -> bool {
    fault.pointer.is_empty()
        && fault.problem == Problem::Type
        && subject
            .document()
            .is_some_and(|document| document.kind(document.root()) == ValueKind::Null)
}
