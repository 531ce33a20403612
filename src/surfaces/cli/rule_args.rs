//! The flags of `exitpath rules` and `exitpath explain`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::output::OutputArgs;
use crate::domain::Format;
use crate::rules::Family;

use super::choice::{choice, format_in};

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

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The rule's name or code.
    #[arg(value_name = "RULE")]
    pub(super) rule: String,
    /// How to print it. `markdown` is a page of the documentation.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Markdown]), default_value = "human")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
