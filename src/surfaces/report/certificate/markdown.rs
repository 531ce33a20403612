//! The page that a release manager signs.

use std::io::{self, Write};

use crate::certificate::Statement;
use crate::report::markup::{cell, code, escaped};
use crate::text::words::{counted, listed};

use super::{CertificateReport, NOT_COVERED, failing};

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
    let failures: Vec<_> = certificate.channels.iter().flat_map(failing).collect();
    if !failures.is_empty() {
        writeln!(out, "\n## Releases without a path\n")?;
    }
    for (channel, aim, failure) in failures.iter().take(MOST_SHOWN) {
        let Some((graph, _)) = &channel.graph else { continue };
        let sets = failure.sets.iter().map(|set| match set.as_slice() {
            [] => "no update leads there, even without risks".to_owned(),
            set => listed(&report.names(set).into_iter().map(code).collect::<Vec<_>>(), "and"),
        });
        let (release, name) = (graph.version(failure.release), code(channel.name));
        let sets = sets.collect::<Vec<_>>().join("; or ");
        writeln!(out, "- {release} in {name} to {}: {sets}", aim.minor)?;
    }
    if failures.len() > MOST_SHOWN {
        writeln!(out, "- and {} more", failures.len() - MOST_SHOWN)?;
    }
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
