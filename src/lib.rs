//! exitpath checks a repository of update-graph data before any cluster sees it.
//!
//! The rooms, from the ground up; imports run strictly downward
//! (`CONTRIBUTING.md` draws the picture and a test holds it):
//!
//! - [`text`], [`yaml`], [`tree`], [`git`], [`version`]: where bytes come from and where they stand
//! - [`promql`], the room of queries; [`graph`], that of the update graph
//! - [`schema`]: the published schemas and their verdict
//! - [`graph_data`]: the repository's model and its readers; [`graph_file`]: a file of Cincinnati JSON
//! - [`analysis`]: who is left without an exit path; [`history`], [`lineage`], [`assembly`]: from
//!   the repository to the graph that clusters are served; [`change`]: what a change does to it
//! - [`rules`], [`lint`], [`edit`]: what is wrong, what was asked to be told, what mends it
//! - [`report`]: one writer per output format; [`draw`]: pictures of an update graph
//! - [`cli`]: the command line

pub mod analysis;
pub mod assembly;
pub mod change;
pub mod cli;
pub mod domain;
pub mod draw;
pub mod edit;
pub mod git;
pub mod graph;
pub mod graph_data;
pub mod graph_file;
pub mod history;
pub mod lineage;
pub mod lint;
pub mod promql;
pub mod report;
pub mod rules;
pub mod schema;
pub mod session;
pub mod text;
pub mod tree;
pub mod yaml;
