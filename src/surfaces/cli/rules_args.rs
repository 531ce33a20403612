//! The flags of `exitpath rules`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::domain::Format;
use crate::rules::Family;

use super::choice::{choice, format_in};
use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct RulesArgs {
    /// List the rules of this family only.
    #[arg(long, value_name = "FAMILY", value_parser = choice::<Family>(), hide_possible_values = true)]
    pub(super) family: Option<Family>,
    /// How to print the list.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Json, Format::Markdown]), default_value = "human")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
