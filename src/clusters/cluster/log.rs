//! What the operator writes to its log.

/// What the operator writes to its log about one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Log(Vec<LogLine>);

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Whether it is an error. If not, it is a warning.
    pub is_error: bool,
    /// The text, which can have several lines.
    pub text: String,
}

impl Log {
    /// Adds a warning.
    pub fn warn(&mut self, text: String) {
        self.0.push(LogLine { is_error: false, text });
    }

    pub(crate) fn error(&mut self, text: String) {
        self.0.push(LogLine { is_error: true, text });
    }

    /// Its lines.
    pub fn lines(&self) -> &[LogLine] {
        &self.0
    }
}
