//! Lists each mistake once, with the catalogs that have it: the worst rule first, by severity and
//! by the number of installs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::domain::{Named, Severity};
use crate::report::markup::{cell, code, prose};
use crate::report::{Style, wrapped};
use crate::rules::{Finding, Rule};
use crate::text::printable;
use crate::text::words::{counted, list_all};

use super::CheckReport;

/// The mistakes against a rule.
struct RuleGroup<'a> {
    rule: &'static Rule,
    severity: Severity,
    /// The mistakes, those with the most installs first.
    mistakes: Vec<Mistake<'a>>,
}

/// Findings that are the same in several catalogs.
struct Mistake<'a> {
    /// The finding in the last catalog.
    finding: &'a Finding,
    catalogs: Vec<&'a str>,
    /// The number of installs in all these catalogs.
    installs: usize,
}

/// What is equal in two catalogs with the same mistake.
type MistakeKey<'a> = (&'static str, Option<&'a str>, Option<&'a str>, Option<&'a str>, &'a str);

pub(super) fn write(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for group in groups(report) {
        let mark = match group.severity {
            Severity::Error => "✗",
            Severity::Warning => "⚠",
            Severity::Info => "☞",
        };
        let mut title = format!(
            "{mark} {} {}: {}",
            group.rule.code,
            group.rule.name,
            counted(group.mistakes.len(), "mistake")
        );
        if group.installs() > 0 {
            title = format!("{title}, {}", counted(group.installs(), "install"));
        }
        writeln!(out, "{}", style.paint(&title, group.severity))?;
        for mistake in &group.mistakes {
            wrapped(style, out, |out| write_mistake(report, mistake, style, out))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_mistake(
    report: &CheckReport<'_>,
    mistake: &Mistake<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let finding = mistake.finding;
    let title = format!("{}{}", subject(finding), mistake.extent_in_words());
    writeln!(out, "  {}", style.bold(&printable(&title)))?;
    writeln!(out, "    {}", printable(&finding.message))?;
    if let Some(help) = &finding.help {
        writeln!(out, "    help: {}", printable(&help.replace('\n', " ")))?;
    }
    writeln!(out, "    at {}", printable(&report.location(&finding.place)))
}

/// Writes the rows of a Markdown table, at most `most` of them.
pub(super) fn write_markdown(
    report: &CheckReport<'_>,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = groups(report);
    let mistakes =
        groups.iter().flat_map(|group| group.mistakes.iter().map(move |mistake| (group, mistake)));
    let count = mistakes.clone().count();
    if count > 0 {
        writeln!(out, "| | Who | What | Rule |\n| --- | --- | --- | --- |")?;
    }
    for (group, mistake) in mistakes.take(most) {
        let finding = mistake.finding;
        let help = finding.help.as_ref();
        let help = help.map_or_else(String::new, |help| format!("<br>→ {}", prose(help)));
        let who = format!("{}{}", subject(finding), mistake.extent_in_words());
        writeln!(
            out,
            "| {} | {}<br>{} | {} | {} {} |",
            group.severity.name(),
            cell(&prose(&who)),
            cell(&code(&report.location(&finding.place))),
            cell(&format!("{}{help}", prose(&finding.message))),
            group.rule.code,
            group.rule.name,
        )?;
    }
    if count > most {
        writeln!(out, "\n…and {}.", counted(count - most, "more mistake"))?;
    }
    Ok(())
}

/// The package and the channel of a finding, or the file.
fn subject(finding: &Finding) -> String {
    let place = &finding.catalog;
    match (&place.package, &place.channel) {
        (Some(package), Some(channel)) => format!("{package}, channel {channel}"),
        (Some(package), None) => package.clone(),
        (None, _) => "the catalog".to_owned(),
    }
}

fn groups<'a>(report: &'a CheckReport<'_>) -> Vec<RuleGroup<'a>> {
    let mut by_rule: BTreeMap<(Reverse<Severity>, &str), BTreeMap<MistakeKey<'_>, Mistake<'_>>> =
        BTreeMap::new();
    for finding in report.listed() {
        let mistakes = by_rule.entry((Reverse(finding.severity), finding.rule.code)).or_default();
        let catalog = report.catalog_of(finding);
        let installs = finding.catalog.installs.len();
        let mistake = mistakes.entry(key(finding)).or_insert_with(|| Mistake {
            finding,
            catalogs: Vec::new(),
            installs: 0,
        });
        mistake.installs += installs;
        if let Some(catalog) = catalog.filter(|catalog| !mistake.catalogs.contains(catalog)) {
            mistake.catalogs.push(catalog);
            mistake.finding = finding;
        }
    }
    let group = |((Reverse(severity), _), mistakes): (_, BTreeMap<_, Mistake<'a>>)| {
        let mut mistakes: Vec<Mistake<'_>> = mistakes.into_values().collect();
        mistakes.sort_by_key(|mistake| Reverse(mistake.installs));
        let rule = mistakes.first()?.finding.rule;
        Some(RuleGroup { rule, severity, mistakes })
    };
    let mut groups: Vec<RuleGroup<'_>> = by_rule.into_iter().filter_map(group).collect();
    groups.sort_by_key(|group| (Reverse(group.severity), Reverse(group.installs())));
    groups
}

fn key(finding: &Finding) -> MistakeKey<'_> {
    let place = &finding.catalog;
    let [package, channel, entry] =
        [&place.package, &place.channel, &place.entry].map(Option::as_deref);
    // Mistakes that are not about a package are told apart by their messages.
    let words = if package.is_some() { "" } else { finding.message.as_str() };
    (finding.rule.code, package, channel, entry, words)
}

impl RuleGroup<'_> {
    fn installs(&self) -> usize {
        self.mistakes.iter().map(|mistake| mistake.installs).sum()
    }
}

impl Mistake<'_> {
    /// The number of installs and the catalogs, to follow the subject.
    fn extent_in_words(&self) -> String {
        let installs = match self.installs {
            0 => String::new(),
            count => format!(": {}", counted(count, "install")),
        };
        match self.catalogs.as_slice() {
            [] => installs,
            names if self.installs == 0 => format!(": in {}", list_all(names, "and")),
            names => format!("{installs} in {}", list_all(names, "and")),
        }
    }
}
