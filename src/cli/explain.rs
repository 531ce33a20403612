//! `exitpath explain RULE`: prints all about one rule.

use std::io::Write;

use crate::domain::Named;
use crate::report::Style;
use crate::rules::{Check, RULES, Retired, Rule};
use crate::session::Failure;

use super::args::ExplainArgs;
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
    let severity = style.paint(rule.severity.name(), rule.severity);
    writeln!(out, "{}  {}  ({severity})", rule.code, style.bold(rule.name))?;
    writeln!(out, "{}\n", rule.summary)?;
    if let Some(Retired { since, why, successor, .. }) = rule.deprecation() {
        let instead = successor.map_or_else(String::new, |rule| format!("; use `{rule}` instead"));
        writeln!(out, "Deprecated since version {since}: {why}{instead}.\n")?;
    }
    writeln!(out, "{}", rule.explanation)?;
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        writeln!(out, "\n{}", style.bold(title))?;
        for line in example.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    if matches!(rule.check, Check::Graph(_)) {
        // A graph file has no comments and no config.
        writeln!(out, "\nTo skip this rule: `exitpath check FILE.json --ignore {}`.", rule.name)?;
        return Ok(Status::Clean);
    }
    let name = rule.name;
    writeln!(out)?;
    if rule.is_allowed_by_comments() {
        writeln!(
            out,
            "To allow a finding: `# exitpath: allow({name}): REASON` above its key, or at the top of the file."
        )?;
    }
    writeln!(out, "To turn off the rule: `{name} = \"off\"` under `[rules]` in exitpath.toml.")?;
    Ok(Status::Clean)
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{ExplainArgs, run};
    use crate::report::Style;

    fn explained(rule: &str) -> String {
        let mut out = Vec::new();
        let args = ExplainArgs { rule: rule.to_owned() };
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
