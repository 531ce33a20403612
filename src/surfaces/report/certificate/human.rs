//! The summary of a certificate.

use std::io::{self, Write};

use crate::certificate::Statement;
use crate::domain::{Named, Severity};
use crate::report::Style;
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::{CertificateReport, failing};

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
    let failures: Vec<_> = certificate.channels.iter().flat_map(failing).collect();
    for (channel, aim, failure) in failures.iter().take(MOST_SHOWN) {
        let Some((graph, _)) = &channel.graph else { continue };
        let (release, name) = (graph.version(failure.release), printable(channel.name));
        let (goal, minor) = (aim.goal.name(), aim.minor);
        writeln!(out, "\n  {release} in {name} ({}): {goal} {minor}", channel.architectures)?;
        for set in &failure.sets {
            let what = match set.as_slice() {
                [] => "there is no path, even without risks".to_owned(),
                set => format!("stranded by {}", printable(&listed(&report.names(set), "and"))),
            };
            writeln!(out, "    {what}")?;
        }
    }
    if failures.len() > MOST_SHOWN {
        let more = counted(failures.len() - MOST_SHOWN, "release");
        writeln!(out, "\n  and {more} more: the certificate has all of them")?;
    }
    writeln!(out, "\nSupported: {}.", report.supported)?;
    writeln!(out, "{}.", report.updates())?;
    for not_loaded in report.not_loaded {
        writeln!(out, "The service does not load it: {}.", printable(not_loaded))?;
    }
    Ok(())
}
