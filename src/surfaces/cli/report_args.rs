//! The flags that say how a report is printed, and where. clap prints the doc comments in this file
//! as help.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;

use clap::Args as ClapArgs;

use crate::domain::Format;
use crate::report::{Printed, Style};

use super::Stop;
use super::choice::format_in;
use super::output::OutputArgs;

/// The formats are those of the report.
#[derive(ClapArgs)]
pub(super) struct ReportArgs<R: Printed> {
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&R::formats()), default_value = "human")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) output: OutputArgs,
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
        self.output.print(style, out, |style, out| report.write(self.format, style, out))
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
