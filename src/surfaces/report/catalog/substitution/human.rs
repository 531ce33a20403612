//! Writes the report for people: what each channel gains and loses, and which installs have no next
//! update.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::catalog::package::Entry;
use crate::catalog::substitution::{ChannelEffect, SubstitutionFault};
use crate::domain::{HashMap, HashSet, Severity};
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::super::resolver_in_words;
use super::super::stuck::write_stuck;
use super::{PackageEffects, SubstitutionReport};

pub(super) fn write(
    report: SubstitutionReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !style.quiet {
        write_faults(report, style, out)?;
        for package in report.packages {
            for channel in package.channels.iter().filter(|channel| is_listed(channel)) {
                wrapped(style, out, |out| write_channel(package, channel, style, out))?;
            }
            for channel in &package.package.too_large {
                let name = &package.package.before.name;
                writeln!(out, "{}\n", printable(&format!("{name}, channel {channel}: too large")))?;
            }
        }
        wrapped(style, out, |out| write_opm(report, out))?;
        write_goals(report, style, out)?;
    }
    let bad = report.is_bad();
    let (mark, severity) = if bad { ("✗", Some(Severity::Error)) } else { ("✓", None) };
    writeln!(out, "{}", style.mark(&format!("{mark} {}", verdict(report)), severity))
}

pub(super) fn write_faults(
    report: SubstitutionReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for fault in report.faults {
        wrapped(style, out, |out| write_fault(report, fault, style, out))?;
    }
    Ok(())
}

fn write_fault(
    report: SubstitutionReport<'_>,
    fault: &SubstitutionFault,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let severity = if fault.kind.is_fatal() { Severity::Error } else { Severity::Warning };
    let word = if fault.kind.is_fatal() { "error" } else { "warning" };
    let source = report.sources.get(fault.span.source);
    let at = source.position(fault.span.start);
    let place = format!("{}:{}:{}", source.path(), at.line, at.column);
    writeln!(
        out,
        "{}: {}: {}",
        printable(&place),
        style.paint(word, severity),
        printable(&fault.kind.message())
    )?;
    writeln!(out, "  help: {}\n", printable(&fault.kind.help()))
}

fn is_listed(channel: &ChannelEffect<'_>) -> bool {
    channel.is_bad()
        || !channel.gained.is_empty()
        || !channel.lost.is_empty()
        || changes(channel).next().is_some()
}

/// The changed entries, each with its previous value. None for a new one.
fn changes<'c>(
    channel: &ChannelEffect<'c>,
) -> impl Iterator<Item = (&'c Entry, Option<&'c Entry>)> {
    let known: HashMap<&str, &Entry> =
        channel.before.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let entries = channel.after.channel.entries.iter();
    let pairs = entries.map(move |entry| (entry, known.get(entry.name.as_str()).copied()));
    pairs.filter(|(after, before)| {
        before.is_none_or(|before| before.replaces != after.replaces || before.skips != after.skips)
    })
}

fn write_channel(
    package: &PackageEffects<'_>,
    channel: &ChannelEffect<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let moves = &channel.after;
    let heads: Vec<&str> = moves.heads.iter().map(|head| moves.name(*head)).collect();
    let title = format!("{}, channel {}", moves.package.name, moves.channel.name);
    let entries = counted(moves.channel.entries.len(), "entry");
    let head = if heads.is_empty() {
        "no head".to_owned()
    } else {
        format!("head {}", listed(&heads, "and"))
    };
    let about = format!("{entries}, {head}");
    writeln!(out, "{}: {}", style.bold(&printable(&title)), printable(&about))?;
    let mut line = |text: String| writeln!(out, "  {}", printable(&text));
    let installs: HashSet<&str> = moves.installs.iter().map(|install| install.name).collect();
    for chain in package.package.chains.iter() {
        if chain.iter().any(|name| installs.contains(name.as_str())) {
            line(format!("rebuilt: {}", chain.join(" → ")))?;
        }
    }
    for (after, before) in changes(channel) {
        line(change_in_words(after, before))?;
    }
    updates_in_words(channel).into_iter().try_for_each(&mut line)?;
    write_stuck(moves, &channel.stuck, &channel.edits, out)?;
    let mut line = |text: String| writeln!(out, "  {}", printable(&text));
    for (name, through) in &channel.forced {
        line(format!("{name} has to go through {through}, which is rebuilt"))?;
    }
    let stuck = stuck_in(channel);
    for name in channel.stranded.iter().filter(|name| !stuck.contains(*name)) {
        line(format!("stranded: {name} never gets to the head, and other rebuilds do"))?;
    }
    writeln!(out)
}

/// The changed updates, in words.
fn updates_in_words(channel: &ChannelEffect<'_>) -> Vec<String> {
    let shortcut = |is_shortcut| {
        if is_shortcut { ": this skips bundles in between, and their migrations" } else { "" }
    };
    let mut lines = Vec::new();
    for edge in &channel.gained {
        let before = channel.lost.iter().find(|lost| lost.from == edge.from);
        let instead = before.map_or(String::new(), |lost| format!(" instead of {}", lost.to));
        let (from, to) = (edge.from, edge.to);
        lines.push(format!("{from} goes to {to}{instead}{}", shortcut(edge.is_shortcut)));
    }
    for edge in channel.lost.iter().filter(|edge| edge.now.is_none()) {
        lines.push(format!("{} stays instead of going to {}", edge.from, edge.to));
    }
    lines
}

fn stuck_in<'c>(channel: &ChannelEffect<'c>) -> BTreeSet<&'c str> {
    channel.stuck.iter().map(|stuck| channel.after.name(stuck.install)).collect()
}

fn change_in_words(after: &Entry, before: Option<&Entry>) -> String {
    let mut parts = Vec::new();
    let old = before.map(|before| before.replaces.as_str()).unwrap_or_default();
    if after.replaces.is_empty() && !old.is_empty() {
        parts.push(format!("no longer replaces {old}"));
    } else if after.replaces != old {
        let was = if old.is_empty() { String::new() } else { format!(" instead of {old}") };
        parts.push(format!("replaces {}{was}", after.replaces));
    }
    let skips = before.map_or(&[][..], |before| before.skips.as_slice());
    let new = only_in(&after.skips, skips);
    if !new.is_empty() {
        let also = if skips.is_empty() { "" } else { "also " };
        parts.push(format!("{also}skips {}", listed(&new, "and")));
    }
    let gone = only_in(skips, &after.skips);
    if !gone.is_empty() {
        parts.push(format!("no longer skips {}", listed(&gone, "and")));
    }
    if parts.is_empty() {
        parts.push("has no edges".to_owned());
    }
    let new = if before.is_none() { "new entry " } else { "" };
    format!("{new}{}: {}", after.name, parts.join(", "))
}

fn only_in<'n>(names: &'n [String], others: &[String]) -> Vec<&'n String> {
    let others: HashSet<&String> = others.iter().collect();
    names.iter().filter(|name| !others.contains(name)).collect()
}

/// Writes how opm's own result is worse.
fn write_opm(report: SubstitutionReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(words) = report.refusal_of_opm {
        return writeln!(out, "{}\n", printable(&format!("opm refuses this template: {words}")));
    }
    for (ours, opm) in report.packages.iter().zip(report.of_opm) {
        for (ours, opm) in ours.channels.iter().zip(&opm.channels) {
            let (ours, of_opm) = (stuck_in(ours), stuck_in(opm));
            let stuck: Vec<&str> = of_opm.difference(&ours).copied().collect();
            if !stuck.is_empty() {
                let text = format!(
                    "with opm's own rendering of this template, {} would be stuck in channel {}",
                    listed(&stuck, "and"),
                    opm.before.name
                );
                writeln!(out, "{}\n", printable(&text))?;
            }
        }
    }
    Ok(())
}

fn write_goals(
    report: SubstitutionReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    for goal in report.goals() {
        let missed = goal.missed.len();
        let (mark, severity) =
            if missed == 0 { ("✓", None) } else { ("✗", Some(Severity::Error)) };
        let by =
            if missed == 0 { String::new() } else { format!(": {}", listed(&goal.missed, "and")) };
        writeln!(
            out,
            "{} {}",
            style.mark(mark, severity),
            printable(&format!("{}{by}", goal.words))
        )?;
    }
    if report.packages.is_empty() { Ok(()) } else { writeln!(out) }
}

fn verdict(report: SubstitutionReport<'_>) -> String {
    let packages = report.packages.iter();
    let wrong = report.faults.iter().filter(|fault| fault.kind.is_fatal()).count();
    let wrong_words = || format!("{} wrong", counted(wrong, "substitution"));
    if packages.len() == 0 {
        let because = if wrong > 0 { format!("{}: ", wrong_words()) } else { String::new() };
        return format!("{because}nothing is substituted");
    }
    let chains = packages.clone().flat_map(|package| package.package.chains.iter());
    let rebuilds: usize = chains.map(|chain| chain.len() - 1).sum();
    let channels = packages.flat_map(|package| &package.channels);
    let changed: usize = channels.clone().map(|channel| changes(channel).count()).sum();
    let missed = report.goals().iter().filter(|goal| !goal.missed.is_empty()).count();
    let mut parts = vec![format!(
        "{} in {}: {} to change",
        counted(rebuilds, "rebuild"),
        counted(channels.count(), "channel"),
        counted(changed, "entry"),
    )];
    if wrong > 0 {
        parts.push(wrong_words());
    }
    if missed > 0 {
        parts.push(format!("{} missed", counted(missed, "goal")));
    }
    format!("{} ({})", parts.join(", "), resolver_in_words(report.resolver))
}
