//! A mirror in the terminal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::domain::Named;
use crate::fleet::{ClusterClass, GoalPath};
use crate::mirror::{MirrorAddition, MirrorAnswer, StuckBecause};
use crate::mirrored::{OperatorStuck, OperatorStuckBecause, PackageAddition, StuckOperators};
use crate::report::fleet::FleetReport;
use crate::report::fleet::rows::{
    MOST_ROWS, REACHED, RankedAnswer, counted_u64, more, path_in_words,
};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, list_all, listed, releases};

use super::{FleetMirror, yaml};

pub(in crate::surfaces::report::fleet) fn write(
    report: &FleetReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(mirror) = &report.mirror else { return Ok(()) };
    wrapped(style, out, |out| {
        goals(report, mirror, style, out)?;
        stuck(report, mirror, style, out)
    })?;
    match &mirror.outlook.addition {
        Some(found) => addition(found, mirror, style, out)?,
        None if mirror.has_stuck() => {
            let text = "\nNo addition was found that unblocks the stuck clusters.";
            wrapped(style, out, |out| writeln!(out, "{text}"))?;
        }
        None => {}
    }
    operators(&mirror.operators, style, out)
}

fn goals(
    report: &FleetReport<'_>,
    mirror: &FleetMirror<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let goal = report.goal.map_or("the newest mirrored release".into(), printable);
    let releases: Vec<&str> =
        mirror.outlook.goals.iter().map(String::as_str).filter(|name| *name != goal).collect();
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
    let mut groups: BTreeMap<RankedAnswer, u64> = BTreeMap::new();
    for (counted, answer) in report.fleet.classes.iter().zip(&mirror.outlook.answers) {
        let count = groups.entry(in_words(answer)).or_default();
        *count = count.saturating_add(counted.clusters);
    }
    for (answer, clusters) in &groups {
        writeln!(out, "  {}: {}", answer.words, counted_u64(*clusters, "cluster"))?;
    }
    Ok(())
}

/// An answer for all clusters that have it.
fn in_words(answer: &MirrorAnswer) -> RankedAnswer {
    match answer {
        MirrorAnswer::Reached => RankedAnswer::new(0, REACHED),
        MirrorAnswer::Path(path) => path_in_words(path),
        MirrorAnswer::NoPath => RankedAnswer::new(4, "without a path, with or without the mirror"),
        MirrorAnswer::Stuck { .. } => RankedAnswer::new(5, "stuck because of the mirror"),
    }
}

fn stuck(
    report: &FleetReport<'_>,
    mirror: &FleetMirror<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut groups: BTreeMap<(&str, &str, String), (u64, BTreeSet<usize>)> = BTreeMap::new();
    for (at, counted) in report.fleet.classes.iter().enumerate() {
        let Some(MirrorAnswer::Stuck { why, without_mirror }) = mirror.outlook.answers.get(at)
        else {
            continue;
        };
        let class = &counted.class;
        let why = because(class, why, without_mirror);
        let (count, classes) = groups.entry((&class.version, &class.channel, why)).or_default();
        *count = count.saturating_add(counted.clusters);
        classes.insert(at);
    }
    if groups.is_empty() {
        return Ok(());
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, (clusters, _))| Reverse(*clusters));
    writeln!(out, "\n{}", style.bold("Stuck because of the mirror"))?;
    for ((version, channel, why), (clusters, classes)) in groups.iter().take(MOST_ROWS) {
        let (version, channel) = (printable(version), printable(channel));
        let clusters = counted_u64(*clusters, "cluster");
        writeln!(out, "  {version} in {channel}: {clusters}, {why}")?;
        if report.lists_names {
            let names = report.fleet.names.iter().filter(|(_, class)| classes.contains(class));
            for (name, _) in names {
                let name = name.as_deref().unwrap_or("a cluster");
                writeln!(out, "    {}", printable(name))?;
            }
        }
    }
    more(groups.len(), out)
}

fn because(class: &ClusterClass, why: &StuckBecause, without_mirror: &GoalPath) -> String {
    let through: Vec<&str> = without_mirror.through.iter().map(String::as_str).collect();
    let through = match through.as_slice() {
        [] | [_] => "directly".to_owned(),
        [hops @ .., _] => format!("through {}", releases(hops)),
    };
    match why {
        StuckBecause::NoRelease(arch) => format!("no release for {} is mirrored", arch.name()),
        StuckBecause::OwnRelease => format!("{} is not mirrored", printable(&class.version)),
        StuckBecause::NoPath => format!("no path; without the mirror, {through}"),
        StuckBecause::Risks(path) => {
            let words = path_in_words(path).words;
            format!("only {words}; without the mirror, {through}")
        }
    }
}

fn addition(
    found: &MirrorAddition,
    mirror: &FleetMirror<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    wrapped(style, out, |out| {
        writeln!(out, "\n{}", style.bold("Smallest addition"))?;
        for arch in &found.archs {
            writeln!(out, "  the mirrored releases for {}", arch.name())?;
        }
        if !found.releases.is_empty() {
            let proof = if found.is_smallest {
                "no smaller set of releases unblocks all of them"
            } else {
                "each is needed, but another set may be smaller"
            };
            writeln!(out, "  {} ({proof})", list_all(&found.releases, "and"))?;
        }
        let Some(entries) = &found.entries else {
            let why = if mirror.has_single_release {
                "oc-mirror ignores `channels` because of `release`, so no entries can add them."
            } else {
                "No entries of `channels` were found with which oc-mirror takes them."
            };
            return writeln!(out, "  {why}");
        };
        let count = counted(entries.releases.len(), "more release");
        writeln!(out, "\nAs entries of the configuration, for which oc-mirror takes {count}:")?;
        if entries.releases != found.releases && found.archs.is_empty() {
            writeln!(out, "{}", list_all(&entries.releases, "and"))?;
        }
        Ok(())
    })?;
    let Some(entries) = &found.entries else { return Ok(()) };
    yaml::entries(entries, out)?;
    let text = "\nTried: with these entries, all stuck clusters get to the goal.";
    wrapped(style, out, |out| writeln!(out, "{text}"))
}

fn operators(found: &StuckOperators<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    wrapped(style, out, |out| stuck_operators(found, style, out))?;
    for addition in &found.additions {
        let PackageAddition { package, bundles, .. } = addition;
        let count = counted(bundles.len(), "more bundle");
        let name = printable(&package.name);
        let title = format!("\nFor {name}, in place of its entry in this catalog ({count}):");
        wrapped(style, out, |out| writeln!(out, "{title}"))?;
        yaml::package(addition, out)?;
    }
    wrapped(style, out, |out| {
        if !found.additions.is_empty() {
            let text =
                "Tried: with these entries, no other operators are stuck because of the mirror";
            let except = match found.without_addition.as_slice() {
                [] => ".".to_owned(),
                packages => format!(" except those of {}.", listed(packages, "and")),
            };
            writeln!(out, "\n{text}{}", printable(&except))?;
        }
        for package in &found.without_addition {
            let package = printable(package);
            writeln!(out, "\nNo range of {package} was found that unblocks its operators.")?;
        }
        Ok(())
    })
}

fn stuck_operators(
    found: &StuckOperators<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
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
        let namespace = match &installed.namespace {
            None => String::new(),
            Some(namespace) => format!(" in {}", printable(namespace)),
        };
        writeln!(out, "  {name}{namespace} of {cluster}: {}", operator_because(stuck, why))?;
    }
    more(found.stuck.len(), out)
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
        OperatorStuckBecause::LosesUpdates(minor) => {
            format!("after the update to {minor}, nothing that is mirrored updates it")
        }
    }
}
