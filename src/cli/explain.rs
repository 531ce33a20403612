//! `exitpath explain RULE`: one rule, whole.

use std::io::Write;

use crate::report::Style;
use crate::rules::{RULES, Retired, Rule};
use crate::schema::closest;

use super::args::Explain;
use super::rules::{bold, paint};
use super::{Failure, Status};

pub(super) fn run(args: &Explain, style: Style, out: &mut dyn Write) -> Result<Status, Failure> {
    if let Some(removed) = Retired::removed(&args.rule) {
        writeln!(out, "{}  {}  (removed)", removed.code, bold(removed.name(), style))?;
        writeln!(out, "{}.", removed.note())?;
        return Ok(Status::Clean);
    }
    let Some(rule) = Rule::find(&args.rule) else {
        let failure = Failure::new(format!("there is no rule `{}`", args.rule));
        return Err(match closest(&args.rule, RULES.iter().map(|rule| rule.name)) {
            Some(meant) => failure.hint(format!("did you mean `{meant}`?")),
            None => failure.hint("`exitpath rules` lists them"),
        });
    };
    let severity = paint(rule.severity.name(), rule.severity, style);
    writeln!(out, "{}  {}  ({severity})", rule.code, bold(rule.name, style))?;
    writeln!(out, "{}\n", rule.summary)?;
    if let Some(Retired { since, why, successor, .. }) = rule.deprecation() {
        let instead = successor.map_or_else(String::new, |rule| format!("; use `{rule}` instead"));
        writeln!(out, "Deprecated since version {since}: {why}{instead}.\n")?;
    }
    writeln!(out, "{}", rule.explanation)?;
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        writeln!(out, "\n{}", bold(title, style))?;
        for line in example.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    writeln!(out, "\nTo silence it: `# exitpath: allow({}): reason` above the line,", rule.name)?;
    writeln!(out, "or `{} = \"off\"` under `[rules]` in exitpath.toml.", rule.name)?;
    Ok(Status::Clean)
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{Explain, run};
    use crate::report::Style;

    fn explained(rule: &str) -> String {
        let mut out = Vec::new();
        let args = Explain { rule: rule.to_owned() };
        run(&args, Style { color: false, width: 80, quiet: false, terminal: false }, &mut out)
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
