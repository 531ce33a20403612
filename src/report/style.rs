//! How text for people looks.

use crate::domain::Severity;

/// How human text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use colours.
    pub color: bool,
    /// How many columns there are.
    pub width: usize,
    /// Whether only errors of use and the verdict are wanted.
    pub quiet: bool,
    /// Whether a terminal shows it, and not a file or a program.
    pub terminal: bool,
}

impl Style {
    /// Text that stands out.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.in_code("1", text)
    }

    /// Text in the colour of a severity; of what is well, without one.
    #[must_use]
    pub fn mark(self, text: &str, severity: Option<Severity>) -> String {
        let code = match severity {
            None => "1;32",
            Some(Severity::Info) => "1;36",
            Some(Severity::Warning) => "1;33",
            Some(Severity::Error) => "1;31",
        };
        self.in_code(code, text)
    }

    /// Text in the color of a severity, and nothing else.
    #[must_use]
    pub fn paint(self, text: &str, severity: Severity) -> String {
        let code = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Info => "36",
        };
        self.in_code(code, text)
    }

    fn in_code(self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
