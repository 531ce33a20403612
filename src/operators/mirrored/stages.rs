//! Catalogs by minor version, whole and mirrored, and which installed operators can continue only
//! with the whole catalogs.

use crate::bridge::{Bridge, Installed, Outcome, Stage};
use crate::catalog::Package;
use crate::catalog::simulation::{ChannelMoves, Install, Resolver};
use crate::catalog::version::BundleVersion;
use crate::domain::Minor;
use crate::mirror::MirroredCatalog;
use crate::text::Failure;

use super::filter::mirrored_packages;

/// The catalogs of a minor version of OpenShift, whole and mirrored.
#[derive(Debug)]
pub(crate) struct MirroredStage<'c> {
    pub minor: Minor,
    pub catalogs: Vec<(&'c MirroredCatalog, &'c [Package])>,
    pub(super) all: Vec<Package>,
    pub mirrored: Vec<Package>,
    /// What the configuration names, and the catalogs do not have.
    pub unknown: Vec<String>,
}

/// What an operator is stuck with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OperatorStuckBecause {
    NoPackage,
    /// None of the channels that it may follow is mirrored.
    NoChannel(Vec<String>),
    /// Nothing that is mirrored updates it, or leads to the newest mirrored bundle of the channel.
    NoUpdate {
        channel: String,
        newest: String,
    },
    /// No mirrored bundle lets the cluster leave this minor version.
    HoldsBack(Minor),
    /// What is mirrored for this minor version no longer updates the operator once the cluster is
    /// there.
    LosesUpdates(Minor),
}

impl OperatorStuckBecause {
    /// The minor version whose catalog lacks something. `first` is that of the cluster.
    pub(super) fn minor(&self, first: Minor) -> Minor {
        match self {
            Self::NoPackage | Self::NoChannel(_) | Self::NoUpdate { .. } => first,
            Self::HoldsBack(minor) | Self::LosesUpdates(minor) => *minor,
        }
    }
}

/// A cluster on its path to the goal.
#[derive(Debug)]
pub(crate) struct UpdatingCluster<'c> {
    pub name: &'c str,
    pub installed: &'c [Installed],
    /// The minor versions on the path, beginning with its own.
    pub minors: Vec<Minor>,
}

impl<'c> MirroredStage<'c> {
    pub(crate) fn new(
        minor: Minor,
        catalogs: Vec<(&'c MirroredCatalog, &'c [Package])>,
    ) -> Result<Self, Failure> {
        let (all, mirrored, unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut stage = Self { minor, catalogs, all, mirrored, unknown };
        for (wanted, packages) in &stage.catalogs {
            let kept = mirrored_packages(packages, wanted)
                .map_err(|failure| failure.at(format!("catalog {}", wanted.catalog)))?;
            stage.all.extend(packages.iter().cloned());
            stage.mirrored.extend(kept.packages);
            let unknown = kept.unknown.into_iter();
            stage.unknown.extend(unknown.map(|what| format!("{} has no {what}", wanted.catalog)));
        }
        Ok(stage)
    }
}

/// The stages on a path, with everything and with what is mirrored.
pub(super) struct OnStages<'s> {
    all: Vec<Stage<'s>>,
    mirrored: Vec<Stage<'s>>,
}

impl<'s> OnStages<'s> {
    /// `kept` has what is mirrored of each stage.
    pub(super) fn of(
        stages: &'s [MirroredStage<'_>],
        kept: &'s [Vec<Package>],
        minors: &[Minor],
    ) -> Self {
        let stage = |minor: &Minor| stages.iter().find(|stage| stage.minor == *minor);
        let place = |minor: &Minor| stages.iter().position(|stage| stage.minor == *minor);
        let all = minors.iter().map(|minor| Stage {
            minor: *minor,
            packages: stage(minor).map(|stage| stage.all.as_slice()),
        });
        let mirrored = minors.iter().map(|minor| Stage {
            minor: *minor,
            packages: place(minor).map(|at| kept[at].as_slice()),
        });
        Self { all: all.collect(), mirrored: mirrored.collect() }
    }

    /// The package of an install, in the catalogs of its cluster's minor version.
    pub(super) fn package_of(&self, installed: &Installed) -> Option<&'s Package> {
        let packages = self.all.first()?.packages?;
        match &installed.package {
            Some(name) => packages.iter().find(|package| package.name == *name),
            None => packages.iter().find(|package| package.bundle(&installed.name).is_some()),
        }
    }

    /// Why an install can continue only without the mirror. None if it can continue with the
    /// mirror, or cannot continue even without it.
    pub(super) fn stuck(
        &self,
        installed: &Installed,
        package: &str,
    ) -> Result<Option<OperatorStuckBecause>, Failure> {
        let (Some(all), Some(mirrored)) = (self.all.first(), self.mirrored.first()) else {
            return Ok(None);
        };
        let Some(whole) = find(all, package) else { return Ok(None) };
        let Some(kept) = find(mirrored, package) else {
            return Ok(Some(OperatorStuckBecause::NoPackage));
        };
        let channels = channels_of(whole, installed);
        let mirrored_channels: Vec<&str> =
            channels.iter().copied().filter(|name| kept.channel(name).is_some()).collect();
        if mirrored_channels.is_empty() {
            let names = channels.iter().map(|name| (*name).to_owned()).collect();
            return Ok((!channels.is_empty()).then_some(OperatorStuckBecause::NoChannel(names)));
        }
        let mut no_update = None;
        for channel in mirrored_channels {
            match no_update_in(whole, kept, channel, installed)? {
                None => {
                    no_update = None;
                    break;
                }
                Some(newest) => {
                    let channel = channel.to_owned();
                    no_update = Some(OperatorStuckBecause::NoUpdate { channel, newest });
                }
            }
        }
        if no_update.is_some() {
            return Ok(no_update);
        }
        let (all, mirrored) =
            (InstallEnd::of(&self.all, installed)?, InstallEnd::of(&self.mirrored, installed)?);
        let minor = |stage: usize| self.mirrored[stage].minor;
        Ok(match (mirrored.held, mirrored.lost) {
            (Some(at), _) if all.held.is_none_or(|all| at < all) => {
                Some(OperatorStuckBecause::HoldsBack(minor(at)))
            }
            (_, Some(at)) if all.lost.is_none_or(|all| at < all) => {
                Some(OperatorStuckBecause::LosesUpdates(minor(at)))
            }
            _ => None,
        })
    }
}

fn find<'s>(stage: &Stage<'s>, package: &str) -> Option<&'s Package> {
    stage.packages?.iter().find(|one| one.name == package)
}

/// The channels that an install may follow: that of its Subscription, or else all that have it.
pub(super) fn channels_of<'p>(package: &'p Package, installed: &Installed) -> Vec<&'p str> {
    let channels = package.channels.iter().filter(|channel| match &installed.channel {
        Some(name) => channel.name == *name,
        None => channel.entries.iter().any(|entry| entry.name == installed.name),
    });
    channels.map(|channel| channel.name.as_str()).collect()
}

/// The newest mirrored bundle of a channel, if an install never gets there with what is mirrored,
/// but would with the whole catalog.
fn no_update_in(
    whole: &Package,
    kept: &Package,
    channel: &str,
    installed: &Installed,
) -> Result<Option<String>, Failure> {
    let in_whole = whole.bundle(&installed.name).and_then(|bundle| bundle.version.as_ref());
    let version = installed.version.as_ref().or(in_whole);
    let moves = |package| moves_in(package, channel, installed, version);
    let (Some(own), Some(all)) = (moves(kept)?, moves(whole)?) else { return Ok(None) };
    let (Some(from), Some(from_all)) = (own.named(&installed.name), all.named(&installed.name))
    else {
        return Ok(None);
    };
    let reaches =
        |moves: &ChannelMoves<'_>, from, heads: &[_]| moves.moves.distances(heads)[from].is_some();
    let newest = own.heads.first().map(|head| own.name(*head)).unwrap_or_default();
    let is_newer = own.heads.iter().any(|head| {
        let head = own.installs[*head].version;
        head.zip(version).is_some_and(|(head, own)| head.compare(own).is_le())
    });
    if is_newer || reaches(&own, from, &own.heads) {
        return Ok(None);
    }
    let goal: Vec<_> = all.named(newest).into_iter().collect();
    let gets_on = reaches(&all, from_all, &goal) || reaches(&all, from_all, &all.heads);
    Ok(gets_on.then(|| newest.to_owned()))
}

fn moves_in<'p>(
    package: &'p Package,
    channel: &str,
    installed: &'p Installed,
    version: Option<&'p BundleVersion>,
) -> Result<Option<ChannelMoves<'p>>, Failure> {
    let Some(channel) = package.channel(channel) else { return Ok(None) };
    let is_entry = channel.entries.iter().any(|entry| entry.name == installed.name);
    let other = Install { name: &installed.name, version, is_entry: false };
    let others = if is_entry { Vec::new() } else { vec![other] };
    let moves = ChannelMoves::of(package, channel, &others, Resolver::V0);
    let what = || Failure::new(format!("channel {} is too large to simulate", channel.name));
    moves.map(Some).map_err(|_| what())
}

/// Where an install ends on a path, whichever channel it follows.
struct InstallEnd {
    /// The stage that it does not let its cluster leave. None if it gets to the last one, or if
    /// nothing says how far it supports OpenShift.
    held: Option<usize>,
    /// The stage from which on it has no updates. None if it always has.
    lost: Option<usize>,
}

impl InstallEnd {
    fn of(stages: &[Stage<'_>], installed: &Installed) -> Result<Self, Failure> {
        let bridge = Bridge { stages, resolver: Resolver::V0 };
        let verdicts = bridge
            .verdicts(std::slice::from_ref(installed))
            .map_err(|failure| failure.at("the path of an operator is too large to simulate"))?;
        let outcomes = verdicts.iter().flat_map(|verdict| &verdict.outcomes);
        let ends: Vec<Option<usize>> = outcomes
            .map(|(_, outcome)| match outcome {
                Outcome::Reached(_) => None,
                Outcome::Stopped(stop) => Some(stop.stage),
            })
            .collect();
        // An unknown channel may be the best one.
        let is_held = !ends.contains(&None);
        let lost = verdicts.iter().find_map(|verdict| Some(verdict.lost()?.stage + 1));
        Ok(Self { held: ends.into_iter().flatten().max().filter(|_| is_held), lost })
    }
}
