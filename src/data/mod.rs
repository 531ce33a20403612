//! The update graph, and the repository that makes it.

pub(crate) mod analysis;
pub(crate) mod assembly;
pub(crate) mod coverage;
pub(crate) mod graph;
pub(crate) mod graph_data;
pub(crate) mod graph_file;
pub(crate) mod history;
pub(crate) mod lineage;
pub(crate) mod metrics;
pub(crate) mod origins;
pub(crate) mod schema;
