//! The flags of `exitpath completions`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct CompletionsArgs {
    /// The shell to write the script for.
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: clap_complete::Shell,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
