//! Whether to use colors.

use clap::ValueEnum;

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// The decision for one output stream.
    pub(super) fn is_used(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => usual(is_terminal, |name| std::env::var_os(name)),
        }
    }
}

/// What the variables that many programs know decide. `NO_COLOR` comes first.
fn usual(is_terminal: bool, variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "0");
    if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return false;
    }
    if is_set("CLICOLOR_FORCE") {
        return true;
    }
    let is_off = variable("CLICOLOR").is_some_and(|value| value == "0");
    let is_dumb = variable("TERM").is_some_and(|value| value == "dumb");
    is_terminal && !is_off && !is_dumb
}

#[cfg(test)]
mod tests {
    use super::usual;

    fn decided(is_terminal: bool, variables: &[(&str, &str)]) -> bool {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        usual(is_terminal, |name| value(name).map(|(_, value)| value.into()))
    }

    #[test]
    fn variables_decide_about_colors() {
        assert!(decided(true, &[]));
        assert!(!decided(false, &[]));
        assert!(!decided(true, &[("TERM", "dumb")]));
        assert!(decided(true, &[("TERM", "xterm")]));
        assert!(!decided(true, &[("CLICOLOR", "0")]));
        assert!(decided(false, &[("CLICOLOR_FORCE", "1")]));
        assert!(decided(false, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")]));
        assert!(!decided(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!decided(true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(decided(true, &[("NO_COLOR", "")]));
    }
}
