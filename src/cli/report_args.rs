//! The flags that say how a report is printed, and where. clap prints the doc comments in this file
//! as help.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Format;
use crate::report::{Printed, Style};

use super::choice::format_in;
use super::{Stop, output};

/// The formats are those of the report.
#[derive(ClapArgs)]
pub(super) struct ReportArgs<R: Printed> {
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&R::formats()), default_value = "human")]
    pub(super) format: Format,
    /// Write the report to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[arg(skip)]
    report: PhantomData<fn(&R)>,
}

impl<R: Printed> ReportArgs<R> {
    pub(super) fn print<P: Printed>(
        &self,
        report: &P,
        style: Style,
        out: &mut dyn Write,
    ) -> Result<(), Stop> {
        output::report(self.output.as_deref(), style, out, |style, out| {
            report.write(self.format, style, out)
        })
    }
}

impl<R: Printed> fmt::Debug for ReportArgs<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReportArgs")
            .field("format", &self.format)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
