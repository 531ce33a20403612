//! Colors and width of human output.

use crate::domain::Severity;

/// The style of text for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colors.
    pub color: bool,
    /// The width in columns. None if it is unknown. If it is known, lines wrap.
    pub width: Option<usize>,
    /// Whether to print only usage errors and the verdict.
    pub quiet: bool,
    /// Whether the output goes to a terminal, and not to a file or a program.
    pub terminal: bool,
}

/// The width to assume if it is unknown.
const USUAL_WIDTH: usize = 100;

/// The least width to write for. A narrower terminal wraps the lines itself.
const NARROWEST: usize = 40;

impl Style {
    /// The width in columns to write for.
    pub fn columns(self) -> usize {
        self.width.unwrap_or(USUAL_WIDTH).max(NARROWEST)
    }

    /// Bold text.
    pub fn bold(self, text: &str) -> String {
        self.with_ansi("1", text)
    }

    /// Bold text in the color of a severity. Without a severity, the color is green.
    pub fn mark(self, text: &str, severity: Option<Severity>) -> String {
        let code = match severity {
            None => "1;32",
            Some(Severity::Info) => "1;36",
            Some(Severity::Warning) => "1;33",
            Some(Severity::Error) => "1;31",
        };
        self.with_ansi(code, text)
    }

    /// Text in the color of a severity, which is not bold.
    pub fn paint(self, text: &str, severity: Severity) -> String {
        let code = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Info => "36",
        };
        self.with_ansi(code, text)
    }

    fn with_ansi(self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
