//! The catalogs of several versions of OpenShift.

use std::collections::BTreeMap;
use std::io::Write;

use crate::bridge::{Cluster, Installed, Stage};
use crate::catalog::Package;
use crate::catalog::openshift_limit::{as_compared, next_minor};
use crate::cli::catalog_args::{CatalogBridgeArgs, CatalogSourceArgs};
use crate::cli::common_args::CommonArgs;
use crate::domain::Minor;
use crate::session::MinorFolder;
use crate::text::Failure;

use super::super::Stop;
use super::super::found::Opened;
use super::clusters::name_and_channel;

pub(super) struct CatalogsByMinor {
    first: Minor,
    catalogs: BTreeMap<Minor, Opened>,
}

impl CatalogsByMinor {
    pub(super) fn read(
        args: &CatalogBridgeArgs,
        default: Option<Minor>,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let MinorFolder { named, folder, .. } = MinorFolder::parse(&args.catalog);
        let first = named.or(default).ok_or_else(|| {
            Failure::new("it is not known which version of OpenShift the catalog is for")
                .hint(format!("name it, as in `4.16={}`", args.catalog))
        })?;
        let mut folders = vec![(first, folder)];
        let mut minor = first;
        for next in &args.next_catalog {
            let MinorFolder { named, folder, .. } = MinorFolder::parse(next);
            minor = named.unwrap_or_else(|| next_minor(minor));
            folders.push((minor, folder));
        }
        let mut catalogs = BTreeMap::new();
        for (minor, catalog) in folders {
            let source = CatalogSourceArgs { catalog, rev: None, base: None, history: false };
            let opened = Opened::read(&source, common, err)?;
            if catalogs.insert(as_compared(minor), opened).is_some() {
                return Err(Failure::new(format!("there are two catalogs of {minor}"))
                    .hint("put the version in front, as in `--next-catalog 4.17=DIR`")
                    .into());
            }
        }
        Ok(Self { first, catalogs })
    }

    fn packages(&self, minor: Minor) -> Option<&[Package]> {
        self.catalogs.get(&as_compared(minor)).map(Opened::packages)
    }

    pub(super) fn stages(&self, minors: &[Minor]) -> Vec<Stage<'_>> {
        let stage = |minor: &Minor| Stage { minor: *minor, packages: self.packages(*minor) };
        minors.iter().map(stage).collect()
    }

    /// A made-up cluster with all entries of the catalog that clusters use now.
    pub(super) fn every_entry(&self, args: &CatalogBridgeArgs) -> Result<Cluster, Failure> {
        let packages = self.packages(self.first).unwrap_or_default();
        let is_wanted = |name: &str| args.package.as_deref().is_none_or(|wanted| wanted == name);
        let mut installed = Vec::new();
        for package in packages.iter().filter(|package| is_wanted(&package.name)) {
            for channel in &package.channels {
                for entry in &channel.entries {
                    installed.extend(package.bundle(&entry.name).map(|bundle| Installed {
                        name: bundle.name.clone(),
                        package: Some(package.name.clone()),
                        channel: Some(channel.name.clone()),
                        ..Installed::default()
                    }));
                }
            }
        }
        if installed.is_empty() && args.package.is_none() {
            return Err(Failure::new("nothing was checked: there are no channels with entries")
                .hint("`exitpath catalog check` says what is wrong with the catalog"));
        }
        let version = args.from.clone().unwrap_or_else(|| self.first.to_string());
        Ok(Cluster { version: Some(version), installed, ..Cluster::default() })
    }

    /// Leaves only the installs of one package.
    pub(super) fn retain(&self, package: &str, installed: &mut Vec<Installed>) {
        let packages = self.catalogs.values().flat_map(Opened::packages);
        let packages: Vec<&Package> = packages.filter(|known| known.name == package).collect();
        installed.retain(|one| match &one.package {
            Some(own) => own == package,
            None => packages.iter().any(|package| package.bundle(&one.name).is_some()),
        });
    }

    /// Whether the catalogs have what the command line names.
    pub(super) fn check_names(&self, args: &CatalogBridgeArgs) -> Result<(), Failure> {
        let packages = || self.catalogs.values().flat_map(Opened::packages);
        if let Some(name) = &args.package {
            let names = packages().map(|package| package.name.as_str());
            if names.clone().all(|known| known != name) {
                return Err(Failure::unknown("package", name, names));
            }
        }
        for installed in &args.installed {
            let (name, channel) = name_and_channel(installed);
            let owners = packages().filter(|package| package.bundle(name).is_some());
            let owners: Vec<&Package> = owners.collect();
            if owners.is_empty() {
                let bundles = packages().flat_map(|package| &package.bundles);
                let names = bundles.map(|bundle| bundle.name.as_str());
                return Err(Failure::unknown("bundle", name, names));
            }
            let channels = || owners.iter().flat_map(|package| &package.channels);
            if let Some(channel) = channel
                && channels().all(|known| known.name != channel)
            {
                let names = channels().map(|known| known.name.as_str());
                return Err(Failure::unknown("channel", channel, names));
            }
        }
        Ok(())
    }
}
