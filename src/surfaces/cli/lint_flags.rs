//! What `check` and `catalog check` do with the flags that they share.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::domain::{FailOn, Format, Named, Severity};
use crate::lint::{Config, Outcome, Selection};
use crate::report::{CheckReport, Listing, Printed, Style};
use crate::session::{Note, Settings, SettingsRequest};
use crate::text::words::counted;
use crate::text::{Failure, printable};

use super::common_args::CommonArgs;
use super::lint_args::LintArgs;
use super::{Status, Stop, output, print};

/// The format, and the file. None for standard output.
pub(super) type Output = (Format, Option<PathBuf>);

impl LintArgs {
    /// `--select` and `--ignore`.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let words =
            |words: &[String]| Selection::of(words).map_err(|e| Failure::new(e.to_string()));
        let selection =
            if self.select.is_empty() { Selection::default() } else { words(&self.select)? };
        Ok(if self.ignore.is_empty() {
            selection
        } else {
            selection.without(&words(&self.ignore)?)
        })
    }

    /// The settings of a check in a folder: of `base`, if there is one, or of what is checked.
    pub(super) fn settings(
        &self,
        root: &Path,
        base: Option<&str>,
        revision: Option<&str>,
    ) -> Result<Settings, Failure> {
        Settings::read(&SettingsRequest {
            root,
            baseline: self.baseline.as_deref(),
            writes_baseline: self.write_baseline,
            base,
            revision,
            config_from: self.config_from,
        })
    }

    pub(super) fn listing(&self) -> Listing {
        match (self.statistics, self.info) {
            (true, _) => Listing::Statistics,
            (_, true) => Listing::Everything,
            _ => Listing::Worst,
        }
    }

    pub(super) fn fail_on(&self, config: &Config) -> FailOn {
        self.fail_on.or(config.fail_on).unwrap_or(FailOn::AtLeast(Severity::Error))
    }

    /// `--format` and `--output`: which reports are written where.
    pub(super) fn outputs(&self) -> Result<Vec<Output>, Failure> {
        outputs(self.format, &self.output)
    }
}

/// Writes a baseline with a number of findings, and says how to use it.
pub(super) fn write_baseline(
    file: &Path,
    text: &str,
    findings: usize,
    is_configured: bool,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    output::write_file(file, text)?;
    let (findings, file) = (counted(findings, "finding"), file.display().to_string());
    writeln!(err, "exitpath: wrote {findings} to {}", printable(&file))?;
    if !is_configured {
        writeln!(
            err,
            "          use it with `--baseline`, or `baseline = \"…\"` in exitpath.toml"
        )?;
    }
    Ok(Status::Clean)
}

/// Adds a remark on the findings that only comments of the change allow, and prints it. Returns the
/// texts of all remarks.
pub(super) fn remarks(
    remarks: &mut Vec<Note>,
    outcome: &Outcome,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<Vec<String>, Stop> {
    if outcome.newly_allowed > 0 {
        let findings = counted(outcome.newly_allowed, "finding");
        let text = format!("comments of this change allow {findings}");
        remarks.push(Note { text, is_important: true });
        print::notes(&remarks[remarks.len() - 1..], common, err)?;
    }
    Ok(remarks.iter().map(|remark| remark.text.clone()).collect())
}

pub(super) fn status(fail_on: FailOn, outcome: &Outcome) -> Status {
    let findings = &outcome.findings;
    Status::failed_if(findings.iter().any(|finding| fail_on.is_reached(finding.severity)))
}

fn outputs(format: Format, files: &[String]) -> Result<Vec<Output>, Failure> {
    let named = |name: &str| {
        let formats = CheckReport::formats();
        formats.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
            let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
            let failure = Failure::new(format!("there is no format `{name}`"));
            failure.hint(format!("the formats are {}", names.join(", ")))
        })
    };
    let mut outputs = Vec::new();
    let mut to_stdout = true;
    for output in files {
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase());
        let (format, file) = match output.split_once('=') {
            Some((name, file)) if is_name(name) => (named(name)?, file),
            _ => {
                to_stdout = false;
                (format, output.as_str())
            }
        };
        if file == "-" {
            to_stdout = false;
            outputs.push((format, None));
        } else {
            outputs.push((format, Some(PathBuf::from(file))));
        }
    }
    if to_stdout {
        outputs.push((format, None));
    }
    Ok(outputs)
}

/// Writes a report in all formats that were asked for.
pub(super) fn write(
    report: &CheckReport<'_>,
    outputs: &[Output],
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    for (format, file) in outputs {
        output::print(file.as_deref(), style, out, |style, out| report.write(*format, style, out))?;
    }
    Ok(())
}
