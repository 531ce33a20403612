//! The graph after an edit, made from the graph before it.

mod channels;
mod declarations;
mod releases;
#[cfg(test)]
mod tests;

pub(crate) use channels::change_channels;
pub(crate) use declarations::change_declarations;
pub(crate) use releases::reassemble;

use crate::domain::Arena;
use crate::graph::ReasonId;

/// The new id of each reason of the graph before. None if the new graph does not keep it.
type NewIds = Arena<ReasonId, Option<ReasonId>>;
