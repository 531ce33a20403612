//! Flags that several commands share. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::catalog::Package;
use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::Resolver;
use crate::cli::choice::choice;
use crate::text::Failure;

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

/// Which part of the catalogs a command is about.
#[derive(Debug, ClapArgs)]
pub(crate) struct PlaceArgs {
    /// Look at this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// Look at these channels only. Default: all channels. May be repeated.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(crate) channel: Vec<String>,
}

impl PlaceArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.package.is_some() || !self.channel.is_empty()
    }

    pub(crate) fn has_package(&self, package: &Package) -> bool {
        self.package.as_ref().is_none_or(|name| *name == package.name)
    }

    pub(crate) fn has_channel(&self, channel: &CatalogChannel) -> bool {
        self.channel.is_empty() || self.channel.contains(&channel.name)
    }

    /// The channel, where a command can be about only one.
    pub(crate) fn only_channel(&self) -> Result<Option<&str>, Failure> {
        match self.channel.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            _ => Err(Failure::new("`--channel` can name only one channel here")),
        }
    }

    /// Fails if no package or channel has a name that was given. `gone` are channels that packages
    /// had.
    pub(crate) fn refuse_unknown(
        &self,
        packages: &[Package],
        gone: &[Vec<CatalogChannel>],
    ) -> Result<(), Failure> {
        let names = packages.iter().map(|package| package.name.as_str());
        if let Some(name) = &self.package
            && names.clone().all(|known| known != name)
        {
            return Err(Failure::unknown("package", name, names));
        }
        let here = packages.iter().enumerate().filter(|(_, package)| self.has_package(package));
        let channels = here.flat_map(|(at, package)| {
            package.channels.iter().chain(gone.get(at).into_iter().flatten())
        });
        refuse_unknown_channels(&self.channel, channels)
    }
}

pub(crate) fn refuse_unknown_channels<'c>(
    names: &[String],
    channels: impl Iterator<Item = &'c CatalogChannel> + Clone,
) -> Result<(), Failure> {
    let known = channels.map(|channel| channel.name.as_str());
    match names.iter().find(|name| known.clone().all(|known| known != *name)) {
        Some(name) => Err(Failure::unknown("channel", name, known)),
        None => Ok(()),
    }
}
