//! The flags of `exitpath explain`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::domain::Format;

use super::choice::format_in;
use super::output::OutputArgs;

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
