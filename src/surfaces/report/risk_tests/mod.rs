//! The report of `test`: which tests of risks failed, and why.

mod github;
mod human;
mod json;
mod junit;

use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use crate::risks::{Tested, TestedFile};
use crate::text::words::counted;
use crate::text::{Position, Sources, Span};

/// What the tests of risks found.
#[derive(Debug)]
pub(crate) struct TestReport<'a> {
    pub sources: &'a Sources,
    pub tested: Tested<'a>,
    /// The repository's folder relative to the working directory, ending in `/`.
    pub prefix: String,
}

impl Printed for TestReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            Format::Github => |report, _, out| github::write(report, out),
            Format::Junit => |report, _, out| junit::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl TestReport<'_> {
    /// How many tests there are. A file that cannot be read counts as one.
    pub(crate) fn count(&self) -> usize {
        self.tested.files.iter().map(|file| file.results.as_ref().map_or(1, Vec::len)).sum()
    }

    /// How many tests failed. A file that cannot be read counts as one.
    pub(crate) fn failed(&self) -> usize {
        let failed = |file: &TestedFile<'_>| match &file.results {
            Ok(results) => results.iter().filter(|result| result.failed()).count(),
            Err(_) => 1,
        };
        self.tested.files.iter().map(failed).sum()
    }

    /// How many tests neither passed nor failed.
    pub(crate) fn not_decided(&self) -> usize {
        let results =
            self.tested.files.iter().filter_map(|file| file.results.as_ref().ok()).flatten();
        results.filter(|result| result.is_open()).count()
    }

    /// Whether no test failed, and at least one has a verdict.
    pub(crate) fn passed(&self) -> bool {
        self.failed() == 0 && self.not_decided() < self.count()
    }

    fn verdict(&self) -> String {
        let (count, failed, open) = (self.count(), self.failed(), self.not_decided());
        let all =
            format!("{} in {}", counted(count, "test"), counted(self.tested.files.len(), "file"));
        let not_decided = match open {
            0 => String::new(),
            open => format!(", {open} not decided"),
        };
        match (failed, open) {
            (0, 0) => format!("{all} passed"),
            (0, open) => format!("{} of {all} passed{not_decided}", count - open),
            (failed, _) => format!("{failed} of {all} failed{not_decided}"),
        }
    }

    /// The location of a test, such as `risk-tests/A.yaml:12:3`.
    fn location(&self, path: &str, place: Option<&Span>) -> String {
        match place {
            Some(place) => {
                let start = self.position(place);
                format!("{}{path}:{}:{}", self.prefix, start.line, start.column)
            }
            None => format!("{}{path}", self.prefix),
        }
    }

    fn position(&self, place: &Span) -> Position {
        self.sources.get(place.source).position(place.start)
    }
}
