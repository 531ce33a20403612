//! Writes the report for people.

use std::io::{self, Write};

use crate::compare::{Differences, DifferentUpdate, Offered};
use crate::domain::{Severity, Version};
use crate::text::printable;
use crate::text::words::{counted, list_all, listed};

use super::super::Style;
use super::{Cause, ComparedAnswer, ComparisonReport, Outcome};

pub(super) fn write(
    report: &ComparisonReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut equal = Vec::new();
    for answer in report.answers {
        let name = format!("{} for {}", printable(&answer.channel), answer.arch);
        match &answer.outcome {
            Outcome::Missing(why) => {
                let mark = style.mark("not compared", Some(Severity::Error));
                writeln!(out, "{mark} {name}: {}", printable(why))?;
            }
            Outcome::Compared { differences, .. } if !differences.are_none() => {
                writeln!(out, "{} {name}", style.mark("differs", Some(Severity::Warning)))?;
                write_differences(differences, out)?;
            }
            Outcome::Compared { .. } => equal.push(answer),
        }
    }
    write_equal(&equal, style, out)?;
    if let Some(cause) = &report.cause {
        writeln!(out, "\n{}", words_of(cause))?;
    }
    Ok(())
}

fn write_equal(equal: &[&ComparedAnswer], style: Style, out: &mut dyn Write) -> io::Result<()> {
    if equal.is_empty() {
        return Ok(());
    }
    let (mut updates, mut uncertain) = (0, 0);
    for answer in equal {
        if let Outcome::Compared { differences, updates: its } = &answer.outcome {
            updates += its;
            uncertain += differences.uncertain;
        }
    }
    let answers = counted(equal.len(), "answer");
    write!(out, "{} {answers} with {}", style.mark("equal", None), counted(updates, "update"))?;
    if uncertain > 0 {
        let more = counted(uncertain, "more update");
        write!(out, "; {more} may or may not exist: the prediction cannot tell")?;
    }
    writeln!(out)
}

fn write_differences(differences: &Differences, out: &mut dyn Write) -> io::Result<()> {
    let mut releases = |list: &[Version], what: &str| match list {
        [] => Ok(()),
        list => {
            let names: Vec<String> = list.iter().map(Version::to_string).collect();
            let releases = counted(list.len(), "release");
            writeln!(out, "  {releases} {what}: {}", printable(&listed(&names, "and")))
        }
    };
    releases(&differences.only_theirs, "only in the service")?;
    releases(&differences.only_ours, "only here")?;
    releases(&differences.other_channels, "with other channels")?;
    releases(&differences.other_images, "with other images")?;
    for (what, updates) in grouped(&differences.updates) {
        let names: Vec<String> =
            updates.iter().map(|update| format!("{} -> {}", update.from, update.to)).collect();
        let updates = counted(updates.len(), "update");
        writeln!(out, "  {updates} {what}: {}", printable(&listed(&names, "and")))?;
    }
    if differences.uncertain > 0 {
        let more = counted(differences.uncertain, "more update");
        writeln!(out, "  {more} may or may not exist: the prediction cannot tell")?;
    }
    if !differences.risks.is_empty() {
        let risks = counted(differences.risks.len(), "risk");
        let names = listed(&differences.risks, "and");
        writeln!(out, "  {risks} with another text or rule: {}", printable(&names))?;
    }
    Ok(())
}

/// Groups updates by their difference, in words.
fn grouped(updates: &[DifferentUpdate]) -> Vec<(String, Vec<&DifferentUpdate>)> {
    let mut groups: Vec<(String, Vec<&DifferentUpdate>)> = Vec::new();
    for update in updates {
        let what = what(&update.theirs, &update.ours);
        match groups.iter_mut().find(|(known, _)| *known == what) {
            Some((_, group)) => group.push(update),
            None => groups.push((what, vec![update])),
        }
    }
    groups
}

fn what(theirs: &Offered, ours: &Offered) -> String {
    match (theirs, ours) {
        (_, Offered::Not) => format!("only in the service, {}", how(theirs)),
        (Offered::Not, _) => format!("only here, {}", how(ours)),
        _ => format!("{} in the service and {} here", how(theirs), how(ours)),
    }
}

fn how(offered: &Offered) -> String {
    match offered {
        Offered::Not => "not offered".to_owned(),
        Offered::Open => "without risks".to_owned(),
        Offered::Conditional(names) if names.is_empty() => "with an empty list of risks".to_owned(),
        Offered::Conditional(names) => {
            let names: Vec<&String> = names.iter().collect();
            format!("with {}", printable(&list_all(&names, "and")))
        }
    }
}

fn words_of(cause: &Cause) -> String {
    match cause {
        Cause::OlderRevision { commit, left: 0, .. } => format!(
            "Likely cause: the service reads an older revision. At {commit}, all answers are equal."
        ),
        Cause::OlderRevision { commit, left, total } => format!(
            "Likely cause of some: the service reads an older revision. At {commit}, {left} of {} \
             are left.",
            counted(*total, "difference")
        ),
        Cause::NoChannel => "Likely cause: the service has no such channel, or not for this \
                             architecture. Then it answers with an empty graph."
            .to_owned(),
        Cause::NotScraped => {
            "Likely cause: the service has not found the images of these releases \
                              yet. Everything else is equal."
                .to_owned()
        }
        Cause::Unknown => "The cause is not known: no recent revision has these answers. Without \
                           `--releases`, updates are predicted from the history and may be wrong."
            .to_owned(),
    }
}
