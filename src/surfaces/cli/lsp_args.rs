//! The flags of `exitpath lsp`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct LspArgs {
    /// Show only findings that are new since the merge base with REV.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// Talk through standard input and output. The server always does; some editors pass the flag.
    #[arg(long, hide = true)]
    pub(super) stdio: bool,
}
