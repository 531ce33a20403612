//! The page that a release manager signs.

use std::io::{self, Write};

use crate::certificate::Statement;
use crate::report::markup::{cell, code, escaped};
use crate::text::words::{counted, listed};

use super::{CertificateReport, FailingRelease, NOT_COVERED, TakenPath, failing};

/// The most lines of a list. The certificate has all of it.
const MOST_SHOWN: usize = 20;

pub(super) fn write(report: &CertificateReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let certificate = report.certificate;
    writeln!(out, "# Update paths of {}\n", escaped(&report.subject))?;
    writeln!(out, "| | holds | |\n| --- | --- | --- |")?;
    for statement in Statement::ALL {
        let holds = match certificate.holds(statement) {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "–",
        };
        let sentence = cell(&escaped(&report.sentence(statement)));
        writeln!(out, "| {} | {holds} | {sentence} |", statement.name())?;
    }
    writeln!(out, "\nSupported: {}.\n", escaped(&report.supported))?;
    for minor in certificate.support.iter().filter(|minor| !minor.releases.is_empty()) {
        let releases = counted(minor.releases.len(), "release");
        writeln!(out, "- {}: {releases}, because {}", minor.minor, escaped(&minor.why))?;
    }
    let failures = certificate.channels.iter().flat_map(failing);
    let failures = failures.filter_map(|FailingRelease { channel, aim, failure }| {
        let (graph, _) = channel.graph.as_ref()?;
        let sets = failure.sets.iter().map(|set| match set.as_slice() {
            [] => "no update leads there, even without risks".to_owned(),
            set => {
                let risks: Vec<String> = report.names(set).into_iter().map(code).collect();
                let why = report.why_impossible(set).map(|why| format!(" (but {})", escaped(&why)));
                listed(&risks, "and") + &why.unwrap_or_default()
            }
        });
        let (release, name) = (graph.version(failure.release), code(channel.name));
        let sets = sets.collect::<Vec<_>>().join("; or ");
        Some(format!("{release} in {name} to {}: {sets}", aim.minor))
    });
    write_section("Releases without a path", failures, out)?;
    let lost = report.lost().map(|TakenPath { channel, release, target }| {
        format!("{release} in {}: there was a path to {target}", code(channel.name))
    });
    write_section("Lost paths", lost, out)?;
    let unproved = report.unproved().map(|(risks, note)| {
        let risks: Vec<String> = risks.into_iter().map(code).collect();
        format!("{}: {}", listed(&risks, "and"), escaped(note))
    });
    write_section("Queries that are not proved", unproved, out)?;
    writeln!(out, "\n{} ({}).", report.updates(), escaped(&report.updates_from))?;
    let digests = certificate.channels.iter().filter(|channel| channel.graph.is_some()).count();
    writeln!(
        out,
        "The certificate has the digests of {}. Its own SHA-256 is `{}`.",
        counted(digests, "graph"),
        report.digest
    )?;
    writeln!(out, "\nIt does not cover:\n")?;
    for what in NOT_COVERED {
        writeln!(out, "- {what}")?;
    }
    writeln!(out, "\nSigned: ____________________  on: ____________________")
}

/// Writes the first of some texts under a heading.
fn write_section(
    title: &str,
    texts: impl Iterator<Item = String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let texts: Vec<String> = texts.collect();
    if !texts.is_empty() {
        writeln!(out, "\n## {title}\n")?;
    }
    for text in texts.iter().take(MOST_SHOWN) {
        writeln!(out, "- {text}")?;
    }
    if texts.len() > MOST_SHOWN {
        writeln!(out, "- and {} more", texts.len() - MOST_SHOWN)?;
    }
    Ok(())
}
