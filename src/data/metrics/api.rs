//! Reads what Prometheus's API answers, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::de::{Deserialize, Error, SeqAccess, Visitor};
use serde::{Deserializer, de};
use serde_json::value::RawValue;

use crate::promql::{Interner, Labels, Point};
use crate::text::printable;
use crate::text::words::{counted, list_all};

/// The answer of the API, and its warnings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) answer: ApiAnswer,
    /// Why the answer may be incomplete, in the words of the server.
    pub(super) warnings: Vec<String>,
}

/// What the API answers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ApiAnswer {
    /// An error of this type, with these words.
    Error { kind: String, words: String },
    /// A number without labels.
    Scalar(Point),
    /// A string.
    Text(String),
    /// One sample for each series.
    Vector(Vec<(Labels, Point)>),
    /// Samples over time for each series.
    Matrix(Vec<(Labels, Vec<Point>)>),
    /// Which series there are: the answer of `/api/v1/series`.
    Series(Vec<Labels>),
}

/// An answer, or only its data.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame<'a> {
    status: Option<String>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    error_type: Option<String>,
    error: Option<String>,
    warnings: Option<Vec<String>>,
    result_type: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    result_type: String,
    #[serde(borrow)]
    result: &'a RawValue,
}

/// An element of a result. Samples that are not supported, such as histograms, are None.
#[derive(serde::Deserialize)]
struct Element<'a> {
    #[serde(borrow)]
    metric: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    #[serde(borrow)]
    value: Option<Sample<'a>>,
    #[serde(borrow)]
    values: Option<Vec<Sample<'a>>>,
    histogram: Option<de::IgnoredAny>,
    histograms: Option<de::IgnoredAny>,
}

/// The time in seconds, and the value.
type Sample<'a> = (f64, Cow<'a, str>);

/// Why a text is not an answer.
pub(super) type Fault = String;

/// The prefix of hints about a query in the warnings of Prometheus 2. Newer versions have a
/// separate list of hints.
const HINT: &str = "PromQL info: ";

/// Reads an answer, or only its data.
pub(super) fn read(text: &str) -> Result<Reply, Fault> {
    let mut frame: Frame = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut warnings = frame.warnings.take().unwrap_or_default();
    warnings.retain(|warning| !warning.starts_with(HINT));
    Ok(Reply { answer: of_frame(frame)?, warnings })
}

fn of_frame(frame: Frame) -> Result<ApiAnswer, Fault> {
    if let (Some(result_type), Some(result)) = (frame.result_type, frame.result) {
        return of_data(&Data { result_type, result });
    }
    match (frame.status.as_deref(), frame.data) {
        (Some("error"), _) => Ok(ApiAnswer::Error {
            kind: frame.error_type.unwrap_or_default(),
            words: frame.error.unwrap_or_default(),
        }),
        (Some("success") | None, Some(data)) if data.get().starts_with('[') => of_series(data),
        (Some("success") | None, Some(data)) => {
            of_data(&serde_json::from_str(data.get()).map_err(words)?)
        }
        _ => Err("it has neither `data` nor an error".into()),
    }
}

/// The first warnings, quoted, in one line.
pub(super) fn quoted(warnings: &[String]) -> String {
    // Longer or further warnings are omitted to keep the message short.
    const MOST: usize = 3;
    const LONGEST: usize = 300;
    let quoted = |warning: &String| match warning.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("\"{}…\"", printable(&warning[..at])),
        None => format!("\"{}\"", printable(warning)),
    };
    let mut words: Vec<String> = warnings.iter().take(MOST).map(quoted).collect();
    if warnings.len() > MOST {
        words.push(counted(warnings.len() - MOST, "more warning"));
    }
    list_all(&words, "and")
}

/// The message without the position, which would be relative to a part of the text.
#[allow(clippy::needless_pass_by_value, reason = "as map_err calls it")]
fn words(error: serde_json::Error) -> Fault {
    let words = error.to_string();
    words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words).to_owned()
}

fn of_series(data: &RawValue) -> Result<ApiAnswer, Fault> {
    let (mut interner, mut series) = (Interner::default(), Vec::new());
    each(data, |labels: BTreeMap<Cow<str>, Cow<str>>| {
        series.push(interned(&mut interner, &labels));
        Ok(())
    })?;
    Ok(ApiAnswer::Series(series))
}

fn of_data(data: &Data) -> Result<ApiAnswer, Fault> {
    let result = data.result.get();
    match data.result_type.as_str() {
        "scalar" => Ok(ApiAnswer::Scalar(point(&serde_json::from_str(result).map_err(words)?)?)),
        "string" => {
            let (_, text): (f64, String) = serde_json::from_str(result).map_err(words)?;
            Ok(ApiAnswer::Text(text))
        }
        "vector" => of_vector(data.result),
        "matrix" => of_matrix(data.result),
        _ => Err("its `resultType` is not known".into()),
    }
}

const HISTOGRAM: &str = "it has native histograms, which exitpath does not read";

fn of_vector(result: &RawValue) -> Result<ApiAnswer, Fault> {
    let (mut interner, mut samples) = (Interner::default(), Vec::new());
    each(result, |element: Element| {
        if element.histogram.is_some() {
            return Err(HISTOGRAM.into());
        }
        let value = element.value.as_ref().ok_or("a sample has no `value`")?;
        samples.push((interned(&mut interner, &element.metric), point(value)?));
        Ok(())
    })?;
    Ok(ApiAnswer::Vector(samples))
}

fn of_matrix(result: &RawValue) -> Result<ApiAnswer, Fault> {
    let (mut interner, mut series) = (Interner::default(), Vec::new());
    each(result, |element: Element| {
        if element.histograms.is_some() {
            return Err(HISTOGRAM.into());
        }
        let values = element.values.as_ref().ok_or("a series has no `values`")?;
        let mut points: Vec<Point> = values.iter().map(point).collect::<Result<_, _>>()?;
        points.sort_by_key(|point| point.time);
        points.dedup_by_key(|point| point.time);
        series.push((interned(&mut interner, &element.metric), points));
        Ok(())
    })?;
    Ok(ApiAnswer::Matrix(series))
}

fn interned(interner: &mut Interner, labels: &BTreeMap<Cow<str>, Cow<str>>) -> Labels {
    interner.labels(labels.iter().map(|(name, value)| (&**name, &**value)))
}

#[allow(clippy::cast_possible_truncation, reason = "the bounds are checked")]
fn point((seconds, value): &Sample) -> Result<Point, Fault> {
    let time = (seconds * 1000.0).round();
    if time.abs() >= 9e15 {
        return Err("a time is too large".into());
    }
    let value = value.parse().map_err(|_| "a value is not a number")?;
    Ok(Point { time: time as i64, value })
}

/// Reads a list, with only one element in memory at a time.
fn each<'a, T: Deserialize<'a>>(
    list: &'a RawValue,
    take: impl FnMut(T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut deserializer = serde_json::Deserializer::from_str(list.get());
    deserializer.deserialize_seq(Each { take, of: PhantomData }).map_err(words)
}

struct Each<T, F> {
    take: F,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), Fault>> Visitor<'de> for Each<T, F> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.take)(element).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
