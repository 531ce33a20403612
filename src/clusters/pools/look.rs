//! What the operator writes when it looks at a pool.

use std::fmt;

use crate::go;

use super::status::Status;

/// What the operator writes after one look. Nothing changes in the cluster until `apply`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSync {
    pub chosen: Vec<Choice>,
    /// Whether the real operator chooses in this order. If not, its order is random.
    pub is_ordered: bool,
    pub tainted: Vec<String>,
    pub untainted: Vec<String>,
    pub events: Vec<Note>,
    /// The statuses, which are computed from the nodes before this look.
    pub statuses: Vec<WrittenStatus>,
    pub error: Option<go::Error>,
}

/// The operator tells a node to have a config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub node: String,
    pub config: String,
}

/// The status of a pool. It is sent only if it differs from the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenStatus {
    pub pool: String,
    pub status: Status,
    pub is_new: bool,
}

/// An event that the operator records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    SelectingAll,
    DeferringOperatorNode { node: String },
    SetDesiredConfig { nodes: Vec<String>, config: String },
    Completed { pool: String, config: String },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SelectingAll => f.write_str(
                "Warning SelectingAll This machineconfigpool is selecting all nodes. A non-empty \
                 selector is required.",
            ),
            Self::DeferringOperatorNode { node } => {
                f.write_str("Normal DeferringOperatorNodeUpdate ")?;
                write!(f, "Deferring update of machine config operator node {node}")
            }
            Self::SetDesiredConfig { nodes, config } => {
                f.write_str("Normal SetDesiredConfig ")?;
                match nodes.as_slice() {
                    [only] => write!(f, "Targeted node {only} to MachineConfig: {config}"),
                    _ => {
                        write!(f, "Set target for {} nodes to MachineConfig: {config}", nodes.len())
                    }
                }
            }
            Self::Completed { pool, config } => {
                write!(
                    f,
                    "Normal Completed Pool {pool} has completed update to MachineConfig {config}"
                )
            }
        }
    }
}
