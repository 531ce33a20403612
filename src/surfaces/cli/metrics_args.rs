//! The flags that name the series of which queries are asked.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use crate::domain::Named;
use crate::metrics::{SampleCluster, Series, SeriesFile, Server, Source, is_standard_input, now};
use crate::promql::{Dialect, Malformations};
use crate::session::Note;
use crate::text::words::{grouped, list_all};
use crate::text::{Failure, printable};

use super::access_args::AccessArgs;
use super::values::{expected, time};

/// The most lines that are listed. Further ones are only counted.
const MOST_LINES: usize = 8;

#[derive(Debug, ClapArgs)]
pub(super) struct MetricsArgs {
    /// Evaluate over the series in FILE: what an exporter writes, an answer of Prometheus's API, or
    /// a FILE.series with series as promtool's unit tests write them. `-` is standard input.
    #[arg(long, value_name = "FILE", group = "series")]
    metrics: Option<PathBuf>,
    /// Evaluate over the series of a sample cluster, such as aws or none.
    #[arg(long, value_name = "NAME", group = "series")]
    sample: Option<String>,
    /// Ask the Prometheus or Thanos at this address.
    #[arg(long, value_name = "URL", groups = ["series", "server"])]
    url: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
    /// The time of the query: seconds since 1970, or 2026-01-01T12:00:00Z. Default: the time of the
    /// newest sample if every sample has a time, or else now. The series of a sample cluster or a
    /// FILE.series move to this time.
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    time: Option<i64>,
    /// The version of Prometheus to evaluate as: 2 or 3. Default: 3.
    #[arg(long, value_name = "VERSION", value_parser = dialect, conflicts_with = "url")]
    prometheus: Option<Dialect>,
}

/// As which version of Prometheus queries are evaluated.
#[derive(Debug, ClapArgs)]
pub(super) struct PrometheusArgs {
    /// The version of Prometheus to evaluate as: 2 or 3. Default: 3.
    #[arg(long, value_name = "VERSION", value_parser = dialect)]
    prometheus: Option<Dialect>,
}

impl PrometheusArgs {
    pub(super) fn dialect(&self) -> Dialect {
        self.prometheus.unwrap_or(Dialect::Three)
    }
}

fn dialect(text: &str) -> Result<Dialect, Failure> {
    let dialect = match text {
        "2" => Some(Dialect::Two),
        "3" => Some(Dialect::Three),
        _ => None,
    };
    expected(dialect, "a version of PromQL", "2 or 3")
}

impl MetricsArgs {
    pub(super) fn is_of_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// Whether the flags name series.
    pub(super) fn is_given(&self) -> bool {
        self.sample.is_some() || self.metrics.is_some() || self.url.is_some()
    }

    /// The time that the flags name, in milliseconds since 1970.
    pub(super) fn time(&self) -> Option<i64> {
        self.time
    }

    /// No series, at the time that the flags name.
    pub(super) fn no_series(&self) -> Series {
        Series::at(self.time.unwrap_or_else(now))
    }

    /// The series that the flags name, and notes about them.
    pub(super) fn source(&self) -> Result<(Source, Vec<Note>), Failure> {
        let dialect = self.prometheus.unwrap_or(Dialect::Three);
        if let Some(name) = &self.sample {
            let unknown = || {
                let names: Vec<&str> = SampleCluster::names().collect();
                Failure::unknown("sample cluster", name, names.iter().copied())
                    .or_hint(format!("the sample clusters are {}", list_all(&names, "and")))
            };
            let sample = SampleCluster::named(name).ok_or_else(unknown)?;
            return Ok((Source::Series(sample.series(self.time), dialect), Vec::new()));
        }
        if let Some(file) = &self.metrics {
            return of_file(file, self.time, dialect);
        }
        if let Some(url) = &self.url {
            return of_server(url, &self.access, self.time);
        }
        Err(no_source())
    }
}

fn of_file(
    file: &Path,
    time: Option<i64>,
    dialect: Dialect,
) -> Result<(Source, Vec<Note>), Failure> {
    let read = SeriesFile::read(file, time)?;
    let mut notes: Vec<Note> = read.notes.into_iter().map(important).collect();
    notes.extend(malformed(file, &read.malformed));
    Ok((Source::Series(read.series, dialect), notes))
}

pub(super) fn of_server(
    url: &str,
    access: &AccessArgs,
    time: Option<i64>,
) -> Result<(Source, Vec<Note>), Failure> {
    let (server, notes) = Server::open(&access.request(url, time))?;
    Ok((Source::Server(server), notes.into_iter().map(important).collect()))
}

/// The series of a file, or of a server if the text is an address.
pub(super) fn dump_or_server(
    text: &str,
    access: &AccessArgs,
) -> Result<(Source, Vec<Note>), Failure> {
    if ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) {
        of_server(text, access, None)
    } else {
        of_file(Path::new(text), None, Dialect::Three)
    }
}

fn no_source() -> Failure {
    Failure::new("there are no series to evaluate the query over").hint(
        "name a sample cluster (`--sample aws`), a file (`--metrics FILE`), or a server (`--url URL`)",
    )
}

fn important(text: impl Into<String>) -> Note {
    Note { text: printable(&text.into()).into_owned(), is_important: true }
}

/// The lines that are not read: an answer without their series can be wrong.
fn malformed(file: &Path, malformed: &Malformations) -> Vec<Note> {
    let name =
        if is_standard_input(file) { "standard input".into() } else { file.display().to_string() };
    let lines = malformed.first.iter().take(MOST_LINES).map(|fault| {
        let (line, column, expected) = (fault.line, fault.column, &fault.expected);
        important(format!("{name}:{line}:{column}: expected {expected}; this line is skipped"))
    });
    let mut notes: Vec<Note> = lines.collect();
    let more = malformed.count() - notes.len();
    if more > 0 {
        notes.push(important(format!("and {} more like this", grouped(more))));
    }
    notes
}
