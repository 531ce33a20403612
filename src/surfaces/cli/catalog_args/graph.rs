//! The flags of `exitpath catalog graph`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::choice::format_of_graph;
use crate::cli::output::OutputArgs;
use crate::domain::Format;

use super::shared::{CatalogSourceArgs, ResolverArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogGraphArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    /// The channel. It can be omitted if there is only one.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) channel: Option<String>,
    /// The package. It can be omitted if there is only one.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Also draw updates that OLM never chooses.
    #[arg(long)]
    pub(crate) all_edges: bool,
    /// How to print it. json has each edge, and whether it is taken; html is a page to explore all
    /// channels of the package, beginning with the one named; the others are drawings.
    #[arg(long, value_name = "FORMAT", value_parser = format_of_graph(&[Format::Json, Format::Html]), default_value = "json")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
