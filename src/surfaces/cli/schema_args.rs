//! The flags of `exitpath schema`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct SchemaArgs {
    /// The schema's name.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
