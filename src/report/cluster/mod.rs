//! What one cluster is offered, for people.

mod difference;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::cluster::Outcome;
use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, ObjectRisk, Release, condition,
};
use crate::domain::{Arch, Minor};
use crate::text::printable;
use crate::text::words::counted;

use super::{Style, write_line};

/// What one cluster is offered.
pub(crate) struct ClusterReport<'a> {
    pub(crate) cluster: &'a ClusterVersion,
    pub(crate) outcome: &'a Outcome,
    /// The same before a change, if a change is shown.
    pub(crate) before: Option<&'a Outcome>,
    pub(crate) arch: Arch,
    /// The version of the operator.
    pub(crate) minor: Minor,
}

impl ClusterReport<'_> {
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
        let channel = &self.cluster.spec.channel;
        writeln!(
            out,
            "A cluster with {} in {} ({}), with the operator of {}:",
            printable(&stored.desired.version),
            printable(channel),
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
            writeln!(out, "No update is recommended.")?;
        } else {
            let updates = counted(stored.available_updates.len(), "recommended update");
            writeln!(out, "{updates}:")?;
            versions(stored.available_updates.iter(), style, out)?;
        }
        for (status, why) in [
            ("False", "a risk applies"),
            ("Unknown", "the cluster cannot tell whether a risk applies"),
        ] {
            let updates = stored.conditional_updates.iter();
            let updates: Vec<&ConditionalUpdate> =
                updates.filter(|update| status_of(update) == status).collect();
            if !updates.is_empty() {
                writeln!(out)?;
                let verb = if updates.len() == 1 { "is" } else { "are" };
                let number = counted(updates.len(), "update");
                writeln!(out, "{number} {verb} not recommended, because {why}:")?;
                refused(&updates, style, out)?;
            }
        }
        Ok(())
    }
}

/// Updates that are not recommended. Those with the same reason and message come together.
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
        let names: Vec<_> = updates.first().map_or(Vec::new(), |update| named(update, verdict));
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

/// The names of the risks that a verdict is about, if its reason does not say them.
fn named<'u>(update: &'u ConditionalUpdate, verdict: &Condition) -> Vec<Cow<'u, str>> {
    let risks = update.risks.iter().flatten();
    let is_in_message = |risk: &&ObjectRisk| {
        verdict.message.contains(&format!("{} {}", risk.message, risk.url))
            || verdict.message.contains(&format!(" {} (", risk.name))
    };
    let found = risks.filter(|risk| risk.name != verdict.reason).filter(is_in_message);
    found.map(|risk| printable(&risk.name)).collect()
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
