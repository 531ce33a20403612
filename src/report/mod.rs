//! What commands report: one model for each kind of report, and one writer for each format.

mod catalog;
mod change;
mod channels;
mod check;
mod cluster;
mod compare;
mod fail_forward;
mod graph;
mod json;
mod markup;
mod query;
mod risk;
mod rollout;
mod route;
mod rule;
mod simulation;
mod style;
mod tests;
mod words;
mod workflow_commands;
mod wrapped;

pub(crate) use catalog::{
    BridgeReport, CatalogFormat, CatalogHop, CatalogPath, CatalogReport, CheckedClusters,
    ClusterHop, ClusterPath, DifferenceReport, PackageEffects, SubstitutionFormat,
    SubstitutionReport, SwitchReport, why_in_words, write_catalog_edges, write_catalog_paths,
};
pub(crate) use change::{ChangeFormat, ChangeReport, ComparedRevisions};
pub(crate) use channels::{
    ChannelsFormat, ChannelsReport, is_object_name, known_objects, write_channel_definition,
    write_channel_objects, write_condition,
};
pub use check::{CheckFormat, CheckReport, Listing, NamedCatalog};
pub(crate) use cluster::{ClusterReport, write_remedy};
pub(crate) use compare::{Cause, ComparedAnswer, ComparisonFormat, ComparisonReport, Outcome};
pub(crate) use fail_forward::{AuditReport, FailForwardReport, PlacedFinding, write_rescue_audit};
pub(crate) use graph::{write_channel, write_channels};
pub(crate) use query::{
    AgainstReport, CheckedQuery, QueryCheckFormat, QueryFormat, QueryReport, write_metrics,
    write_query_check,
};
pub(crate) use risk::{RiskFormat, RiskReport};
pub(crate) use rollout::{
    PayloadFormat, PayloadReport, PoolRun, PoolsReport, RolloutFormat, StatusReport,
};
pub(crate) use route::{RouteFormat, RouteReport, Waiting};
pub(crate) use rule::{write_rule, write_rule_page};
pub(crate) use simulation::{SimulationFormat, SimulationReport, write_explanation};
pub use style::Style;
pub use tests::TestFormat;
pub(crate) use tests::{TestReport, TestedFile};
use wrapped::{with_plain_spaces, with_whole_code};
pub(crate) use wrapped::{wrapped, write_line};
