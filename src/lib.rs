//! exitpath checks a repository of update-graph data before any cluster sees it.
//!
//! `CONTRIBUTING.md` describes the buildings and rooms of the code. [`run`] runs the command line.
//! Everything else is public only for tests.

use ::promql;

mod checks;
mod clusters;
mod data;
mod ground;
mod operators;
mod surfaces;

// A room is imported by its own name: `crate::graph` is in the building `data`.
use checks::{authoring, edit, lint, rules};
#[cfg(feature = "serve")]
use clusters::scenario;
use clusters::{
    certificate, change, channel_list, cluster, compare, fleet, mirror, objects, oc, online,
    payload, pools, risks, rollout, telemetry,
};
use data::{
    analysis, assembly, coverage, graph, graph_data, graph_file, history, lineage, metrics,
    origins, schema,
};
use ground::{domain, git, go, http, moves, owner, text, tree, yaml};
use operators::{bridge, catalog, mirrored, olm};
#[cfg(feature = "serve")]
use surfaces::server;
#[cfg(feature = "serve")]
use surfaces::service;
use surfaces::{cli, draw, explorer, report, session};
#[cfg(feature = "lsp")]
use surfaces::{editor, lsp, workspace};

#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

pub use cli::{Terminal, main, run};
