//! `exitpath rules`: lists the rules.

use std::io::{self, Write};

use serde_json::json;

use crate::domain::Named;
use crate::report::Style;
use crate::rules::{RULES, Rule};

use super::args::{ListFormat, RulesArgs};
use super::{Status, Stop};

pub(super) fn run(args: &RulesArgs, style: Style, out: &mut dyn Write) -> Result<Status, Stop> {
    match args.format {
        ListFormat::Human => human(style, out)?,
        ListFormat::Json => {
            let rules: Vec<_> = RULES.iter().map(|rule| object(rule)).collect();
            serde_json::to_writer_pretty(&mut *out, &rules).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        ListFormat::Markdown => markdown(out)?,
    }
    Ok(Status::Clean)
}

fn human(style: Style, out: &mut dyn Write) -> io::Result<()> {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut family = None;
    for rule in RULES {
        if family != Some(rule.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", style.bold(rule.family.name()))?;
            family = Some(rule.family);
        }
        let severity = rule.severity.name();
        let colored = style.paint(&format!("{severity:<7}"), rule.severity);
        let room = style.width.saturating_sub(width + 21).max(30);
        let mut lines = wrapped(&summary(rule), room).into_iter();
        let first = lines.next().unwrap_or_default();
        writeln!(out, "  {}  {colored}  {:<width$}  {first}", rule.code, rule.name)?;
        for line in lines {
            writeln!(out, "{:indent$}{line}", "", indent = width + 20)?;
        }
    }
    writeln!(out, "\n`exitpath explain RULE` explains a rule.")
}

fn markdown(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| Code | Rule | Severity | What it finds |\n| --- | --- | --- | --- |")?;
    for rule in RULES {
        writeln!(
            out,
            "| {} | `{}` | {} | {} |",
            rule.code,
            rule.name,
            rule.severity.name(),
            summary(rule)
        )?;
    }
    Ok(())
}

fn summary(rule: &Rule) -> String {
    let mark = rule.deprecation().map_or("", |_| " (deprecated)");
    format!("{}{mark}", rule.summary)
}

fn object(rule: &Rule) -> serde_json::Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "aliases": rule.aliases,
        "family": rule.family.name(),
        "severity": rule.severity.name(),
        "deprecated": rule.deprecation().is_some(),
        "summary": rule.summary,
        "explanation": rule.explanation,
        "bad": rule.bad,
        "good": rule.good,
    })
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        if !lines[line].is_empty() && lines[line].len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !lines[line].is_empty() {
                lines[line].push(' ');
            }
            lines[line].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::summary;
    use crate::rules::Rule;

    #[test]
    fn a_deprecated_rule_is_marked_in_the_list() {
        let listed = |name| Rule::find(name).map(summary).unwrap_or_default();
        assert!(listed("vague-url").ends_with(" (deprecated)"));
        assert!(!listed("invalid-url").contains("deprecated"));
    }
}
