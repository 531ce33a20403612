//! A report that is also a page.

use std::io::{self, Write};

use crate::domain::{Format, Named};
use crate::report::{Printed, Style, Writer};

use super::{Exploration, page};

/// A report, and a page about the same graph.
#[derive(Debug)]
pub(crate) struct Explored<'e, R> {
    pub report: R,
    pub exploration: Exploration<'e>,
}

impl<R: Printed> Printed for Explored<'_, R> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        (format == Format::Html)
            .then_some(|explored, _, out| out.write_all(page(&explored.exploration).as_bytes()))
    }

    fn formats() -> Vec<Format> {
        let has = |format: &Format| *format == Format::Html || R::writer(*format).is_some();
        Format::ALL.iter().copied().filter(has).collect()
    }

    fn write(&self, format: Format, style: Style, out: &mut dyn Write) -> io::Result<()> {
        match Self::writer(format) {
            Some(writer) => writer(self, style, out),
            None => self.report.write(format, style, out),
        }
    }
}
