//! Reads the labels of a series: `name{label="value"}`.

use std::borrow::Cow;

use super::super::labels::METRIC_NAME;

/// The byte at fault, and what belongs there.
pub(super) type Fault = (usize, String);

pub(super) fn fault(at: usize, expected: &str) -> Fault {
    (at, expected.to_owned())
}

/// The names and values of labels, sorted by name, each name once.
pub(super) type Pairs<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

pub(super) struct Cursor<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// What texts can be in.
    quotes: &'static [char],
}

/// A label, and where it is.
struct Located<'t> {
    name: Cow<'t, str>,
    value: Cow<'t, str>,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Reads what exporters write.
    pub(super) fn of_exporter(text: &'t str) -> Self {
        Self { text, at: 0, quotes: &['"'] }
    }

    /// Reads what people write, as in queries.
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

    pub(super) fn next_word(&mut self, expected: &str) -> Result<usize, Fault> {
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

    pub(super) fn labels(&mut self) -> Result<Pairs<'t>, Fault> {
        let mut labels = Vec::new();
        let mut is_named = false;
        if let Some(name) = self.name(true) {
            labels.push(Located { name: METRIC_NAME.into(), value: name.into(), at: 0 });
            is_named = true;
        } else if !self.rest().starts_with('{') {
            return Err(fault(self.at, "the name of a metric"));
        }
        self.skip_space();
        if !self.take('{') {
            return sorted(labels);
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
                self.name(false).ok_or_else(|| fault(at, "a label or `}`"))?.into()
            };
            self.skip_space();
            if !is_named && !self.rest().starts_with('=') {
                // A name that is in quotes stands between the braces.
                labels.push(Located { name: METRIC_NAME.into(), value: name, at });
                is_named = true;
            } else {
                is_named |= name == METRIC_NAME && self.quotes.len() > 1;
                labels.push(Located { name, value: self.value()?, at });
            }
            self.skip_space();
            if !self.take(',') && !self.rest().starts_with('}') {
                return Err(fault(self.at, "`,` or `}`"));
            }
        }
        if is_named { sorted(labels) } else { Err(fault(0, "the name of a metric")) }
    }

    fn value(&mut self) -> Result<Cow<'t, str>, Fault> {
        if !self.take('=') {
            return Err(fault(self.at, "`=`"));
        }
        self.skip_space();
        self.quoted()
    }

    /// A text in quotes.
    fn quoted(&mut self) -> Result<Cow<'t, str>, Fault> {
        let start = self.at;
        let Some(quote) = self.quotes.iter().copied().find(|quote| self.take(*quote)) else {
            let expected = if self.quotes.len() > 1 { "quotes" } else { "double quotes" };
            return Err(fault(start, &format!("a text in {expected}")));
        };
        let rest = self.rest();
        let is_raw = quote == '`';
        let end = rest.find(|c| c == quote || c == '\\' && !is_raw);
        if let Some(end) = end
            && rest[end..].starts_with(quote)
        {
            self.at += end + 1;
            return Ok(rest[..end].into());
        }
        let mut value = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 1;
                    return Ok(value.into());
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, c)) if c == '\\' || c == quote => value.push(c),
                    // Prometheus keeps what is not an escape as it is written.
                    Some((_, c)) => value.extend(['\\', c]),
                    None => break,
                },
                c => value.push(c),
            }
        }
        let name = if quote == '"' { "double quote".into() } else { format!("`{quote}`") };
        Err(fault(start, &format!("a text that ends with a {name}")))
    }
}

fn sorted(mut labels: Vec<Located<'_>>) -> Result<Pairs<'_>, Fault> {
    labels.retain(|label| !label.value.is_empty());
    labels.sort_by(|one, other| (&one.name, one.at).cmp(&(&other.name, other.at)));
    let again = labels.windows(2).filter(|two| two[0].name == two[1].name).map(|two| two[1].at);
    match again.min() {
        Some(at) => Err(fault(at, "another label, because this one is there already")),
        None => Ok(labels.into_iter().map(|label| (label.name, label.value)).collect()),
    }
}
