//! `exitpath rules`: lists the rules.

use std::io::{self, Write};

use serde_json::json;

use crate::domain::{Format, Named};
use crate::report::{Style, write_json, write_line};
use crate::rules::{RULES, Rule};

use super::rules_args::RulesArgs;
use super::{Status, Stop};

pub(super) fn run(args: &RulesArgs, style: Style, out: &mut dyn Write) -> Result<Status, Stop> {
    let is_wanted = |rule: &&&Rule| args.family.is_none_or(|family| rule.family == family);
    let wanted: Vec<&Rule> = RULES.iter().filter(is_wanted).copied().collect();
    match args.format {
        Format::Human => human(&wanted, style, out)?,
        Format::Json => {
            let rules: Vec<_> = wanted.iter().map(|rule| object(rule)).collect();
            write_json(&rules, out)?;
        }
        _ => markdown(&wanted, out)?,
    }
    Ok(Status::Clean)
}

/// What a severity means, and how to choose rules.
const SEVERITIES: &str = "\
- **Error**: the data does not do what its author intends, or it breaks the service or a cluster.
- **Warning**: something is probably not intended, or is fragile.
- **Info**: style, or data that has no effect.

`exitpath rules` lists the rules, and `exitpath explain RULE` explains one. `--select` and
`--ignore` accept codes, names, and families.";

fn human(rules: &[&Rule], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut family = None;
    for rule in rules {
        if family != Some(rule.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", style.bold(rule.family.name()))?;
            family = Some(rule.family);
        }
        let severity = rule.severity.name();
        let colored = style.paint(&format!("{severity:<7}"), rule.severity);
        let is_narrow = style.columns() < width + 50;
        let indent = if is_narrow { 9 } else { width + 20 };
        let gap = if is_narrow { "\n" } else { "  " };
        let name = if is_narrow { rule.name.to_owned() } else { format!("{:<width$}", rule.name) };
        let text = format!("  {}  {colored}  {name}{gap}{}", rule.code, summary(rule));
        write_line(style, &text, indent, out)?;
    }
    writeln!(out, "\n`exitpath explain RULE` explains a rule.")
}

fn markdown(rules: &[&Rule], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Rules\n\n{SEVERITIES}")?;
    let mut family = None;
    for rule in rules {
        if family != Some(rule.family) {
            writeln!(out, "\n## {}\n", rule.family.name())?;
            writeln!(out, "| Code | Rule | Severity | What it finds |\n| --- | --- | --- | --- |")?;
            family = Some(rule.family);
        }
        let (code, name, severity) = (rule.code, rule.name, rule.severity.name());
        writeln!(out, "| {code} | [`{name}`]({name}.md) | {severity} | {} |", summary(rule))?;
    }
    Ok(())
}

fn summary(rule: &Rule) -> String {
    let mark = rule.deprecation().map_or("", |_| " (deprecated)");
    let off = if rule.properties.is_on_by_default { "" } else { " (off by default)" };
    format!("{}{mark}{off}", rule.summary)
}

fn object(rule: &Rule) -> serde_json::Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "aliases": rule.properties.aliases,
        "family": rule.family.name(),
        "severity": rule.severity.name(),
        "deprecated": rule.deprecation().is_some(),
        "summary": rule.summary,
        "explanation": rule.explanation,
        "bad": rule.bad,
        "good": rule.good,
    })
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
