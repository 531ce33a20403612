//! One line of an exposition: `name{label="value"} 1.5 1755896700`.

use super::super::labels::{Labels, METRIC_NAME};
use super::Format;

/// The byte at fault, and what belongs there.
pub(super) type Fault = (usize, String);

/// The labels, the value, and the time in milliseconds.
pub(super) type Line = (Labels, f64, Option<i64>);

pub(super) fn sample(written: &str, format: Format) -> Result<Line, Fault> {
    let mut reader = Reader { text: written, at: 0 };
    reader.skip_space();
    let labels = reader.labels()?;
    let value_at = reader.next_word("a value")?;
    let value = number(reader.word()).ok_or_else(|| fault(value_at, "a number"))?;
    reader.skip_space();
    if reader.is_at_end() {
        return Ok((labels, value, None));
    }
    let at = reader.at;
    let time = match format {
        // What follows is an exemplar: a single measurement, which is no part of the series.
        Format::OpenMetrics if reader.rest().starts_with("# ") => return Ok((labels, value, None)),
        Format::OpenMetrics => number(reader.word()).and_then(in_milliseconds),
        Format::Prometheus => reader.word().parse().ok(),
    };
    let expected = match format {
        Format::OpenMetrics => "a time in seconds",
        Format::Prometheus => "a time in milliseconds",
    };
    let time = time.ok_or_else(|| fault(at, expected))?;
    reader.skip_space();
    let exemplar = format == Format::OpenMetrics && reader.rest().starts_with("# ");
    if !reader.is_at_end() && !exemplar {
        return Err(fault(reader.at, "the end of the line"));
    }
    Ok((labels, value, Some(time)))
}

fn fault(at: usize, expected: &str) -> Fault {
    (at, expected.to_owned())
}

#[allow(clippy::cast_possible_truncation, reason = "the bounds are checked")]
fn in_milliseconds(seconds: f64) -> Option<i64> {
    let time = (seconds * 1000.0).round();
    (time.abs() < 9e15).then_some(time as i64)
}

/// A number as Go reads it.
fn number(word: &str) -> Option<f64> {
    // Rust reads the same words, but no number is too large for it.
    let value: f64 = word.parse().ok()?;
    let is_word = word.contains(['n', 'N']);
    (value.is_finite() || is_word).then_some(value)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Reads up to the next space.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn next_word(&mut self, expected: &str) -> Result<usize, Fault> {
        self.skip_space();
        if self.is_at_end() { Err(fault(self.at, expected)) } else { Ok(self.at) }
    }

    /// A name of these characters that does not start with a digit.
    fn name(&mut self, colons: bool) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || colons && c == ':';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let name = &rest[..end];
        let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
        is_name.then(|| {
            self.at += end;
            name
        })
    }

    fn labels(&mut self) -> Result<Labels, Fault> {
        let mut labels = Labels::default();
        let mut is_named = false;
        if let Some(name) = self.name(true) {
            labels.set(METRIC_NAME, name);
            is_named = true;
        } else if !self.rest().starts_with('{') {
            return Err(fault(self.at, "the name of a metric"));
        }
        self.skip_space();
        if !self.take('{') {
            return Ok(labels);
        }
        loop {
            self.skip_space();
            if self.take('}') {
                break;
            }
            let at = self.at;
            let name = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                self.name(false).map(str::to_owned).ok_or_else(|| fault(at, "a label or `}`"))?
            };
            self.skip_space();
            if !is_named && !self.rest().starts_with('=') {
                // A name that is in quotes stands between the braces.
                labels.set(METRIC_NAME, &name);
                is_named = true;
            } else {
                let value = self.value()?;
                if !labels.get(&name).is_empty() {
                    return Err(fault(at, "another label, because this one is there already"));
                }
                labels.set(&name, &value);
            }
            self.skip_space();
            if !self.take(',') && !self.rest().starts_with('}') {
                return Err(fault(self.at, "`,` or `}`"));
            }
        }
        if is_named { Ok(labels) } else { Err(fault(0, "the name of a metric")) }
    }

    fn value(&mut self) -> Result<String, Fault> {
        if !self.take('=') {
            return Err(fault(self.at, "`=`"));
        }
        self.skip_space();
        self.quoted()
    }

    /// A text in double quotes.
    fn quoted(&mut self) -> Result<String, Fault> {
        let start = self.at;
        if !self.take('"') {
            return Err(fault(self.at, "a text in double quotes"));
        }
        let mut value = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    // Prometheus keeps what is not an escape as it is written.
                    Some((_, c)) => value.extend(['\\', c]),
                    None => break,
                },
                c => value.push(c),
            }
        }
        Err(fault(start, "a text that ends with a double quote"))
    }
}
