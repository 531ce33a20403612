//! Writes the report for people at a terminal: each finding with its source, the fault underlined,
//! and help; then a summary.

mod excerpt;

use std::io::{self, Write};

use excerpt::Excerpt;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters,
    ThemeStyles,
};
use textwrap::{WordSeparator, WordSplitter};

use crate::report::workflow_commands::without_command;
use crate::report::{Style, change, wrapped};
use crate::report::{with_plain_spaces, with_whole_code};
use crate::rules::{Family, Finding, Place, Related, Severity};
use crate::text::words::counted;
use crate::text::{printable, printable_lines};

use super::{CheckReport, Listing, grouped, statistics};

/// The most related places outside the excerpt that are listed.
const MOST_RELATED: usize = 3;

pub(super) fn write(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    match report.listing {
        _ if style.quiet => {}
        Listing::Statistics => {
            statistics::write(report, style, out)?;
            writeln!(out)?;
        }
        Listing::Grouped { .. } => grouped::write(report, style, out)?,
        Listing::Worst | Listing::Everything => {
            let handler = handler(style);
            for finding in report.listed() {
                write_finding(report, finding, style, &handler, out)?;
            }
        }
    }
    wrapped(style, out, |out| write_summary(report, style, out))
}

fn write_finding(
    report: &CheckReport<'_>,
    finding: &Finding,
    style: Style,
    handler: &GraphicalReportHandler,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut text = String::new();
    let diagnostic = RenderedFinding::new(report, finding, style);
    handler.render_report(&mut text, &diagnostic).map_err(io::Error::other)?;
    let has_place = matches!(finding.place, Place::Text(_));
    let place = (!has_place).then(|| report.location(&finding.place));
    let text = with_place(text.trim_end(), place.as_deref());
    for line in with_plain_spaces(&text).lines() {
        writeln!(out, "{}", without_command(line))?;
    }
    writeln!(out)
}

/// Adds the place of a finding that has no lines to show.
fn with_place(text: &str, place: Option<&str>) -> String {
    let Some(place) = place else { return text.to_owned() };
    let mut lines: Vec<&str> = text.lines().collect();
    let is_help = |line: &&str| line.find("  help: ").is_some_and(|at| at < 8);
    let at = lines.iter().position(is_help).unwrap_or(lines.len());
    let place = format!("   ╭─[{}]\n   ╰────", printable(place));
    lines.insert(at, &place);
    lines.join("\n")
}

fn handler(style: Style) -> GraphicalReportHandler {
    let styles = if style.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    GraphicalReportHandler::new_themed(theme)
        .with_width(style.columns().min(120))
        .with_links(false)
        .with_context_lines(1)
        .with_break_words(false)
        // Versions and names of channels stay whole.
        .with_word_separator(WordSeparator::AsciiSpace)
        .with_word_splitter(WordSplitter::NoHyphenation)
        .without_cause_chain()
}

fn write_summary(report: &CheckReport<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if let Some(changed) = report.change.filter(|_| !style.quiet) {
        change::write_human(changed, style, out)?;
        writeln!(out, "\n~ {}", printable(&changed.verdict()))?;
    }
    report.write_verdict(style, out)?;
    if style.quiet {
        return Ok(());
    }
    let outcome = report.outcome;
    let listed = report.listed();
    let fixable = |findings: &[&Finding]| findings.iter().filter(|one| one.fix.is_some()).count();
    let all: Vec<&Finding> = report.findings().iter().collect();
    if fixable(&all) > 0 {
        let them = match fixable(&listed) {
            0 => "some infos",
            n if n == listed.len() && listed.len() == all.len() => "all findings",
            _ => "some findings",
        };
        let is_of_catalog =
            |one: &&Finding| one.fix.is_some() && one.rule.family == Family::Catalog;
        let command = if all.iter().any(is_of_catalog) { "catalog check" } else { "check" };
        writeln!(
            out,
            "  `exitpath {command} --fix` fixes {them}; `--fix --diff` shows the changes first"
        )?;
    }
    if let Some(worst) = listed.first() {
        writeln!(out, "  `exitpath explain {}` explains this rule", worst.rule.name)?;
    }
    if outcome.omitted > 0 {
        let more = counted(outcome.omitted, "finding");
        writeln!(out, "  {more} omitted, of rules with hundreds of findings in one file")?;
    }
    if outcome.hidden > 0 {
        writeln!(
            out,
            "  {} hidden by comments or exitpath.toml",
            counted(outcome.hidden, "finding")
        )?;
    }
    if let Some(count) = outcome.pre_existing.filter(|count| *count > 0) {
        writeln!(out, "  {} hidden", counted(count, "pre-existing finding"))?;
    }
    if outcome.in_baseline > 0 {
        writeln!(out, "  {} known from the baseline", counted(outcome.in_baseline, "finding"))?;
    }
    Ok(())
}

/// A finding in miette's terms.
#[derive(Debug)]
struct RenderedFinding {
    message: String,
    code: String,
    severity: miette::Severity,
    help: Option<String>,
    excerpt: Option<Excerpt>,
}

impl RenderedFinding {
    fn new(report: &CheckReport<'_>, finding: &Finding, style: Style) -> Self {
        let excerpt = match &finding.place {
            Place::Text(span) => Some(Excerpt::of(report, *span, &finding.related, style)),
            Place::File(_) | Place::Absent(_) => None,
        };
        let is_in_excerpt = |place: &Place| match place {
            Place::Text(span) => excerpt.as_ref().is_some_and(|excerpt| excerpt.shows(*span)),
            Place::File(_) | Place::Absent(_) => false,
        };
        let others: Vec<&Related> =
            finding.related.iter().filter(|related| !is_in_excerpt(&related.place)).collect();
        let places = others
            .iter()
            .take(MOST_RELATED)
            .map(|related| format!("{}: {}", report.location(&related.place), related.message));
        let help = finding.help.iter().cloned().chain(places);
        let mut help: Vec<String> = help.map(|line| with_whole_code(&printable(&line))).collect();
        if others.len() > MOST_RELATED {
            help.push(format!("and {}", counted(others.len() - MOST_RELATED, "more place")));
        }
        if let Some(words) = &finding.opm_words {
            help.push(with_whole_code(&printable_lines(&format!("opm says: {words}"))));
        }
        Self {
            message: with_whole_code(&printable(&finding.message)),
            code: format!("{} {}", finding.rule.code, finding.rule.name),
            severity: match finding.severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
                Severity::Info => miette::Severity::Advice,
            },
            help: (!help.is_empty()).then(|| help.join("\n")),
            excerpt,
        }
    }
}

impl std::fmt::Display for RenderedFinding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderedFinding {}

impl Diagnostic for RenderedFinding {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(&self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.excerpt
            .as_ref()
            .map(|excerpt| Box::new(excerpt.labels()) as Box<dyn Iterator<Item = _>>)
    }
}
