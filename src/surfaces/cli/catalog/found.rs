//! Reads the catalog of a command, and finds what the user names in it.

use std::io::{self, Write};

use crate::catalog::package::CatalogChannel;
use crate::catalog::simulation::{ChannelMoves, Published, Resolver};
use crate::catalog::{Loaded, Package};
use crate::cli::catalog_args::{CatalogSourceArgs, PlaceArgs};
use crate::cli::common_args::CommonArgs;
use crate::cli::print;
use crate::moves::NodeId;
use crate::session::{Beside, Catalogs, ReadCatalogs};
use crate::text::Failure;

use super::Stop;

/// A catalog, and what may be installed from earlier ones.
pub(in crate::surfaces::cli) struct Opened {
    catalogs: ReadCatalogs,
    pub(super) published: Published,
}

impl Opened {
    pub(in crate::surfaces::cli) fn read(
        args: &CatalogSourceArgs,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let revision = args.rev.as_deref();
        let catalogs = Catalogs::open(std::slice::from_ref(&args.catalog), revision.is_some())?;
        let read = catalogs.read(revision)?;
        if let Some((_, note)) = catalogs.split(&read) {
            let failure = Failure::new(note.text);
            return Err(failure.hint("name one of them").into());
        }
        print::notes(&read.notes, common, err)?;
        warn_of_faults(&read.loaded, common, err)?;
        let (published, notes) =
            catalogs.published(args.base.as_deref(), args.history, revision)?;
        print::notes(&notes, common, err)?;
        Ok(Self { catalogs: read, published })
    }

    /// The catalog at the base.
    pub(super) fn base(args: &CatalogSourceArgs) -> Result<Self, Stop> {
        let catalogs = Catalogs::open(std::slice::from_ref(&args.catalog), true)?;
        let base = args.base.as_deref().unwrap_or("HEAD");
        let catalogs = catalogs.read_base(base, args.rev.as_deref(), Beside::default())?;
        Ok(Self { catalogs, published: Published::default() })
    }

    /// Adds what an earlier catalog published, because it may still be installed.
    pub(super) fn follows(&mut self, earlier: &Self) {
        for catalog in &earlier.catalogs.loaded.catalogs {
            self.published.add(&catalog.declared);
        }
    }

    pub(in crate::surfaces::cli) fn packages(&self) -> &[Package] {
        self.catalogs.packages.first().map_or(&[], Vec::as_slice)
    }

    /// The channels that have an install with this name or version.
    pub(super) fn channels_with<'o>(
        &'o self,
        wanted: &str,
        place: &PlaceArgs,
        gone: &'o [Vec<CatalogChannel>],
        resolver: Resolver,
    ) -> Result<Vec<(ChannelMoves<'o>, NodeId)>, Failure> {
        place.refuse_unknown(self.packages(), gone)?;
        let mut found = Vec::new();
        let mut names = Vec::new();
        for (of, gone) in self.packages().iter().zip(gone) {
            if !place.has_package(of) {
                continue;
            }
            for one in of.channels.iter().chain(gone).filter(|one| place.has_channel(one)) {
                let others = self.published.gone(of, &one.name);
                let moves = ChannelMoves::of(of, one, &others, resolver).map_err(|_| {
                    Failure::new(format!("channel {} is too large to simulate", one.name))
                })?;
                names.extend(moves.installs.iter().map(|install| install.name.to_owned()));
                if let Some(node) = install(&moves, wanted) {
                    found.push((moves, node));
                }
            }
        }
        if found.is_empty() {
            names.sort();
            names.dedup();
            return Err(Failure::unknown("entry", wanted, names.iter().map(String::as_str)));
        }
        Ok(found)
    }
}

/// Says that parts of catalogs are not read.
pub(super) fn warn_of_faults(
    loaded: &Loaded,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> io::Result<()> {
    let faults: usize = loaded.catalogs.iter().map(|catalog| catalog.declared.faults.len()).sum();
    if faults > 0 && !common.quiet {
        writeln!(
            err,
            "exitpath: opm refuses this catalog, and parts of it are omitted: `exitpath catalog check` says why"
        )?;
    }
    Ok(())
}

/// The install with a name, or the only one with a version.
pub(super) fn install(moves: &ChannelMoves<'_>, wanted: &str) -> Option<NodeId> {
    moves.named(wanted).or_else(|| {
        let has_version = |node: &NodeId| {
            let version = moves.installs[*node].version;
            version.is_some_and(|version| version.text() == wanted.trim_start_matches('v'))
        };
        let mut with_version = moves.installs.ids().filter(has_version);
        with_version.next().filter(|_| with_version.next().is_none())
    })
}
