//! Problems that are noticed while the shape of a query is computed.

use super::super::syntax::NodeId;
use super::shape::ManyCause;

/// A part of a query that cannot do what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The right side of this `or` never answers.
    Unreachable(NodeId),
    /// One side of a match can have several samples, but may have only one.
    ManyToMany(NodeId, ManyCause),
    /// An operator uses a label that its operand does not have.
    Dropped(Dropped),
}

/// A label that an operator uses although another operator has dropped it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The label.
    pub label: String,
    /// The expression that uses it.
    pub needed: NodeId,
    /// The operand without it.
    pub lacking: NodeId,
    /// Whether `group_left (label)` or `group_right (label)` copies it. If so, the result lacks the
    /// label, but the match works.
    pub is_copy: bool,
}
