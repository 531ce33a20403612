//! `exitpath explain RULE`: prints all about one rule.

use std::io::Write;

use crate::report::{Printed, Style};
use crate::rules::{RULES, Retired, Rule};
use crate::text::Failure;

use super::explain_args::ExplainArgs;
use super::{Status, Stop};

pub(super) fn run(args: &ExplainArgs, style: Style, out: &mut dyn Write) -> Result<Status, Stop> {
    if let Some(removed) = Retired::removed(&args.rule) {
        writeln!(out, "{}  {}  (removed)", removed.code, style.bold(removed.name()))?;
        writeln!(out, "{}.", removed.note())?;
        return Ok(Status::Clean);
    }
    let Some(rule) = Rule::find(&args.rule) else {
        let names = RULES.iter().map(|rule| rule.name);
        let failure = Failure::unknown("rule", &args.rule, names);
        return Err(failure.or_hint("`exitpath rules` lists the rules").into());
    };
    rule.write(args.format, style, out)?;
    Ok(Status::Clean)
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{ExplainArgs, run};
    use crate::cli::output::OutputArgs;
    use crate::domain::Format;
    use crate::report::Style;

    fn explained(rule: &str) -> String {
        let mut out = Vec::new();
        let args = ExplainArgs {
            rule: rule.to_owned(),
            format: Format::Human,
            output: OutputArgs::default(),
        };
        run(&args, Style { color: false, width: None, quiet: false, terminal: false }, &mut out)
            .unwrap_or_else(|e| panic!("{e:?}"));
        String::from_utf8(out).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn removed_and_deprecated_rules_say_what_to_use_instead() {
        let removed = explained("older-example");
        assert!(removed.starts_with("EP000  removed-example  (removed)\n"), "{removed}");
        assert!(removed.contains("use `vague-url` instead"), "{removed}");
        let deprecated = explained("vague-url");
        assert!(deprecated.contains("Deprecated since version 0.0.1: "), "{deprecated}");
        assert!(deprecated.contains("use `invalid-url` instead"), "{deprecated}");
        assert!(!explained("invalid-url").contains("Deprecated"));
    }
}
