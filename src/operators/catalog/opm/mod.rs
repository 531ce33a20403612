//! What `opm validate` says of a catalog: all objections at once, at their places, and opm's own
//! verdict.
//!
//! opm reads the files, converts them to a model (it stops at the first error), and validates the
//! model (it collects all errors).

mod chain;
mod consequences;
mod convert;
mod index;
mod model;
mod objection;
mod verdict;

pub use objection::{Objection, ObjectionKind, Owner};
pub use verdict::verdict;

use super::declared::Declared;

/// All objections, in the order in which opm looks for them.
pub fn objections(declared: &Declared) -> Vec<Objection> {
    let mut objections: Vec<Objection> = declared.faults.iter().map(Objection::loading).collect();
    let (model, mut others) = convert::convert(declared);
    index::validate(declared, &model, &mut others);
    objections.append(&mut others);
    consequences::hide(declared, &mut objections);
    objections
}
