//! Reads the labels of a series: `name{label="value"}`.

use std::ops::Range;

use super::super::labels::METRIC_NAME;
use super::malformed::LineFault;

/// A label and its position. All lines of a file share one list of these, because many small lists
/// would fragment the memory.
pub(super) struct Located {
    name: Text,
    value: Text,
    at: usize,
}

/// A part of a line, or the text that its escapes stand for.
enum Text {
    MetricName,
    Written(Range<usize>),
    Unescaped(String),
}

impl Text {
    fn of<'t>(&'t self, line: &'t str) -> &'t str {
        match self {
            Self::MetricName => METRIC_NAME,
            Self::Written(range) => line.get(range.clone()).unwrap_or_default(),
            Self::Unescaped(text) => text,
        }
    }
}

impl Located {
    /// The name and the value as they are in a line.
    pub(super) fn of<'t>(&'t self, line: &'t str) -> (&'t str, &'t str) {
        (self.name.of(line), self.value.of(line))
    }
}

pub(super) struct Cursor<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// The quotes that are allowed.
    quotes: &'static [char],
}

impl<'t> Cursor<'t> {
    /// A cursor over what an exporter writes.
    pub(super) fn of_exporter(text: &'t str) -> Self {
        Self { text, at: 0, quotes: &['"'] }
    }

    /// A cursor over what people write, as in queries.
    pub(super) fn of_notation(text: &'t str) -> Self {
        Self { text, at: 0, quotes: &['"', '\'', '`'] }
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn skip_space(&mut self) {
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
    pub(super) fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn next_word(&mut self, expected: &str) -> Result<usize, LineFault> {
        self.skip_space();
        if self.is_at_end() { Err(LineFault::new(self.at, expected)) } else { Ok(self.at) }
    }

    /// Reads a name that does not start with a digit. `colons` says whether it may contain colons.
    fn name(&mut self, colons: bool) -> Option<Text> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || colons && c == ':';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let is_name = end > 0 && !rest.starts_with(|c: char| c.is_ascii_digit());
        is_name.then(|| {
            let start = self.at;
            self.at += end;
            Text::Written(start..self.at)
        })
    }

    /// Reads labels into a list, and sorts it by name. Each name must occur once.
    pub(super) fn labels(&mut self, labels: &mut Vec<Located>) -> Result<(), LineFault> {
        labels.clear();
        let mut is_named = false;
        let at = self.at;
        if let Some(value) = self.name(true) {
            labels.push(Located { name: Text::MetricName, value, at });
            is_named = true;
        } else if !self.rest().starts_with('{') {
            return Err(LineFault::new(self.at, "the name of a metric"));
        }
        self.skip_space();
        if !self.take('{') {
            return Ok(());
        }
        loop {
            self.skip_space();
            if self.take('}') {
                break;
            }
            let at = self.at;
            let name = if self.rest().starts_with(self.quotes) {
                self.quoted()?
            } else {
                self.name(false).ok_or_else(|| LineFault::new(at, "a label or `}`"))?
            };
            self.skip_space();
            if !is_named && !self.rest().starts_with('=') {
                // A quoted metric name is between the braces.
                labels.push(Located { name: Text::MetricName, value: name, at });
                is_named = true;
            } else {
                // People may also write the metric's name as a label.
                is_named |= name.of(self.text) == METRIC_NAME && self.quotes.len() > 1;
                labels.push(Located { name, value: self.value()?, at });
            }
            self.skip_space();
            if !self.take(',') && !self.rest().starts_with('}') {
                return Err(LineFault::new(self.at, "`,` or `}`"));
            }
        }
        if is_named {
            sort(labels, self.text)
        } else {
            Err(LineFault::new(0, "the name of a metric"))
        }
    }

    fn value(&mut self) -> Result<Text, LineFault> {
        if !self.take('=') {
            return Err(LineFault::new(self.at, "`=`"));
        }
        self.skip_space();
        self.quoted()
    }

    /// Reads a quoted text.
    fn quoted(&mut self) -> Result<Text, LineFault> {
        let start = self.at;
        let Some(quote) = self.quotes.iter().copied().find(|quote| self.take(*quote)) else {
            let expected = if self.quotes.len() > 1 { "quotes" } else { "double quotes" };
            return Err(LineFault::new(start, format!("a text in {expected}")));
        };
        let rest = self.rest();
        let is_raw = quote == '`';
        let end = rest.find(|c| c == quote || c == '\\' && !is_raw);
        if let Some(end) = end.filter(|end| rest[*end..].starts_with(quote)) {
            let text = self.at..self.at + end;
            self.at = text.end + 1;
            return Ok(Text::Written(text));
        }
        let mut value = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 1;
                    return Ok(Text::Unescaped(value));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, c)) if c == '\\' || c == quote => value.push(c),
                    // Prometheus keeps invalid escapes as they are written.
                    Some((_, c)) => value.extend(['\\', c]),
                    None => break,
                },
                c => value.push(c),
            }
        }
        let name = if quote == '"' { "double quote".into() } else { format!("`{quote}`") };
        Err(LineFault::new(start, format!("a text that ends with a {name}")))
    }
}

fn sort(labels: &mut Vec<Located>, line: &str) -> Result<(), LineFault> {
    labels.retain(|label| !label.value.of(line).is_empty());
    let order = |label: &Located, other: &Located| {
        let names = label.name.of(line).cmp(other.name.of(line));
        names.then(label.at.cmp(&other.at))
    };
    labels.sort_unstable_by(order);
    let is_again = |two: &&[Located]| two[0].name.of(line) == two[1].name.of(line);
    match labels.windows(2).filter(is_again).map(|two| two[1].at).min() {
        Some(at) => Err(LineFault::new(at, "another label, because this one is there already")),
        None => Ok(()),
    }
}
