//! What one cluster is offered, for people and for programs.

mod difference;
mod forward;
mod json;
mod timeline;

pub(crate) use forward::write_remedy;
pub(crate) use timeline::TimelineReport;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, ObjectRisk, Release, condition,
};
use crate::cluster::{InCluster, MinorOutlook, Outcome, fires_at, speaks_of};
use crate::domain::time::write_time;
use crate::domain::{Arch, Minor};
use crate::text::printable;
use crate::text::words::{counted, listed, quoted, releases};

use super::{Style, write_line};

/// What one cluster is offered.
pub(crate) struct ClusterReport<'a> {
    pub(crate) cluster: &'a ClusterVersion,
    pub(crate) outcome: &'a Outcome,
    /// The offer before a change, if a change is shown.
    pub(crate) before: Option<&'a Outcome>,
    pub(crate) inside: &'a InCluster,
    pub(crate) forward: &'a [MinorOutlook],
    /// Whether the series of the cluster are known.
    pub(crate) has_series: bool,
    /// What the service does not load, which makes its answer different from this one.
    pub(crate) not_loaded: &'a [String],
    /// In milliseconds since 1970.
    pub(crate) now: i64,
    pub(crate) arch: Arch,
    /// The version of the operator.
    pub(crate) minor: Minor,
}

impl ClusterReport<'_> {
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(self, out)
    }

    pub(crate) fn write(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        self.write_now(style, out)?;
        match self.before {
            Some(before) => {
                writeln!(out)?;
                difference::write(&before.stored, &self.outcome.stored, style, out)
            }
            None => Ok(()),
        }
    }

    fn write_now(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let stored = &self.outcome.stored;
        let channel = match self.cluster.spec.channel.as_str() {
            "" => "no channel".into(),
            channel => printable(channel),
        };
        writeln!(
            out,
            "A cluster with {} in {channel} ({}), with the operator of {}:",
            printable(&stored.desired.version),
            self.arch,
            self.minor
        )?;
        let retrieved = &self.outcome.retrieved;
        if retrieved.status != "True" {
            writeln!(out)?;
            writeln!(out, "It has no updates: RetrievedUpdates=False, {}", retrieved.reason)?;
            return write_line(style, &format!("  {}", printable(&retrieved.message)), 2, out);
        }
        writeln!(out)?;
        if stored.available_updates.is_empty() {
            writeln!(out, "No update is recommended:")?;
            forward::write(self, style, out)?;
        } else {
            let updates = counted(stored.available_updates.len(), "recommended update");
            writeln!(out, "{updates}:")?;
            versions(stored.available_updates.iter(), style, out)?;
            forward::write_next(self, style, out)?;
        }
        for forward in self.forward {
            if let Some(condition) = &forward.refusal {
                writeln!(out)?;
                forward::write_refusal(condition, forward, self.inside, style, out)?;
            }
        }
        self.write_refused(style, out)
    }

    fn write_refused(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let with = |status: &str| -> Vec<&ConditionalUpdate> {
            let updates = self.outcome.stored.conditional_updates.iter();
            updates.filter(|update| status_of(update) == status).collect()
        };
        let (applies, unknown) = (with("False"), with("Unknown"));
        let number = |updates: &[&ConditionalUpdate]| {
            let verb = if updates.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not recommended", counted(updates.len(), "update"))
        };
        if !applies.is_empty() {
            writeln!(out, "\n{}, because a risk applies:", number(&applies))?;
            refused(&applies, style, out)?;
        }
        if unknown.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        if !self.has_series {
            return without_series(&number(&unknown), &unknown, style, out);
        }
        let why = "the cluster cannot tell whether a risk applies";
        writeln!(out, "{}, because {why}:", number(&unknown))?;
        refused(&unknown, style, out)?;
        self.write_alert(style, out)
    }

    /// Writes when the cluster raises an alert because it cannot tell whether risks apply.
    fn write_alert(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let Some(at) = fires_at(&self.outcome.stored) else { return Ok(()) };
        let verb = if at <= self.now { "has fired since" } else { "fires at" };
        let line = format!(
            "The alert CannotEvaluateConditionalUpdates {verb} {}, an hour after the cluster could \
             not tell for the first time.",
            write_time(at)
        );
        writeln!(out)?;
        write_line(style, &line, 2, out)
    }
}

/// One line for all updates: without series, it is unknown whether any risk applies.
fn without_series(
    number: &str,
    updates: &[&ConditionalUpdate],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut targets: Vec<_> =
        updates.iter().map(|update| printable(&update.release.version)).collect();
    targets.reverse();
    let targets: Vec<&str> = targets.iter().map(AsRef::as_ref).collect();
    let all = updates.iter().flat_map(|update| named(update));
    let names: std::collections::BTreeSet<Cow<'_, str>> = all.collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let line = format!(
        "{number}, because without series nobody can tell whether {} apply: {}",
        listed(&quoted(&names), "or"),
        releases(&targets)
    );
    write_line(style, &line, 2, out)
}

/// Writes the updates that are not recommended. Those with the same reason and message are grouped.
fn refused(updates: &[&ConditionalUpdate], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<(&Condition, Vec<&ConditionalUpdate>)> = Vec::new();
    for update in updates {
        let Some(verdict) = condition(&update.conditions, "Recommended") else { continue };
        let known = groups.iter_mut().find(|(other, _)| {
            (&other.reason, &other.message) == (&verdict.reason, &verdict.message)
        });
        match known {
            Some((_, updates)) => updates.push(update),
            None => groups.push((verdict, vec![update])),
        }
    }
    for (verdict, updates) in groups {
        writeln!(out)?;
        versions(updates.iter().map(|update| &update.release), style, out)?;
        let names: Vec<_> = updates.first().map_or(Vec::new(), |update| named(update));
        let names: Vec<_> = names.into_iter().filter(|name| **name != verdict.reason).collect();
        let mut line = format!("    {}", printable(&verdict.reason));
        if !names.is_empty() {
            line = format!("{line}: {}", names.join(", "));
        }
        write_line(style, &line, 4, out)?;
        for line in verdict.message.lines().filter(|line| !line.trim().is_empty()) {
            write_line(style, &format!("    {}", printable(line.trim())), 4, out)?;
        }
    }
    Ok(())
}

/// The risks that the verdict on an update mentions.
fn named(update: &ConditionalUpdate) -> Vec<Cow<'_, str>> {
    let Some(verdict) = condition(&update.conditions, "Recommended") else { return Vec::new() };
    let risks: Vec<&ObjectRisk> =
        update.risks.iter().flatten().filter(|risk| speaks_of(verdict, risk)).collect();
    risks.into_iter().map(|risk| printable(&risk.name)).collect()
}

fn versions<'a>(
    releases: impl Iterator<Item = &'a Release>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names: Vec<_> = releases.map(|release| printable(&release.version)).collect();
    write_line(style, &format!("  {}", names.join(", ")), 2, out)
}

fn status_of(update: &ConditionalUpdate) -> &str {
    condition(&update.conditions, "Recommended").map_or("Unknown", |one| &one.status)
}
