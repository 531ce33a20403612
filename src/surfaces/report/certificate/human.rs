//! The summary of a certificate.

use std::io::{self, Write};

use crate::certificate::Statement;
use crate::domain::{Named, Severity};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::{CertificateReport, FailingRelease, TakenPath, failing};

/// The most failures that the summary shows. The certificate has all of them.
const MOST_SHOWN: usize = 10;

pub(super) fn write(
    report: &CertificateReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let certificate = report.certificate;
    writeln!(out, "A certificate for {}:", printable(&report.subject))?;
    for statement in Statement::ALL {
        let mark = match certificate.holds(statement) {
            Some(true) => style.mark("✓", None),
            Some(false) => style.mark("✗", Some(Severity::Error)),
            None => "·".to_owned(),
        };
        writeln!(out, "{mark} {}: {}", statement.name(), report.sentence(statement))?;
    }
    if style.quiet {
        return Ok(());
    }
    let failures = certificate.channels.iter().flat_map(failing);
    write_some(failures.filter_map(|failure| failure_in_words(report, failure)), "release", out)?;
    let lost = report.lost().map(|TakenPath { channel, release, target }| {
        let (name, architectures) = (printable(channel.name), channel.architectures);
        format!("{release} in {name} ({architectures}): there was a path to {target}")
    });
    write_some(lost, "path", out)?;
    let unproved = report
        .unproved()
        .map(|(risks, note)| format!("{}: {}", printable(&listed(&risks, "and")), printable(note)));
    write_some(unproved, "query", out)?;
    writeln!(out, "\nSupported: {}.", report.supported)?;
    writeln!(out, "{}.", report.updates())?;
    for not_loaded in report.not_loaded {
        writeln!(out, "The service does not load it: {}.", printable(not_loaded))?;
    }
    Ok(())
}

/// Writes the first of some texts.
fn write_some(
    texts: impl Iterator<Item = String>,
    noun: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let texts: Vec<String> = texts.collect();
    for (nth, text) in texts.iter().take(MOST_SHOWN).enumerate() {
        let gap = if nth == 0 { "\n" } else { "" };
        writeln!(out, "{gap}  {text}")?;
    }
    if texts.len() > MOST_SHOWN {
        let more = counted(texts.len() - MOST_SHOWN, noun);
        writeln!(out, "  and {more} more: the certificate has all of them")?;
    }
    Ok(())
}

/// A release without a path, and the sets that strand it.
fn failure_in_words(report: &CertificateReport<'_>, failing: FailingRelease<'_>) -> Option<String> {
    let FailingRelease { channel, aim, failure } = failing;
    let (graph, _) = channel.graph.as_ref()?;
    let (release, name) = (graph.version(failure.release), printable(channel.name));
    let (goal, minor) = (aim.goal.name(), aim.minor);
    let head = format!("{release} in {name} ({}): {goal} {minor}", channel.architectures);
    let sets = failure.sets.iter().map(|set| match set.as_slice() {
        [] => "there is no path, even without risks".to_owned(),
        set => {
            let risks = listed(&report.names(set), "and");
            let why = report.why_impossible(set).map(|why| format!(" (but {})", printable(&why)));
            format!("stranded by {}{}", printable(&risks), why.unwrap_or_default())
        }
    });
    Some([head].into_iter().chain(sets).collect::<Vec<_>>().join("\n    "))
}
