//! Reads and writes graphs as Cincinnati JSON, the format of the update service.

mod adopt;
mod file;
mod raw;
mod read;
mod write;

pub use file::GraphFile;
pub(crate) use file::{
    ConditionalGroup, GraphFault, GraphNode, GraphNodeId, GroupForm, MAX_GRAPH, Metadata, Pair,
    PlacedRisk, PlacedRule,
};
pub use write::{Readers, write_served, write_whole};
