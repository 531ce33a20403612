//! Series as exporters write them: Prometheus's text format, and OpenMetrics.
//!
//! A malformed line is reported, and the others are still read. A file can have millions of series,
//! so one line is in memory at a time.

mod cursor;
mod lines;
mod malformed;
mod sample;

use std::io::{self, BufRead};

use super::interner::Interner;
use super::labels::Labels;
use super::series::{Inserted, Point, Store};
use lines::{Lines, ReadLine};

pub use malformed::{LineFault, Malformations, Malformed};

/// The series of a text, and the lines that are not read.
#[derive(Clone, Debug, Default)]
pub struct Exposition {
    /// The series.
    pub store: Store,
    /// The lines that are not read.
    pub malformed: Malformations,
    /// The time of the newest sample that has one, in milliseconds since 1970.
    pub newest: Option<i64>,
    /// How many samples have no time.
    pub untimed: usize,
}

/// Timestamps are seconds in OpenMetrics, and milliseconds in Prometheus's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The format with an end marker.
    OpenMetrics,
    /// The format that every exporter writes.
    Prometheus,
}

impl Format {
    /// Detects the format by the end of a text.
    pub fn of_end(end: &[u8]) -> Self {
        // Only OpenMetrics has an end marker, and it is mandatory.
        let end = end.trim_ascii_end();
        let line = end.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if line.trim_ascii() == b"# EOF" { Self::OpenMetrics } else { Self::Prometheus }
    }
}

/// Why nothing was read.
#[derive(Debug)]
pub enum ReadError {
    /// The reader failed.
    Io(io::Error),
    /// The text has more than this limit, in words.
    More(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::More(most) => write!(f, "the series have more than {most}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads the series in a text, whose format shows at its end. Samples without a time get `time`, in
/// milliseconds since 1970.
pub fn read(text: impl AsRef<[u8]>, time: i64) -> Result<Exposition, ReadError> {
    let text = text.as_ref();
    read_from(text, Format::of_end(text), time)
}

/// The limits of what is kept in memory for one text.
#[derive(Clone, Copy, Debug)]
struct Most {
    samples: usize,
    series: usize,
    bytes: usize,
}

/// The largest clusters have about two million series.
const MOST: Most = Most { samples: 20_000_000, series: 5_000_000, bytes: 1 << 30 };

/// Reads series. Samples without a time get `time`, in milliseconds since 1970.
pub fn read_from(reader: impl BufRead, format: Format, time: i64) -> Result<Exposition, ReadError> {
    let mut exposition = Exposition::default();
    let mut interner = Interner::default();
    let mut labels = Vec::new();
    let mut lines = Lines::new(reader);
    let (mut number, mut samples) = (0, 0);
    while let Some(line) = lines.next().map_err(ReadError::Io)? {
        number += 1;
        let malformed = &mut exposition.malformed;
        let text = match line {
            ReadLine::TooLong => {
                malformed.add(number, "", LineFault::new(0, "a line of at most 1 MiB"));
                continue;
            }
            ReadLine::Whole(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => {
                    let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                    let fault = LineFault::new(before.len(), "valid UTF-8");
                    malformed.add(number, &before, fault);
                    continue;
                }
            },
        };
        let text = if number == 1 { text.trim_start_matches('\u{FEFF}') } else { text };
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        match sample::sample(text, format, &mut labels) {
            Ok((value, at)) => {
                let labels = interner.labels(labels.iter().map(|label| label.of(text)));
                let point = Point { time: at.unwrap_or(time), value };
                if exposition.store.insert(labels, point) == Inserted::Conflict {
                    let expected = "another time, because this series has another value then";
                    malformed.add(number, text, LineFault::new(0, expected));
                } else {
                    exposition.newest = exposition.newest.max(at);
                    exposition.untimed += usize::from(at.is_none());
                }
                samples += 1;
            }
            Err(fault) => malformed.add(number, text, fault),
        }
        check_size(samples, exposition.store.len(), interner.bytes())?;
    }
    Ok(exposition)
}

fn check_size(samples: usize, series: usize, bytes: usize) -> Result<(), ReadError> {
    let most = if samples > MOST.samples {
        format!("{} million samples", MOST.samples / 1_000_000)
    } else if series > MOST.series {
        format!("{} million series", MOST.series / 1_000_000)
    } else if bytes > MOST.bytes {
        format!("{} MiB of labels", MOST.bytes >> 20)
    } else {
        return Ok(());
    };
    Err(ReadError::More(most))
}

/// Reads the labels of a series in the notation of queries, which allows more kinds of quotes. Also
/// returns where they end.
pub fn series_labels(text: &str) -> Result<(Labels, usize), LineFault> {
    let mut cursor = cursor::Cursor::of_notation(text);
    cursor.skip_space();
    let mut labels = Vec::new();
    cursor.labels(&mut labels)?;
    Ok((Labels::new(labels.iter().map(|label| label.of(text))), cursor.at))
}
