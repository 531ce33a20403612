//! JUnit XML: one case for each test.

use std::io::{self, Write};

use crate::risks::{TestOutcome, TestedFile};
use crate::text::{printable, xml};

use super::{TestReport, human};

pub(super) fn write(report: &TestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (count, failed, open) = (report.count(), report.failed(), report.not_decided());
    let totals = format!(
        "tests=\"{count}\" failures=\"{failed}\" errors=\"0\" skipped=\"{open}\" time=\"0\""
    );
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"exitpath\" {totals}>")?;
    writeln!(out, "  <testsuite name=\"exitpath test\" {totals}>")?;
    for file in &report.tested.files {
        write_file(report, file, out)?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn write_file(
    report: &TestReport<'_>,
    file: &TestedFile<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match &file.results {
        Ok(results) => {
            for result in results {
                let name = format!("{}: {}", result.risk, result.name);
                if let Some(doubt) = result.doubt() {
                    write_skipped(file.path, &name, &doubt, out)?;
                    continue;
                }
                let failed = result.failure().map(|message| {
                    let kind = match result.outcome {
                        TestOutcome::Invalid(_) => "invalid",
                        TestOutcome::Differs { .. } => "clusters",
                        _ => "verdict",
                    };
                    Failed { kind, message, details: human::details(report, file.path, result) }
                });
                write_case(file.path, &name, failed, out)?;
            }
            Ok(())
        }
        Err(faults) => {
            let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
            let place = faults.first().and_then(|fault| fault.place.as_ref());
            let details = report.location(file.path, place);
            let failed = Failed { kind: "invalid", message: messages.join("; "), details };
            write_case(file.path, file.path, Some(failed), out)
        }
    }
}

/// Why a case failed.
struct Failed {
    kind: &'static str,
    message: String,
    details: String,
}

/// A test that neither passed nor failed.
fn write_skipped(class: &str, name: &str, why: &str, out: &mut dyn Write) -> io::Result<()> {
    let [class, name, why] = [class, name, why].map(|text| xml(&printable(text)));
    writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\">")?;
    writeln!(out, "      <skipped message=\"{why}\"/>\n    </testcase>")
}

fn write_case(
    class: &str,
    name: &str,
    failed: Option<Failed>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (class, name) = (xml(&printable(class)), xml(&printable(name)));
    write!(out, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\"")?;
    let Some(Failed { kind, message, details }) = failed else { return writeln!(out, "/>") };
    let message = printable(&message);
    writeln!(out, ">")?;
    writeln!(
        out,
        "      <failure type=\"{kind}\" message=\"{}\">{}</failure>",
        xml(&message),
        xml(&details)
    )?;
    writeln!(out, "    </testcase>")
}
