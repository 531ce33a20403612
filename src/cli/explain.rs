//! `exitpath explain RULE`: one rule, whole.

use std::io::Write;

use crate::domain::Named;
use crate::report::Style;
use crate::rules::{RULES, Rule};
use crate::session::Failure;

use super::args::Explain;
use super::{Status, Stop};

pub(super) fn run(args: &Explain, style: Style, out: &mut dyn Write) -> Result<Status, Stop> {
    let Some(rule) = Rule::find(&args.rule) else {
        let names = RULES.iter().map(|rule| rule.name);
        let failure = Failure::unknown("rule", &args.rule, names);
        return Err(failure.or_hint("`exitpath rules` lists them").into());
    };
    let severity = style.paint(rule.severity.name(), rule.severity);
    writeln!(out, "{}  {}  ({severity})", rule.code, style.bold(rule.name))?;
    writeln!(out, "{}\n", rule.summary)?;
    writeln!(out, "{}", rule.explanation)?;
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        writeln!(out, "\n{}", style.bold(title))?;
        for line in example.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    writeln!(out, "\nTo silence it: `# exitpath: allow({}): reason` above the line,", rule.name)?;
    writeln!(out, "or `{} = \"off\"` under `[rules]` in exitpath.toml.", rule.name)?;
    Ok(Status::Clean)
}
