//! `exitpath explain RULE`: one rule, whole.

use std::io::Write;

use crate::report::Style;
use crate::rules::{RULES, Rule};
use crate::schema::closest;

use super::args::Explain;
use super::rules::{bold, paint};
use super::{Failure, Status};

pub(super) fn run(args: &Explain, style: Style, out: &mut dyn Write) -> Result<Status, Failure> {
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
