//! Reports must be safe to print.

use exitpath::testing::domain::{FailOn, Named};
use exitpath::testing::lint::Outcome;
use exitpath::testing::report::{CheckReport, Listing, Printed, Style};
use exitpath::testing::text::{Sources, is_printable};

/// Writes a report in one format, and fails if it has characters that a terminal obeys. The input
/// decides on the format: all of them would take most of the time.
pub fn expect_safe(sources: &Sources, outcome: &Outcome, path: &str, input: &[u8]) {
    let report = CheckReport {
        sources,
        outcome,
        remarks: &[],
        change: None,
        files: vec![path],
        prefix: String::new(),
        fail_on: FailOn::Never,
        listing: Listing::Everything,
        catalogs: Vec::new(),
    };
    let sum: usize = input.iter().map(|byte| usize::from(*byte)).sum();
    let formats = CheckReport::formats();
    let format = formats[sum % formats.len()];
    let style = Style { color: false, width: Some(80), quiet: false, terminal: false };
    let mut out = Vec::new();
    report.write(format, style, &mut out).expect("writing to memory");
    let text = String::from_utf8(out).expect("output is text");
    assert!(text.chars().all(|c| c == '\n' || is_printable(c)), "{}", format.name());
}
