//! Reads tables of clusters: CSV with a header, or a line of JSON for each cluster.

use std::io::{BufRead, BufReader, Read};

use serde_json::{Map, Value as Json};

use crate::text::Failure;

use super::class::ClusterRow;
use super::columns::{Column, Defaults, Draft};
use super::line_limit::Limited;

/// A row that cannot be used.
#[derive(Clone, Debug)]
pub struct RowFault {
    pub file: String,
    pub line: u64,
    /// The name of the column. None if the whole row is unusable.
    pub column: Option<String>,
    pub why: String,
}

/// A line of a file.
#[derive(Clone, Copy)]
struct RowPlace<'f> {
    file: &'f str,
    line: u64,
}

impl RowPlace<'_> {
    fn fault(self, column: Option<&str>, why: String) -> RowFault {
        let Self { file, line } = self;
        RowFault { file: file.to_owned(), line, column: column.map(str::to_owned), why }
    }
}

/// What is done with each row.
pub type TakeRow<'t> = dyn FnMut(Result<ClusterRow, RowFault>) -> Result<(), Failure> + 't;

/// Reads all rows of a text.
pub fn read_rows(
    input: impl Read,
    file: &str,
    defaults: &Defaults,
    take: &mut TakeRow<'_>,
) -> Result<(), Failure> {
    let mut input = BufReader::new(input);
    let start = input.fill_buf().map_err(|error| Failure::unreadable(file, &error))?;
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    if start.trim_ascii_start().first() == Some(&b'{') {
        json_rows(input, file, defaults, take)
    } else {
        csv_rows(input, file, defaults, take)
    }
}

fn csv_rows(
    input: impl Read,
    file: &str,
    defaults: &Defaults,
    take: &mut TakeRow<'_>,
) -> Result<(), Failure> {
    let (input, size) = Limited::new(input);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let unreadable = |error: csv::Error| Failure::new(format!("cannot read {file}: {error}"));
    let header = reader.headers().map_err(unreadable)?.clone();
    let columns = columns(header.iter()).map_err(|failure| failure.cannot_use(file))?;
    let mut record = csv::StringRecord::new();
    loop {
        size.row_is_read();
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(error) if is_of_row(&error) => {
                let line = error.position().map_or(line, csv::Position::line);
                take(Err(RowPlace { file, line }.fault(None, why(&error))))?;
                continue;
            }
            Err(error) => return Err(unreadable(error)),
        }
        let line = record.position().map_or(line, csv::Position::line);
        let cells = columns.iter().zip(header.iter()).zip(record.iter());
        let cells = cells.map(|((column, name), text)| (column, name, text));
        take(row(cells, defaults, RowPlace { file, line }))?;
    }
}

/// The columns of a header.
fn columns<'h>(header: impl Iterator<Item = &'h str>) -> Result<Vec<Column>, Failure> {
    let mut columns: Vec<Column> = Vec::new();
    for name in header {
        let column = Column::named(name.trim_start_matches('\u{FEFF}'))?;
        if columns.contains(&column) {
            return Err(Failure::new(format!("the column `{name}` is there twice")));
        }
        columns.push(column);
    }
    if columns.contains(&Column::Version) {
        Ok(columns)
    } else {
        let failure = Failure::new("there is no column `version`");
        Err(failure.hint("the first line names the columns: `name,version,channel,platform`"))
    }
}

fn is_of_row(error: &csv::Error) -> bool {
    matches!(error.kind(), csv::ErrorKind::Utf8 { .. } | csv::ErrorKind::UnequalLengths { .. })
}

fn why(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} cells, and the first line has {expected_len}")
        }
        _ => "the row is not UTF-8 text".to_owned(),
    }
}

fn row<'c>(
    cells: impl Iterator<Item = (&'c Column, &'c str, &'c str)>,
    defaults: &Defaults,
    place: RowPlace<'_>,
) -> Result<ClusterRow, RowFault> {
    let mut draft = Draft::default();
    for (column, name, text) in cells {
        draft.take(column, text).map_err(|why| place.fault(Some(name), why.to_string()))?;
    }
    draft.row(defaults).map_err(|why| place.fault(None, why.to_string()))
}

fn json_rows(
    input: impl Read,
    file: &str,
    defaults: &Defaults,
    take: &mut TakeRow<'_>,
) -> Result<(), Failure> {
    let (input, size) = Limited::new(input);
    let mut input = BufReader::new(input);
    let mut text = Vec::new();
    for line in 1.. {
        size.row_is_read();
        text.clear();
        let read = input.read_until(b'\n', &mut text);
        if read.map_err(|error| Failure::unreadable(file, &error))? == 0 {
            break;
        }
        let line_text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text).trim_ascii();
        if line_text.is_empty() {
            continue;
        }
        let place = RowPlace { file, line };
        let object: Result<Map<String, Json>, _> = serde_json::from_slice(line_text);
        let found = match object {
            Ok(object) => of_object(&object, defaults, place)?,
            Err(error) => {
                let why = format!("column {}: it is not a JSON object", error.column());
                Err(place.fault(None, why))
            }
        };
        take(found)?;
    }
    Ok(())
}

/// A cluster as an object. Unknown keys are errors of the whole file, because they would be unknown
/// in each line.
fn of_object(
    object: &Map<String, Json>,
    defaults: &Defaults,
    place: RowPlace<'_>,
) -> Result<Result<ClusterRow, RowFault>, Failure> {
    let mut cells: Vec<(Column, &str, String)> = Vec::new();
    for (key, value) in object {
        let column = Column::named(key).map_err(|failure| {
            failure.cannot_use(&format!("line {} of {}", place.line, place.file))
        })?;
        let Some(text) = text_of(value) else {
            let why = "it is neither a text, nor a number, nor a list of texts".to_owned();
            return Ok(Err(place.fault(Some(key), why)));
        };
        cells.push((column, key, text));
    }
    let cells = cells.iter().map(|(column, key, text)| (column, *key, text.as_str()));
    Ok(row(cells, defaults, place))
}

fn text_of(value: &Json) -> Option<String> {
    Some(match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Array(lines) => {
            lines.iter().map(Json::as_str).collect::<Option<Vec<_>>>()?.join("\n")
        }
        Json::Bool(_) | Json::Object(_) => return None,
    })
}
