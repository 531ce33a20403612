//! Reads and writes graphs as Cincinnati JSON, the format of the update service.

mod adopt;
mod file;
mod raw;
mod read;
mod write;

pub use file::GraphFile;
pub(crate) use file::{Fault, Form, Group, MAX_GRAPH, Metadata, Node, Pair, PlacedRisk, Rule};
pub use write::{Readers, write_served, write_whole};
