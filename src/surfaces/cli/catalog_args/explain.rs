//! The flags of `exitpath catalog explain`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::output::OutputArgs;

use super::shared::{CatalogSourceArgs, PlaceArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogExplainArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    /// What is installed: the name of an entry, or its version.
    #[arg(value_name = "ENTRY")]
    pub(crate) entry: String,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
