//! The flags of every command. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::color::Color;

/// The heading of these flags, which come last in each help text.
const HEADING: &str = "Global options";

#[derive(Debug, ClapArgs)]
pub(super) struct CommonArgs {
    /// When to use colors (NO_COLOR, CLICOLOR_FORCE, and TERM=dumb work too).
    #[arg(long, global = true, help_heading = HEADING, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
    /// Print fewer notes. With check, diff, simulate, test, and promql eval, print only the
    /// verdict.
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub(super) quiet: bool,
    /// Print more notes on stderr: progress, and how many updates are uncertain.
    #[arg(short, long, global = true, help_heading = HEADING, conflicts_with = "quiet")]
    pub(super) verbose: bool,
}
