//! Graphs as the update service writes them: Cincinnati JSON.

mod adopt;
mod read;
mod write;

pub use read::{Fault, Form, GraphFile, Group, MAX_GRAPH, Metadata, Node, Pair, PlacedRisk, Rule};
pub use write::{Readers, write_served, write_whole};
