//! Lists of texts with commas between, as Go's package `encoding/csv` reads them.

use super::Error;

/// The fields of the first line that is not empty. The error is that package's message.
pub(crate) fn fields(text: &str) -> Result<Vec<String>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let text = text.strip_suffix('\r').unwrap_or(text).replace("\r\n", "\n");
    let rest = text.trim_start_matches('\n');
    if rest.is_empty() {
        return Err("EOF".into());
    }
    let line = text.len() - rest.len() + 1;
    let mut reader = Reader { rest, line, column: 1, start: line };
    let mut fields = Vec::new();
    loop {
        let (field, is_last) = reader.field()?;
        fields.push(field);
        if is_last {
            return Ok(fields);
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
    /// The line where the record begins.
    start: usize,
}

impl Reader<'_> {
    /// Reads a field. Also returns whether the line ends after it.
    fn field(&mut self) -> Result<(String, bool), Error> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            self.column += 1;
            return self.quoted();
        }
        let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
        let field = &self.rest[..end];
        if let Some(quote) = field.find('"') {
            return Err(self.fault(self.column + quote, "bare \" in non-quoted field").into());
        }
        let is_last = !self.rest[end..].starts_with(',');
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        self.column += end + 1;
        Ok((field.to_owned(), is_last))
    }

    /// Reads the rest of a field whose opening quote is already read.
    fn quoted(&mut self) -> Result<(String, bool), Error> {
        let mut field = String::new();
        while let Some(end) = self.rest.find('"') {
            self.take(end, &mut field);
            self.rest = &self.rest[1..];
            self.column += 1;
            match self.rest.chars().next() {
                None | Some('\n') => return Ok((field, true)),
                Some(',') => {
                    self.rest = &self.rest[1..];
                    self.column += 1;
                    return Ok((field, false));
                }
                Some('"') => {
                    field.push('"');
                    self.rest = &self.rest[1..];
                    self.column += 1;
                }
                Some(_) => {
                    return Err(self
                        .fault(self.column - 1, "extraneous or missing \" in quoted-field")
                        .into());
                }
            }
        }
        self.take(self.rest.len(), &mut field);
        Err(self.fault(self.column, "extraneous or missing \" in quoted-field").into())
    }

    /// Moves text into the field, and counts its lines.
    fn take(&mut self, length: usize, field: &mut String) {
        let (taken, rest) = self.rest.split_at(length);
        field.push_str(taken);
        self.rest = rest;
        match taken.rsplit_once('\n') {
            Some((before, last)) => {
                self.line += before.matches('\n').count() + 1;
                self.column = last.len() + 1;
            }
            None => self.column += length,
        }
    }

    fn fault(&self, column: usize, words: &str) -> String {
        let Self { line, start, .. } = self;
        let record =
            if start == line { String::new() } else { format!("record on line {start}; ") };
        format!("{record}parse error on line {line}, column {column}: {words}")
    }
}
