//! Queries, series, and the update graph.

pub(crate) mod assembly;
pub(crate) mod coverage;
pub(crate) mod dictionary;
pub(crate) mod draft_notation;
pub(crate) mod exit_paths;
pub(crate) mod graph_files;
pub(crate) mod judges;
pub(crate) mod lineage;
pub(crate) mod many_risks;
pub(crate) mod metrics;
pub(crate) mod metrics_server;
pub(crate) mod plain_forms;
pub(crate) mod prometheus;
pub(crate) mod promql;
pub(crate) mod query_layout;
pub(crate) mod random_clusters;
pub(crate) mod sample_clusters;
pub(crate) mod schemas;
pub(crate) mod values;
pub(crate) mod values_at_modifier;
pub(crate) mod values_judge;
pub(crate) mod values_laws;
pub(crate) mod values_queries;
pub(crate) mod values_series;
