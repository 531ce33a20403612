//! The text of a `.series` file: a series with its values on each line.
//!
//! Comments start with `#`. The first one is the title, and `# cluster-id: ID` is the id of a
//! hosted cluster.

use crate::promql::{LineFault, Malformations, series_labels};

use super::fault::FaultyPart;
use super::series::Series;

/// The default time of queries over such series: 2026-11-01T12:00:00Z. The series have no times of
/// their own, and their answers should be the same every day.
pub const FIXED_TIME: i64 = 1_793_534_400_000;

/// The content of a `.series` file.
#[derive(Clone, Debug)]
pub struct SeriesText {
    /// The series.
    pub series: Series,
    /// The lines that could not be read.
    pub malformed: Malformations,
}

impl SeriesText {
    /// Reads a text, for a query at a time in milliseconds since 1970.
    pub fn read(text: &str, time: Option<i64>) -> Self {
        let mut series = Series::at(time.unwrap_or(FIXED_TIME));
        let mut malformed = Malformations::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = if number == 1 { line.trim_start_matches('\u{FEFF}') } else { line };
            if let Some(comment) = comment(line) {
                if let Some(id) = comment.strip_prefix("cluster-id:") {
                    series.cluster_id = Some(id.trim().to_owned()).filter(|id| !id.is_empty());
                }
            } else if !line.trim().is_empty()
                && let Err(fault) = add(&mut series, line)
            {
                malformed.add(number, line, fault);
            }
        }
        Self { series, malformed }
    }
}

/// The title of a text: its first comment.
pub(super) fn title(text: &str) -> &str {
    text.lines().find_map(comment).unwrap_or_default()
}

fn comment(line: &str) -> Option<&str> {
    line.trim().strip_prefix('#').map(str::trim)
}

fn add(series: &mut Series, line: &str) -> Result<(), LineFault> {
    let (_, end) = series_labels(line)?;
    let (labels, values) = line.split_at(end);
    series.add_new(labels, values).map_err(|fault| match fault.part {
        FaultyPart::Series => LineFault::new(fault.at, fault.expected),
        FaultyPart::Values => LineFault::new(end + fault.at, fault.expected),
    })
}
