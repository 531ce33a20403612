//! The report of `catalog simulate`, and the words that reports about catalogs share.

mod bridge;
mod difference;
mod graph;
mod human;
mod json;
mod path;
mod stuck;
mod substitution;
mod switch;
mod words;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::catalog::simulation::{CatalogSimulation, Resolver};

pub(crate) use bridge::{BridgeReport, CheckedClusters, ClusterHop, ClusterPath};
pub(crate) use difference::DifferenceReport;
pub(crate) use graph::write_catalog_edges;
pub(crate) use path::{CatalogHop, CatalogPath, CatalogPaths};
pub(crate) use substitution::{PackageEffects, SubstitutionReport};
pub(crate) use switch::SwitchReport;
pub(crate) use words::{resolver_in_words, why_in_words};

/// Where the installs of a catalog move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CatalogReport<'a> {
    pub simulation: &'a CatalogSimulation<'a>,
    pub resolver: Resolver,
}

impl Printed for CatalogReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| human::write(*report, style, out),
            Format::Json => |report, _, out| json::write(*report, out),
            _ => return None,
        };
        Some(writer)
    }
}
