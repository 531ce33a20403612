//! A mirror for programs.

use serde::Serialize;

use crate::domain::{Arch, Named};
use crate::mirror::{MirrorAnswer, MirrorEntries, MirroredChannel, StuckBecause};
use crate::mirrored::{OperatorStuckBecause, PackageAddition};

use super::FleetMirror;

#[derive(Serialize)]
pub(in crate::surfaces::report::fleet) struct MirrorJson<'r> {
    configuration: &'r str,
    releases: &'r [String],
    /// The releases that the goal means.
    goals: Vec<&'r str>,
    notes: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    addition: Option<AdditionJson<'r>>,
    operators_checked: usize,
    stuck_operators: Vec<StuckOperatorJson<'r>>,
    package_additions: Vec<PackageAdditionJson<'r>>,
}

#[derive(Serialize)]
struct StuckOperatorJson<'r> {
    cluster: &'r str,
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'r str>,
    package: &'r str,
    why: &'static str,
}

#[derive(Serialize)]
struct PackageAdditionJson<'r> {
    catalog: &'r str,
    package: PackageJson<'r>,
    bundles: &'r [String],
}

/// An entry of the configuration.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PackageJson<'r> {
    name: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    default_channel: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    min_version: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    max_version: &'r str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channels: Vec<ChannelJson<'r>>,
}

#[derive(Serialize)]
struct AdditionJson<'r> {
    releases: &'r [String],
    architectures: Vec<&'static str>,
    smallest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<EntriesJson<'r>>,
}

#[derive(Serialize)]
struct EntriesJson<'r> {
    architectures: Vec<&'static str>,
    channels: Vec<ChannelJson<'r>>,
    releases: &'r [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChannelJson<'r> {
    name: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    min_version: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    max_version: &'r str,
}

/// How clusters of a kind get to the goal with the mirror.
#[derive(Serialize)]
pub(in crate::surfaces::report::fleet) struct MirrorAnswerJson<'r> {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    through: &'r [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    accept: &'r [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    cannot_tell: &'r [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    through_without_mirror: &'r [String],
}

impl<'r> MirrorJson<'r> {
    pub(in crate::surfaces::report::fleet) fn of(mirror: &'r FleetMirror<'_>) -> Self {
        let entries = |entries: &'r MirrorEntries| EntriesJson {
            architectures: entries.archs.iter().copied().map(Arch::name).collect(),
            channels: entries.channels.iter().map(ChannelJson::of).collect(),
            releases: &entries.releases,
        };
        let addition = mirror.outlook.addition.as_ref().map(|found| AdditionJson {
            releases: &found.releases,
            architectures: found.archs.iter().copied().map(Arch::name).collect(),
            smallest: found.is_smallest,
            entries: found.entries.as_ref().map(entries),
        });
        let FleetMirror { name, releases, notes, operators, .. } = mirror;
        let stuck_operators = operators.stuck.iter().map(|stuck| StuckOperatorJson {
            cluster: stuck.cluster,
            name: &stuck.installed.name,
            namespace: stuck.installed.namespace.as_deref(),
            channel: stuck.installed.channel.as_deref(),
            package: &stuck.package,
            why: match stuck.why {
                OperatorStuckBecause::NoPackage => "package",
                OperatorStuckBecause::NoChannel(_) => "channel",
                OperatorStuckBecause::NoUpdate { .. } => "no-update",
                OperatorStuckBecause::HoldsBack(_) => "holds-back",
                OperatorStuckBecause::LosesUpdates(_) => "loses-updates",
            },
        });
        let package_additions = operators.additions.iter().map(PackageAdditionJson::of);
        Self {
            configuration: name,
            releases,
            goals: mirror.outlook.goals.iter().map(String::as_str).collect(),
            notes,
            addition,
            operators_checked: operators.checked,
            stuck_operators: stuck_operators.collect(),
            package_additions: package_additions.collect(),
        }
    }
}

impl<'r> PackageAdditionJson<'r> {
    fn of(addition: &'r PackageAddition) -> Self {
        let PackageAddition { catalog, package, bundles } = addition;
        let channels = package.channels.iter().map(|channel| ChannelJson {
            name: &channel.name,
            min_version: &channel.min_version,
            max_version: &channel.max_version,
        });
        let package = PackageJson {
            name: &package.name,
            default_channel: &package.default_channel,
            min_version: &package.min_version,
            max_version: &package.max_version,
            channels: channels.collect(),
        };
        Self { catalog, package, bundles }
    }
}

impl<'r> ChannelJson<'r> {
    fn of(channel: &'r MirroredChannel) -> Self {
        let MirroredChannel { name, min_version, max_version, .. } = channel;
        Self { name, min_version, max_version }
    }
}

impl<'r> MirrorAnswerJson<'r> {
    pub(in crate::surfaces::report::fleet) fn of(answer: &'r MirrorAnswer) -> Self {
        let plain = |state| Self {
            state,
            why: None,
            through: &[],
            accept: &[],
            cannot_tell: &[],
            through_without_mirror: &[],
        };
        match answer {
            MirrorAnswer::Reached => plain("reached"),
            MirrorAnswer::NoPath => plain("no-path"),
            MirrorAnswer::Path(path) => Self {
                through: &path.through,
                accept: &path.accept,
                cannot_tell: &path.cannot_tell,
                ..plain(path.word())
            },
            MirrorAnswer::Stuck { why, without_mirror } => Self {
                why: Some(match why {
                    StuckBecause::NoRelease(_) => "architecture",
                    StuckBecause::OwnRelease => "own-release",
                    StuckBecause::NoPath => "no-path",
                    StuckBecause::Risks(_) => "risks",
                }),
                accept: match why {
                    StuckBecause::Risks(path) => &path.accept,
                    _ => &[],
                },
                cannot_tell: match why {
                    StuckBecause::Risks(path) => &path.cannot_tell,
                    _ => &[],
                },
                through_without_mirror: &without_mirror.through,
                ..plain("stuck")
            },
        }
    }
}
