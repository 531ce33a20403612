//! What commands report: one model for each kind of report, and one writer for each format.

mod catalog;
mod certificate;
mod change;
mod channels;
mod check;
mod cluster;
mod compare;
mod digest;
mod edits;
mod exposure;
mod fail_forward;
mod fleet;
mod graph;
mod json;
mod markup;
mod origins;
mod printed;
mod promotions;
mod query;
mod risk;
mod risk_list;
mod risk_tests;
mod rollout;
mod route;
mod rule;
mod simulation;
mod style;
mod words;
mod workflow_commands;
mod wrapped;

pub(crate) use catalog::{
    BridgeReport, CatalogHop, CatalogPath, CatalogPaths, CatalogReport, CheckedClusters,
    ClusterHop, ClusterPath, DifferenceReport, PackageEffects, SubstitutionReport, SwitchReport,
    why_in_words, write_catalog_edges,
};
pub(crate) use certificate::CertificateReport;
pub(crate) use change::{ChangeReport, ComparedRevisions};
pub(crate) use channels::{
    ChannelsReport, is_object_name, known_objects, write_channel_definition, write_channel_objects,
    write_condition,
};
pub use check::{CheckReport, Listing, NamedCatalog};
pub(crate) use cluster::{ClusterReport, TimelineReport, write_remedy};
pub(crate) use compare::{Cause, ComparedAnswer, ComparisonReport, Outcome};
pub(crate) use digest::{DigestEnd, DigestReport};
pub(crate) use edits::{EditsReport, Written};
pub(crate) use exposure::{ExposedRisk, ExposureReport};
pub(crate) use fail_forward::{AuditReport, FailForwardReport, PlacedFinding};
pub(crate) use fleet::{FleetMirror, FleetQueriesReport, FleetReport};
pub(crate) use graph::{write_channel, write_channels};
pub(crate) use json::write_json;
#[cfg(feature = "lsp")]
pub(crate) use markup::escaped as in_markdown;
pub(crate) use origins::OriginsReport;
pub use printed::{Printed, Writer};
pub(crate) use promotions::PromotionsReport;
#[cfg(feature = "lsp")]
pub(crate) use query::answer_in_words;
pub(crate) use query::{AgainstReport, CheckedQuery, MetricsReport, QueryCheckReport, QueryReport};
pub(crate) use risk::RiskReport;
pub(crate) use risk_list::{ListedRisk, RiskListReport};
pub(crate) use risk_tests::TestReport;
pub(crate) use rollout::{PayloadReport, PoolRun, PoolsReport, StatusReport};
pub(crate) use route::{RouteReport, Waiting, WantedReleases};
#[cfg(feature = "lsp")]
pub(crate) use rule::page_url;
pub(crate) use simulation::{SimulationReport, write_explanation};
pub use style::Style;
use wrapped::{with_plain_spaces, with_whole_code};
pub(crate) use wrapped::{wrapped, write_line};
