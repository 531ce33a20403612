//! Asks on the terminal for what the command line does not say.

use std::io::{self, BufRead, Write};

use crate::text::Failure;

/// A dialog with the user at a terminal.
pub(super) struct Dialog<'a> {
    input: &'a mut dyn BufRead,
    err: &'a mut dyn Write,
}

/// The most lines of an answer.
const MOST_LINES: usize = 1_000;

impl<'a> Dialog<'a> {
    pub(super) fn new(input: &'a mut dyn BufRead, err: &'a mut dyn Write) -> Self {
        Self { input, err }
    }

    /// An answer on one line. Asks again until there is one.
    pub(super) fn line(&mut self, question: &str) -> Result<String, Failure> {
        loop {
            let answer = self.optional_line(question)?;
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
    }

    /// An answer on one line. None if it is empty.
    pub(super) fn optional_line(&mut self, question: &str) -> Result<Option<String>, Failure> {
        self.say(&format!("{question}: "))?;
        let answer = self.read()?.ok_or_else(|| Failure::new("there is no answer"))?;
        let answer = answer.trim();
        Ok((!answer.is_empty()).then(|| answer.to_owned()))
    }

    /// An answer on several lines. An empty line ends it.
    pub(super) fn lines(&mut self, question: &str) -> Result<String, Failure> {
        self.say(&format!("{question} (an empty line ends it):\n"))?;
        let mut lines = Vec::new();
        while let Some(line) = self.read()? {
            if line.trim().is_empty() || lines.len() == MOST_LINES {
                break;
            }
            lines.push(line);
        }
        Ok(lines.join("\n"))
    }

    pub(super) fn agrees(&mut self, question: &str) -> Result<bool, Failure> {
        let answer = self.optional_line(&format!("{question} (y/n)"))?;
        Ok(answer.is_some_and(|answer| matches!(answer.as_str(), "y" | "Y" | "yes")))
    }

    fn say(&mut self, words: &str) -> Result<(), Failure> {
        let said = self.err.write_all(words.as_bytes()).and_then(|()| self.err.flush());
        said.map_err(|error| Failure::new(format!("cannot ask: {error}")))
    }

    /// A line without its line break. None at the end of the input.
    fn read(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        let failed = |error: io::Error| Failure::new(format!("cannot read the answer: {error}"));
        let length = self.input.read_line(&mut line).map_err(failed)?;
        Ok((length > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::Dialog;

    #[test]
    fn answers_end_at_a_line_or_at_an_empty_one() {
        let mut input = Cursor::new("\n Name \r\none\n two\n\n\nY\n");
        let mut said = Vec::new();
        let mut asked = Dialog::new(&mut input, &mut said);
        assert_eq!(asked.line("Name").as_deref(), Ok("Name"));
        assert_eq!(asked.lines("Text").as_deref(), Ok("one\n two"));
        assert_eq!(asked.optional_line("More"), Ok(None));
        assert_eq!(asked.agrees("Write?"), Ok(true));
        assert!(asked.line("Name").is_err());
        let said = String::from_utf8(said).unwrap_or_default();
        assert_eq!(said, "Name: Name: Text (an empty line ends it):\nMore: Write? (y/n): Name: ");
    }
}
