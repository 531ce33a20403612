//! JUnit XML: one case for each file, so that test viewers show which files have errors.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::domain::Named;
use crate::rules::Finding;
use crate::text::{printable, xml as escaped};

use super::CheckReport;

pub(super) fn write(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    // A finding may be about a missing file.
    let mut cases: BTreeMap<&str, Vec<&Finding>> =
        report.files.iter().map(|path| (*path, Vec::new())).collect();
    for finding in report.findings() {
        cases.entry(report.path(&finding.place)).or_default().push(finding);
    }
    let is_failure = |f: &&Finding| report.fail_on.is_reached(f.severity);
    let fails = |findings: &&Vec<&Finding>| findings.iter().any(is_failure);
    let failures = cases.values().filter(fails).count();
    let totals = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" time=\"0\"",
        cases.len()
    );
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"exitpath\" {totals}>")?;
    writeln!(out, "  <testsuite name=\"exitpath check\" {totals}>")?;
    for (path, findings) in cases {
        write!(
            out,
            "    <testcase classname=\"exitpath\" name=\"{}\" time=\"0\"",
            escaped(&printable(path))
        )?;
        if findings.is_empty() {
            writeln!(out, "/>")?;
            continue;
        }
        writeln!(out, ">")?;
        let (errors, others): (Vec<&Finding>, Vec<&Finding>) =
            findings.into_iter().partition(is_failure);
        if let Some(first) = errors.first() {
            let message = match errors.len() {
                1 => printable(&first.message).into_owned(),
                n => format!("{} (and {} more)", printable(&first.message), n - 1),
            };
            let details: Vec<String> = errors.iter().map(|f| details(report, f)).collect();
            writeln!(
                out,
                "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                first.rule.name,
                escaped(&message),
                escaped(&details.join("\n\n"))
            )?;
        }
        if !others.is_empty() {
            let details: Vec<String> = others.iter().map(|f| details(report, f)).collect();
            writeln!(out, "      <system-out>{}</system-out>", escaped(&details.join("\n\n")))?;
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn details(report: &CheckReport<'_>, finding: &Finding) -> String {
    let mut text = format!(
        "{}: {} [{} {}]: {}",
        printable(&report.location(&finding.place)),
        finding.severity.name(),
        finding.rule.code,
        finding.rule.name,
        printable(&finding.message)
    );
    for related in finding.related.iter().take(5) {
        let line = format!("{}: {}", report.location(&related.place), related.message);
        let _ = write!(text, "\n  {}", printable(&line));
    }
    if let Some(help) = &finding.help {
        text.push_str("\n  help: ");
        text.push_str(&printable(help));
    }
    text
}
