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

use std::io::{self, Write};

use crate::catalog::simulation::{CatalogSimulation, Resolver};
use crate::domain::Named;

use super::Style;

pub(crate) use bridge::{BridgeReport, CheckedClusters, ClusterHop, ClusterPath};
pub(crate) use difference::DifferenceReport;
pub(crate) use graph::write_catalog_edges;
pub(crate) use path::{CatalogHop, CatalogPath, write_catalog_paths};
pub(crate) use substitution::{PackageEffects, SubstitutionFormat, SubstitutionReport};
pub(crate) use switch::SwitchReport;
pub(crate) use words::{resolver_in_words, why_in_words};

/// Where the installs of a catalog move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CatalogReport<'a> {
    pub simulation: &'a CatalogSimulation<'a>,
    pub resolver: Resolver,
}

/// The formats of reports about catalogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CatalogFormat {
    /// For a terminal.
    Human,
    /// For programs.
    Json,
}

impl Named for CatalogFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}

impl CatalogReport<'_> {
    pub(crate) fn write(
        self,
        format: CatalogFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            CatalogFormat::Human => human::write(self, style, out),
            CatalogFormat::Json => json::write(self, out),
        }
    }
}
