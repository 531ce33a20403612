//! Flags that several commands share. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::catalog::simulation::Resolver;
use crate::cli::choice::choice;

/// Who moves installs.
#[derive(Debug, ClapArgs)]
pub(crate) struct ResolverArgs {
    /// Which program moves the installs: v0, v1, or all (every edge counts).
    #[arg(long, value_name = "POLICY", value_parser = choice::<Resolver>(), default_value = "v0", hide_possible_values = true)]
    pub(crate) policy: Resolver,
}

/// Where catalogs come from, and what else is installed.
#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogSourceArgs {
    /// The folder of a catalog, as for `opm validate`; one file with a whole catalog; or `-` for
    /// the output of `opm render`.
    #[arg(value_name = "DIR")]
    pub(crate) catalog: PathBuf,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(crate) rev: Option<String>,
    /// Also simulate installs of entries that the merge base with REV has, and that are gone.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(crate) base: Option<String>,
    /// Also simulate installs of all entries that were ever committed.
    #[arg(long)]
    pub(crate) history: bool,
}

/// Where an entry is looked for.
#[derive(Debug, ClapArgs)]
pub(crate) struct EntryPlaceArgs {
    /// Which package, if there are several with such an entry.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// Look at this channel only. Default: all channels with the entry.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) channel: Option<String>,
}
