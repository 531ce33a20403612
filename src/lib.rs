//! exitpath checks a repository of update-graph data before any cluster sees it.
//!
//! `CONTRIBUTING.md` describes the rooms of the code. [`run`] runs the command line. Everything
//! else is public only for tests.

mod analysis;
mod assembly;
mod bridge;
mod catalog;
mod change;
mod channel_list;
mod cli;
mod cluster;
mod compare;
mod coverage;
mod domain;
mod draw;
mod edit;
mod git;
mod go;
mod graph;
mod graph_data;
mod graph_file;
mod history;
mod http;
mod lineage;
mod lint;
mod metrics;
mod moves;
mod objects;
mod oc;
mod olm;
mod online;
mod owner;
mod payload;
mod pools;
mod promql;
mod report;
mod risks;
mod rollout;
mod rules;
#[cfg(feature = "serve")]
mod scenario;
mod schema;
#[cfg(feature = "serve")]
mod server;
#[cfg(feature = "serve")]
mod service;
mod session;
mod text;
mod tree;
mod yaml;

#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

pub use cli::{Terminal, main, run};
