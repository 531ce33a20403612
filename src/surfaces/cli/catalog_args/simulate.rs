//! The flags of `exitpath catalog simulate`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::CatalogReport;

use super::shared::{CatalogSourceArgs, PlaceArgs, ResolverArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogSimulateArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs<CatalogReport<'static>>,
}
