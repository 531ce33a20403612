//! Series as exporters write them: Prometheus's text format, and OpenMetrics.
//!
//! A malformed line is reported, and the others are still read.

mod line;

use super::labels::Labels;
use super::series::{Inserted, Point, Store};

/// The series of a text, and the lines that are not read.
#[derive(Clone, Debug, Default)]
pub struct Exposition {
    /// The series.
    pub store: Store,
    /// The lines that are not read, in their order.
    pub malformed: Vec<Malformed>,
}

/// A line that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Its number, from 1.
    pub line: usize,
    /// The column at fault, from 1, in characters.
    pub column: usize,
    /// What belongs there.
    pub expected: String,
}

/// Timestamps are seconds in OpenMetrics, and milliseconds in Prometheus's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    OpenMetrics,
    Prometheus,
}

/// Reads series. Samples without a time get the given one, in milliseconds since 1970.
#[must_use]
pub fn read(text: &str, time: i64) -> Exposition {
    // Only OpenMetrics ends with a mark, and has to.
    let marked = text.lines().rev().find(|line| !line.trim().is_empty());
    let format = match marked.map(str::trim) {
        Some("# EOF") => Format::OpenMetrics,
        _ => Format::Prometheus,
    };
    let mut exposition = Exposition::default();
    for (i, written) in text.lines().enumerate() {
        if written.trim().is_empty() || written.trim_start().starts_with('#') {
            continue;
        }
        let fault = match line::sample(written, format) {
            Ok((labels, value, at)) => {
                exposition.insert(labels, Point { time: at.unwrap_or(time), value })
            }
            Err(fault) => Some(fault),
        };
        if let Some((at, expected)) = fault {
            let column = written.get(..at).map_or(0, |before| before.chars().count()) + 1;
            exposition.malformed.push(Malformed { line: i + 1, column, expected });
        }
    }
    exposition
}

impl Exposition {
    /// Adds a sample. A second value for one time is a fault at the line's start.
    fn insert(&mut self, labels: Labels, point: Point) -> Option<(usize, String)> {
        let conflict = self.store.insert(labels, point) == Inserted::Conflict;
        conflict.then(|| (0, "another time, because this series has another value then".into()))
    }
}
