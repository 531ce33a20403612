//! `--format` and `--output`: which reports are written where.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::args::CheckArgs;
use crate::cli::print;
use crate::domain::Named;
use crate::report::{CheckFormat, CheckReport, Style};
use crate::session::Failure;

use super::Stop;

/// The format, and the file. None for standard output.
pub(super) type Output = (CheckFormat, Option<PathBuf>);

pub(super) fn outputs(args: &CheckArgs) -> Result<Vec<Output>, Failure> {
    let named = |name: &str| {
        CheckFormat::named(name).ok_or_else(|| {
            let names: Vec<&str> = CheckFormat::names().collect();
            let failure = Failure::new(format!("there is no format `{name}`"));
            failure.hint(format!("the formats are {}", names.join(", ")))
        })
    };
    let format = args.format;
    let mut outputs = Vec::new();
    let mut to_stdout = true;
    for output in &args.output {
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

pub(super) fn write(
    report: &CheckReport<'_>,
    outputs: &[Output],
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    for (format, file) in outputs {
        print::report(file.as_deref(), style, out, |style, out| report.write(*format, style, out))?;
    }
    Ok(())
}
