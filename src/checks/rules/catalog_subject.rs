//! The input of rules about catalogs.

use rayon::prelude::*;

use crate::catalog::declared::{Declared, EntryBlob};
use crate::catalog::package::Package;
use crate::catalog::simulation::{ChannelMoves, Resolver, Role, TooLarge};
use crate::catalog::{LoadedCatalog, Objection, Places, objections};
use crate::domain::Minor;
use crate::text::{SourceId, Sources};

/// A catalog.
#[derive(Debug)]
pub struct CatalogSubject<'a> {
    /// Its files.
    pub files: &'a [SourceId],
    /// What its files declare.
    pub declared: &'a Declared,
    /// Its packages, by name.
    pub packages: &'a [Package],
    /// The packages of the cluster's other catalogs, which are not checked.
    pub others: &'a [Vec<Package>],
    /// The objections of opm to the catalog.
    pub objections: Vec<Objection>,
    /// The places of declarations.
    pub places: Places<'a>,
    /// Where installs move in each channel with OLM v0.
    pub channels: Vec<ChannelSubject<'a>>,
    /// The catalog that clusters use after an update to the next OpenShift, if it is known.
    pub next: Option<NextCatalog<'a>>,
    /// The texts of its files, for fixes. None if no fixes are wanted.
    pub sources: Option<&'a Sources>,
}

/// The catalog of the next OpenShift.
#[derive(Debug)]
pub struct NextCatalog<'a> {
    /// Its name in messages: a minor such as `4.21`, or a path.
    pub name: String,
    /// The OpenShift minor before the update, if it is known.
    pub from: Option<Minor>,
    /// Its packages, by name.
    pub packages: &'a [Package],
    /// The places of its declarations.
    pub places: Places<'a>,
}

impl<'a> NextCatalog<'a> {
    /// Finds a package by name.
    pub fn package(&self, name: &str) -> Option<&'a Package> {
        find(self.packages, name)
    }
}

fn find<'a>(packages: &'a [Package], name: &str) -> Option<&'a Package> {
    let at = packages.binary_search_by(|package| package.name.as_str().cmp(name)).ok()?;
    packages.get(at)
}

/// A channel, and where installs move in it with OLM v0.
#[derive(Debug)]
pub struct ChannelSubject<'a> {
    /// The name of its package.
    pub package: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where installs move. None if the channel is too large to simulate.
    pub moves: Option<ChannelMoves<'a>>,
}

/// A catalog before and after a change.
#[derive(Debug)]
pub struct CatalogChange<'a> {
    /// The catalog before. It only gives context: the place of a finding must be in the catalog
    /// after the change.
    pub before: &'a CatalogSubject<'a>,
    /// The catalog after.
    pub after: &'a CatalogSubject<'a>,
}

impl<'a> CatalogSubject<'a> {
    /// Computes what rules need. `packages` are those of the catalog.
    pub fn new(
        loaded: &'a LoadedCatalog,
        packages: &'a [Package],
        others: &'a [Vec<Package>],
    ) -> Self {
        let declared = &loaded.declared;
        let channels: Vec<_> = packages
            .iter()
            .flat_map(|package| package.channels.iter().map(move |channel| (package, channel)))
            .collect();
        let channels = channels
            .par_iter()
            .map(|(package, channel)| {
                let moves: Result<ChannelMoves<'a>, TooLarge> =
                    ChannelMoves::of(package, channel, &[], Resolver::V0);
                ChannelSubject { package: &package.name, name: &channel.name, moves: moves.ok() }
            })
            .collect();
        Self {
            files: &loaded.files,
            declared,
            packages,
            others,
            objections: objections(declared),
            places: Places::of(declared),
            channels,
            next: None,
            sources: None,
        }
    }

    /// Adds the catalog of the next OpenShift.
    pub fn with_next(self, next: Option<NextCatalog<'a>>) -> Self {
        Self { next, ..self }
    }

    /// Adds the texts of the files.
    pub fn with_sources(self, sources: &'a Sources) -> Self {
        Self { sources: Some(sources), ..self }
    }

    /// The channels that can be simulated, with their moves.
    pub fn moves(&self) -> impl Iterator<Item = &ChannelMoves<'a>> {
        self.channels.iter().filter_map(|channel| channel.moves.as_ref())
    }

    /// The channels that OLM v0 can order. opm refuses the others.
    pub fn ordered(&self) -> impl Iterator<Item = &ChannelMoves<'a>> {
        self.moves().filter(|moves| moves.order.is_ok())
    }

    /// The declaration of an entry.
    pub fn entry(&self, moves: &ChannelMoves<'_>, name: &str) -> Option<&'a EntryBlob> {
        self.places.entry(&moves.package.name, &moves.channel.name, name)
    }

    /// The packages of all catalogs of the cluster.
    pub fn all_packages(&self) -> impl Iterator<Item = &'a Package> {
        self.packages.iter().chain(self.others.iter().flatten())
    }

    /// Finds a package by name.
    pub fn package(&self, name: &str) -> Option<&'a Package> {
        find(self.packages, name)
    }

    /// The channels that have an entry of a package, and its best role in them.
    pub fn channels_with(&self, package: &str, entry: &str) -> (Vec<&'a str>, Option<Role>) {
        let of_package = self.moves().filter(|moves| moves.package.name == package);
        let with_role = |moves: &ChannelMoves<'a>| {
            Some((moves.channel.name.as_str(), moves.role(moves.named(entry)?)))
        };
        let (channels, roles): (Vec<_>, Vec<_>) = of_package.filter_map(with_role).unzip();
        (channels, roles.into_iter().min())
    }
}
