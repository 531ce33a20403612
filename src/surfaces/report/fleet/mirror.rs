//! Which clusters get stuck with a mirror, and the smallest addition that frees them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use crate::domain::{Arch, Named};
use crate::fleet::{ClusterClass, GoalPath};
use crate::mirror::{
    MirrorAddition, MirrorAnswer, MirrorEntries, MirrorOutlook, MirroredChannel, StuckBecause,
};
use crate::mirrored::{OperatorStuck, OperatorStuckBecause, PackageAddition, StuckOperators};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, list_all, listed, releases};

use super::FleetReport;
use super::human::{MOST_ROWS, counted_u64, more};

/// What a configuration mirrors, and what that means for clusters.
#[derive(Debug)]
pub(crate) struct FleetMirror<'f> {
    /// The configuration.
    pub name: String,
    /// The mirrored releases, oldest first, with their architectures.
    pub releases: Vec<String>,
    pub notes: Vec<String>,
    pub outlook: MirrorOutlook,
    pub operators: StuckOperators<'f>,
}

impl FleetMirror<'_> {
    pub(super) fn is_stuck(&self, class: usize) -> bool {
        matches!(self.outlook.answers.get(class), Some(MirrorAnswer::Stuck { .. }))
    }

    pub(super) fn has_stuck(&self) -> bool {
        (0..self.outlook.answers.len()).any(|class| self.is_stuck(class))
    }

    /// Whether clusters or operators get stuck because of the mirror.
    pub(super) fn is_bad(&self) -> bool {
        self.has_stuck() || !self.operators.stuck.is_empty()
    }
}

pub(super) fn write(report: &FleetReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Some(mirror) = &report.mirror else { return Ok(()) };
    let goal = report.goal.map_or("the newest mirrored release".into(), printable);
    let paths = mirror.outlook.answers.iter().filter_map(MirrorAnswer::path);
    let releases: BTreeSet<&str> =
        paths.filter_map(|path| path.through.last()).map(String::as_str).collect();
    let releases: Vec<&str> = releases.into_iter().filter(|name| *name != goal).collect();
    let releases = match releases.as_slice() {
        [] => String::new(),
        names => format!(" ({})", listed(names, "or")),
    };
    let count = counted(mirror.releases.len(), "release");
    let title =
        format!("To {goal}{releases}, with the {count} that {} mirrors", printable(&mirror.name));
    writeln!(out, "\n{}", style.bold(&title))?;
    for note in &mirror.notes {
        writeln!(out, "  note: {}", printable(note))?;
    }
    let mut groups: BTreeMap<(u8, String), u64> = BTreeMap::new();
    for (counted, answer) in report.fleet.classes.iter().zip(&mirror.outlook.answers) {
        let count = groups.entry(in_words(answer)).or_default();
        *count = count.saturating_add(counted.clusters);
    }
    for ((_, what), clusters) in &groups {
        writeln!(out, "  {what}: {}", counted_u64(*clusters, "cluster"))?;
    }
    stuck(report, mirror, style, out)?;
    match &mirror.outlook.addition {
        Some(found) => addition(found, style, out)?,
        None if mirror.has_stuck() => {
            writeln!(out, "\nNo addition was found that frees the stuck clusters.")?;
        }
        None => {}
    }
    operators(&mirror.operators, style, out)
}

/// An answer for all clusters that have it, with its place in the list.
fn in_words(answer: &MirrorAnswer) -> (u8, String) {
    match answer {
        MirrorAnswer::Reached => (0, "at the goal already, or newer".to_owned()),
        MirrorAnswer::Path(path) if path.accept.is_empty() => {
            (1, "by recommended updates".to_owned())
        }
        MirrorAnswer::Path(path) => {
            let names: Vec<_> = path.accept.iter().map(|name| printable(name)).collect();
            (2, format!("after accepting {}", listed(&names, "and")))
        }
        MirrorAnswer::NoPath => (3, "without a path, with or without the mirror".to_owned()),
        MirrorAnswer::Stuck { .. } => (4, "stuck because of the mirror".to_owned()),
    }
}

fn stuck(
    report: &FleetReport<'_>,
    mirror: &FleetMirror<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut groups: BTreeMap<(&str, &str, String), u64> = BTreeMap::new();
    for (counted, answer) in report.fleet.classes.iter().zip(&mirror.outlook.answers) {
        let MirrorAnswer::Stuck { why, without_mirror } = answer else { continue };
        let class = &counted.class;
        let why = because(class, why, without_mirror);
        let count = groups.entry((&class.version, &class.channel, why)).or_default();
        *count = count.saturating_add(counted.clusters);
    }
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("Stuck because of the mirror"))?;
    for ((version, channel, why), clusters) in groups.iter().take(MOST_ROWS) {
        let (version, channel) = (printable(version), printable(channel));
        let clusters = counted_u64(*clusters, "cluster");
        writeln!(out, "  {version} in {channel}: {clusters}, {why}")?;
    }
    more(groups.len(), out)?;
    if report.lists_names {
        let names = report.fleet.names.iter().filter(|(_, class)| mirror.is_stuck(*class));
        let names: Vec<_> = names.map(|(name, _)| named(name)).collect();
        writeln!(out, "  {}", names.join(", "))?;
    }
    Ok(())
}

fn named(name: &str) -> String {
    if name.is_empty() { "without a name".to_owned() } else { printable(name).into_owned() }
}

fn because(class: &ClusterClass, why: &StuckBecause, without_mirror: &GoalPath) -> String {
    let through: Vec<&str> = without_mirror.through.iter().map(String::as_str).collect();
    let through = match through.as_slice() {
        [_] => String::new(),
        [hops @ .., _] => format!(" through {}", releases(hops)),
        [] => String::new(),
    };
    match why {
        StuckBecause::NoRelease(arch) => format!("no release for {} is mirrored", arch.name()),
        StuckBecause::OwnRelease => format!("{} is not mirrored", printable(&class.version)),
        StuckBecause::NoPath => format!("no path; without the mirror{through}"),
        StuckBecause::Risks(risks) => {
            let names: Vec<_> = risks.iter().map(|name| printable(name)).collect();
            format!("only by accepting {}; without the mirror{through}", listed(&names, "and"))
        }
    }
}

fn addition(found: &MirrorAddition, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let proof = if found.is_smallest {
        "no smaller set of releases frees all of them"
    } else {
        "each is needed, but another set may be smaller"
    };
    writeln!(out, "\n{}", style.bold("Smallest addition"))?;
    writeln!(out, "  {} ({proof})", list_all(&found.releases, "and"))?;
    let Some(entries) = &found.entries else {
        let why = "No entries of `channels` were found with which oc-mirror takes them.";
        return writeln!(out, "  {why}");
    };
    let count = counted(entries.releases.len(), "more release");
    writeln!(out, "\nAs entries of the configuration, for which oc-mirror takes {count}:")?;
    if entries.releases != found.releases {
        writeln!(out, "{}", list_all(&entries.releases, "and"))?;
    }
    writeln!(out, "\n  mirror:\n    platform:")?;
    if !entries.archs.is_empty() {
        let names: Vec<&str> = entries.archs.iter().map(|arch| arch.name()).collect();
        writeln!(out, "      architectures: # in addition\n      - {}", names.join("\n      - "))?;
    }
    if !entries.channels.is_empty() {
        writeln!(out, "      channels: # in addition, or with another range")?;
    }
    for MirroredChannel { name, min_version, max_version, .. } in &entries.channels {
        writeln!(out, "      - name: {name}")?;
        writeln!(out, "        minVersion: {min_version}")?;
        writeln!(out, "        maxVersion: {max_version}")?;
    }
    writeln!(out, "\nTried: with these entries, all stuck clusters get to the goal.")
}

fn operators(found: &StuckOperators<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if found.checked > 0 && found.stuck.is_empty() {
        let checked = counted(found.checked, "installed operator");
        return writeln!(out, "\nNo operator is stuck because of the mirror: {checked} checked");
    }
    if found.stuck.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("Operators that are stuck because of the mirror"))?;
    for stuck in found.stuck.iter().take(MOST_ROWS) {
        let OperatorStuck { cluster, installed, why, .. } = stuck;
        let (name, cluster) = (printable(&installed.name), printable(cluster));
        writeln!(out, "  {name} of {cluster}: {}", operator_because(stuck, why))?;
    }
    more(found.stuck.len(), out)?;
    for addition in &found.additions {
        package_addition(addition, out)?;
    }
    for package in &found.without_addition {
        let package = printable(package);
        writeln!(out, "\nNo range of {package} was found that frees its operators.")?;
    }
    Ok(())
}

fn operator_because(stuck: &OperatorStuck<'_>, why: &OperatorStuckBecause) -> String {
    let package = printable(&stuck.package);
    match why {
        OperatorStuckBecause::NoPackage => format!("the package {package} is not mirrored"),
        OperatorStuckBecause::NoChannel(names) => {
            let names: Vec<_> = names.iter().map(|name| printable(name)).collect();
            format!("its channel {} is not mirrored", listed(&names, "or"))
        }
        OperatorStuckBecause::NoUpdate { channel, newest } => {
            let (channel, newest) = (printable(channel), printable(newest));
            format!("the mirrored part of {channel} has no updates from it to {newest}")
        }
        OperatorStuckBecause::HoldsBack(minor) => {
            format!("no mirrored bundle lets the cluster leave {minor}")
        }
    }
}

fn package_addition(addition: &PackageAddition, out: &mut dyn Write) -> io::Result<()> {
    let PackageAddition { catalog, package, bundles } = addition;
    let count = counted(bundles.len(), "more bundle");
    writeln!(out, "\nThe fewest bundles that free {}: {count}", printable(&package.name))?;
    writeln!(out, "\n  mirror:\n    operators:\n    - catalog: {}", printable(catalog))?;
    writeln!(out, "      packages: # in place of the entry of this package, if there is one")?;
    writeln!(out, "      - name: {}", printable(&package.name))?;
    let mut line = |spaces: &str, key: &str, value: &str| match value {
        "" => Ok(()),
        value => writeln!(out, "{spaces}{key}: {}", printable(value)),
    };
    line("        ", "defaultChannel", &package.default_channel)?;
    line("        ", "minVersion", &package.min_version)?;
    line("        ", "maxVersion", &package.max_version)?;
    for (at, channel) in package.channels.iter().enumerate() {
        if at == 0 {
            line("        ", "channels", " ")?;
        }
        line("        - ", "name", &channel.name)?;
        line("          ", "minVersion", &channel.min_version)?;
        line("          ", "maxVersion", &channel.max_version)?;
    }
    writeln!(out, "\nTried: with this, none of its installed bundles is stuck.")
}

#[derive(Serialize)]
pub(super) struct MirrorJson<'r> {
    configuration: &'r str,
    releases: &'r [String],
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
pub(super) struct MirrorAnswerJson<'r> {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    through: &'r [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    accept: &'r [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    through_without_mirror: &'r [String],
}

impl<'r> MirrorJson<'r> {
    pub(super) fn of(mirror: &'r FleetMirror<'_>) -> Self {
        let entries = |entries: &'r MirrorEntries| EntriesJson {
            architectures: entries.archs.iter().copied().map(Arch::name).collect(),
            channels: entries.channels.iter().map(ChannelJson::of).collect(),
            releases: &entries.releases,
        };
        let addition = mirror.outlook.addition.as_ref().map(|found| AdditionJson {
            releases: &found.releases,
            smallest: found.is_smallest,
            entries: found.entries.as_ref().map(entries),
        });
        let FleetMirror { name, releases, notes, operators, .. } = mirror;
        let stuck_operators = operators.stuck.iter().map(|stuck| StuckOperatorJson {
            cluster: stuck.cluster,
            name: &stuck.installed.name,
            package: &stuck.package,
            why: match stuck.why {
                OperatorStuckBecause::NoPackage => "package",
                OperatorStuckBecause::NoChannel(_) => "channel",
                OperatorStuckBecause::NoUpdate { .. } => "no-update",
                OperatorStuckBecause::HoldsBack(_) => "holds-back",
            },
        });
        let package_additions = operators.additions.iter().map(PackageAdditionJson::of);
        Self {
            configuration: name,
            releases,
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
    pub(super) fn of(answer: &'r MirrorAnswer) -> Self {
        let plain = |state, through, accept| Self {
            state,
            why: None,
            through,
            accept,
            through_without_mirror: &[],
        };
        match answer {
            MirrorAnswer::Reached => plain("reached", &[], &[]),
            MirrorAnswer::NoPath => plain("no-path", &[], &[]),
            MirrorAnswer::Path(path) if path.accept.is_empty() => {
                plain("recommended", &path.through, &[])
            }
            MirrorAnswer::Path(path) => plain("accept", &path.through, &path.accept),
            MirrorAnswer::Stuck { why, without_mirror } => Self {
                why: Some(match why {
                    StuckBecause::NoRelease(_) => "architecture",
                    StuckBecause::OwnRelease => "own-release",
                    StuckBecause::NoPath => "no-path",
                    StuckBecause::Risks(_) => "risks",
                }),
                accept: match why {
                    StuckBecause::Risks(risks) => risks,
                    _ => &[],
                },
                through_without_mirror: &without_mirror.through,
                ..plain("stuck", &[], &[])
            },
        }
    }
}
