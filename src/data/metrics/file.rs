//! Reads the series that a user names: a `.series` file, what an exporter writes, or a saved answer
//! of Prometheus's API.

use std::fs::{File, FileType};
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom};
use std::path::Path;

use crate::promql::{Exposition, Format, Malformations, ReadError, read, read_from};

use crate::text::{Failure, read_up_to};

use super::clock::now;
use super::saved_answer;
use super::series::Series;
use super::series_text::SeriesText;

/// The size of the largest input that must be in memory as a whole, in bytes.
const MOST: u64 = 256 << 20;

/// How many bytes at the start and at the end of a file are read to detect its format.
const ENDS: u64 = 4 << 10;

/// The series of a file.
#[derive(Clone, Debug)]
pub struct SeriesFile {
    /// The series.
    pub series: Series,
    /// The lines that could not be read.
    pub malformed: Malformations,
    /// What the user should know about the series.
    pub notes: Vec<String>,
}

impl SeriesFile {
    /// Reads a file, or standard input for `-`. Without `time`, the time of the query is that of
    /// the newest sample if all samples have a time, and now otherwise.
    pub fn read(path: &Path, time: Option<i64>) -> Result<Self, Failure> {
        let name = if is_standard_input(path) {
            "standard input".into()
        } else {
            path.display().to_string()
        };
        let request = Request { path, name: &name, time, now: now() };
        let mut read = request.read()?;
        if read.series.store.is_empty() {
            request.is_really_empty(&read)?;
            read.notes.push(format!("there are no series in {name}, so queries find none"));
        }
        Ok(read)
    }
}

/// Whether a path is `-`.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to read, and the time of the query.
struct Request<'p> {
    path: &'p Path,
    name: &'p str,
    time: Option<i64>,
    now: i64,
}

impl Request<'_> {
    fn read(&self) -> Result<SeriesFile, Failure> {
        if is_standard_input(self.path) {
            let input = io::stdin();
            if input.is_terminal() {
                return Err(Failure::new(
                    "`-` reads series from standard input, which is a terminal",
                )
                .hint("give a file, or send series: `oc … | exitpath … --metrics -`"));
            }
            return self.of_bytes(&self.whole(input.lock())?);
        }
        let unreadable = |error| Failure::unreadable(self.name, &error);
        let kind = self.path.metadata().map_err(unreadable)?.file_type();
        if kind.is_dir() {
            return Err(
                Failure::new(format!("{} is a folder", self.name)).hint("name a file with series")
            );
        }
        if waits_for_a_writer(self.path, kind) {
            return Err(Failure::new(format!("{} is a named pipe", self.name))
                .hint("name a file, or use standard input: `--metrics -`"));
        }
        let mut file = File::open(self.path).map_err(unreadable)?;
        if self.path.extension().is_some_and(|extension| extension == "series") {
            return self.of_series_text(&self.whole(file)?);
        }
        if !kind.is_file() {
            return self.of_bytes(&self.whole(file)?);
        }
        let (start, format) = ends(&mut file).map_err(unreadable)?;
        if is_json(&start) {
            return self.of_answer(&self.whole(file)?);
        }
        self.of_exposition(read_from(BufReader::with_capacity(1 << 16, file), format, self.now()))
    }

    fn of_bytes(&self, bytes: &[u8]) -> Result<SeriesFile, Failure> {
        if is_json(bytes) {
            return self.of_answer(bytes);
        }
        self.of_exposition(read(bytes, self.now()))
    }

    /// The time for samples that have none.
    fn now(&self) -> i64 {
        self.time.unwrap_or(self.now)
    }

    fn of_exposition(&self, read: Result<Exposition, ReadError>) -> Result<SeriesFile, Failure> {
        let read = read.map_err(|error| match error {
            ReadError::Io(error) => Failure::unreadable(self.name, &error),
            ReadError::More(most) => Failure::new(format!("{} has more than {most}", self.name))
                .hint("omit the metrics that no query needs"),
        })?;
        let newest = read.newest.filter(|_| read.untimed == 0);
        let time = self.time.or(newest).unwrap_or(self.now);
        let series = Series::of(read.store, time);
        Ok(SeriesFile { series, malformed: read.malformed, notes: Vec::new() })
    }

    fn of_answer(&self, bytes: &[u8]) -> Result<SeriesFile, Failure> {
        let read = saved_answer::series(self.text(bytes)?, self.time, self.now);
        let (series, note) = read.map_err(|why| {
            why.at(format!("{} is not an answer of Prometheus with series", self.name))
        })?;
        let notes = note.into_iter().map(|note| format!("{}: {note}", self.name)).collect();
        Ok(SeriesFile { series, malformed: Malformations::default(), notes })
    }

    fn of_series_text(&self, bytes: &[u8]) -> Result<SeriesFile, Failure> {
        let SeriesText { series, malformed } = SeriesText::read(self.text(bytes)?, self.time);
        Ok(SeriesFile { series, malformed, notes: Vec::new() })
    }

    fn text<'b>(&self, bytes: &'b [u8]) -> Result<&'b str, Failure> {
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            Failure::new(format!("{} is not UTF-8: see line {line}", self.name))
        })
    }

    /// Reads all of a file into memory.
    fn whole(&self, file: impl Read) -> Result<Vec<u8>, Failure> {
        let read = read_up_to(MOST, file);
        read.map_err(|error| Failure::unreadable(self.name, &error))?.ok_or_else(|| {
            Failure::new(format!("{} has more than {} MiB", self.name, MOST >> 20))
                .hint("omit the metrics that no query needs")
        })
    }

    /// Refuses a file if none of its lines can be read: it is not what the user meant.
    fn is_really_empty(&self, read: &SeriesFile) -> Result<(), Failure> {
        let Some(fault) = read.malformed.first.first() else { return Ok(()) };
        let error = Failure::new(format!("there are no series in {}", self.name));
        Err(error.hint(format!(
            "line {}, column {}: expected {}",
            fault.line, fault.column, fault.expected
        )))
    }
}

/// The start of a file, and the format that its end indicates.
fn ends(file: &mut File) -> io::Result<(Vec<u8>, Format)> {
    let (mut start, mut end) = (Vec::new(), Vec::new());
    file.by_ref().take(ENDS).read_to_end(&mut start)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(ENDS)))?;
    file.by_ref().take(ENDS).read_to_end(&mut end)?;
    file.rewind()?;
    Ok((start, Format::of_end(&end)))
}

fn is_json(start: &[u8]) -> bool {
    let start = start.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(start);
    start.trim_ascii_start().starts_with(b"{")
}

/// Whether opening a file would block: opening a named pipe waits for a writer. The shell's `<(…)`
/// has a writer.
#[cfg(unix)]
fn waits_for_a_writer(path: &Path, kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() && !path.starts_with("/dev/fd") && !path.starts_with("/proc")
}

#[cfg(not(unix))]
fn waits_for_a_writer(_: &Path, _: FileType) -> bool {
    false
}
