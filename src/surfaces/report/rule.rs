//! Everything about one rule.

use std::io::{self, Write};

use crate::domain::Format;
use crate::domain::Named;
use crate::report::printed::{Printed, Writer};
use crate::rules::{Check, Retired, Rule};

use super::Style;
use super::wrapped::{wrapped, wrapped_prose};

/// The page of a rule in the project's documentation.
pub(crate) fn page_url(rule: &Rule) -> String {
    format!("{}/blob/main/docs/rules/{}.md", env!("CARGO_PKG_REPOSITORY"), rule.name)
}

impl Printed for Rule {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => write_rule,
            Format::Markdown => |rule, _, out| write_rule_page(rule, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// Writes the rule for a terminal.
fn write_rule(rule: &Rule, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let severity = style.paint(rule.severity.name(), rule.severity);
    let when = when(rule);
    writeln!(out, "{}  {}  ({severity}{when})", rule.code, style.bold(rule.name))?;
    wrapped(style, out, |out| {
        writeln!(out, "{}\n", rule.summary)?;
        deprecation(rule).map_or(Ok(()), |note| writeln!(out, "{note}\n"))
    })?;
    wrapped_prose(style, rule.explanation, out)?;
    for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        writeln!(out, "\n{}", style.bold(title))?;
        for line in example.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    writeln!(out)?;
    wrapped(style, out, |out| how_to_skip(rule).iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// Writes the rule as a page of the documentation.
fn write_rule_page(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {} {}\n", rule.code, rule.name)?;
    let when = when(rule);
    let (severity, family) = (rule.severity.name(), rule.family.name());
    writeln!(out, "Finds {}.\n\nSeverity: {severity}{when}. Family: {family}.\n", rule.summary)?;
    if let Some(note) = deprecation(rule) {
        writeln!(out, "{note}\n")?;
    }
    writeln!(out, "{}\n", markdown(rule))?;
    writeln!(out, "## How to skip it\n")?;
    how_to_skip(rule).iter().try_for_each(|line| writeln!(out, "- {line}"))
}

/// When the rule runs. Empty if it always runs.
fn when(rule: &Rule) -> &'static str {
    match (!rule.properties.is_on_by_default, rule.needs_server()) {
        (true, _) => ", off by default",
        (_, true) => ", only with `--url`",
        _ => "",
    }
}

/// The explanation and the examples, as Markdown.
pub(super) fn markdown(rule: &Rule) -> String {
    let (explanation, bad, good) = (rule.explanation, rule.bad, rule.good);
    format!("{explanation}\n\n## Bad\n\n```\n{bad}\n```\n\n## Good\n\n```\n{good}\n```")
}

fn deprecation(rule: &Rule) -> Option<String> {
    let Retired { since, why, successor, .. } = rule.deprecation()?;
    let instead = successor.map_or_else(String::new, |rule| format!("; use `{rule}` instead"));
    Some(format!("Deprecated since version {since}: {why}{instead}."))
}

fn how_to_skip(rule: &Rule) -> Vec<String> {
    let name = rule.name;
    if matches!(rule.check, Check::Graph(_)) {
        // A graph file has neither comments nor a config.
        return vec![format!("To skip this rule: `exitpath check FILE.json --ignore {name}`.")];
    }
    let comment = format!(
        "To allow a finding: `# exitpath: allow({name}): REASON` above its key, or at the top of the file."
    );
    let config =
        format!("To turn off the rule: `{name} = \"off\"` under `[rules]` in exitpath.toml.");
    if rule.is_allowed_by_comments() { vec![comment, config] } else { vec![config] }
}
