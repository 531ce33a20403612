//! What is noticed in a query while its shape is computed.

use super::super::syntax::NodeId;
use super::shape::ManyCause;

/// A part of a query that cannot do its job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The right side of this `or` never answers.
    Unreachable(NodeId),
    /// The side of a match that must have one sample can have several.
    ManyToMany(NodeId, ManyCause),
    /// An operator uses a label that its operand does not have.
    Dropped(Dropped),
}

/// A label that an operator uses after another one has dropped it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The label.
    pub label: String,
    /// The expression that uses it.
    pub needed: NodeId,
    /// The operand without it.
    pub lacking: NodeId,
    /// Whether `group_left (label)` or `group_right (label)` copies it. Then the result lacks a
    /// label, but the match works.
    pub is_copy: bool,
}
