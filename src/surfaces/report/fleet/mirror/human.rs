//! A mirror in the terminal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::domain::Named;
use crate::fleet::{ClusterClass, GoalPath};
use crate::mirror::{MirrorAddition, MirrorAnswer, MirroredChannel, StuckBecause};
use crate::mirrored::{OperatorStuck, OperatorStuckBecause, PackageAddition, StuckOperators};
use crate::report::Style;
use crate::report::fleet::FleetReport;
use crate::report::fleet::rows::{MOST_ROWS, REACHED, counted_u64, more, path_in_words};
use crate::text::printable;
use crate::text::words::{counted, list_all, listed, releases};

use super::FleetMirror;

pub(in crate::surfaces::report::fleet) fn write(
    report: &FleetReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
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
    let mut groups: BTreeMap<(u8, usize, String), u64> = BTreeMap::new();
    for (counted, answer) in report.fleet.classes.iter().zip(&mirror.outlook.answers) {
        let count = groups.entry(in_words(answer)).or_default();
        *count = count.saturating_add(counted.clusters);
    }
    for ((.., what), clusters) in &groups {
        writeln!(out, "  {what}: {}", counted_u64(*clusters, "cluster"))?;
    }
    stuck(report, mirror, style, out)?;
    match &mirror.outlook.addition {
        Some(found) => addition(found, style, out)?,
        None if mirror.has_stuck() => {
            writeln!(out, "\nNo addition was found that unblocks the stuck clusters.")?;
        }
        None => {}
    }
    operators(&mirror.operators, style, out)
}

/// An answer for all clusters that have it, with its place in the list.
fn in_words(answer: &MirrorAnswer) -> (u8, usize, String) {
    match answer {
        MirrorAnswer::Reached => (0, 0, REACHED.to_owned()),
        MirrorAnswer::Path(path) => path_in_words(path),
        MirrorAnswer::NoPath => (4, 0, "without a path, with or without the mirror".to_owned()),
        MirrorAnswer::Stuck { .. } => (5, 0, "stuck because of the mirror".to_owned()),
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
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, clusters)| Reverse(*clusters));
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
        [] | [_] => String::new(),
        [hops @ .., _] => format!(" through {}", releases(hops)),
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
        "no smaller set of releases unblocks all of them"
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
        writeln!(out, "\nNo range of {package} was found that unblocks its operators.")?;
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
    writeln!(out, "\nThe fewest bundles that unblock {}: {count}", printable(&package.name))?;
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
