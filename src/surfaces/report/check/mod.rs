//! The report of `check`: its findings.

mod concise;
mod github;
mod grouped;
mod human;
mod json;
mod junit;
mod markdown;
mod sarif;
mod statistics;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::domain::Format;
use crate::domain::{FailOn, Minor, Severity};
use crate::lint::{Outcome, path_of};
use crate::report::printed::{Printed, Writer};
use crate::rules::{Finding, Place};
use crate::text::words::{counted, list_all};
use crate::text::{Position, Sources, Span};

use super::{ChangeReport, Style};

/// What a check found.
#[derive(Debug)]
pub struct CheckReport<'a> {
    /// The files that findings are in.
    pub sources: &'a Sources,
    /// The findings, in order.
    pub outcome: &'a Outcome,
    /// What the change does to the check itself.
    pub remarks: &'a [String],
    /// What the change does to clusters, if there is a base.
    pub change: Option<&'a ChangeReport<'a>>,
    /// The paths of the files that were checked, in order.
    pub files: Vec<&'a str>,
    /// The repository's folder relative to the working directory, ending in `/`. Empty if they
    /// are the same. People and GitHub resolve paths from the working directory.
    pub prefix: String,
    /// The lowest severity that fails the check.
    pub fail_on: FailOn,
    /// What the formats for people list. The formats for programs have everything.
    pub listing: Listing,
    /// The path and the name of each catalog. Empty if no catalogs are checked.
    pub catalogs: Vec<NamedCatalog>,
}

/// One of several catalogs.
#[derive(Clone, Debug)]
pub struct NamedCatalog {
    /// Its folder, ending in `/`, or its file, as in the paths of its files.
    pub path: String,
    /// The name for people.
    pub name: String,
}

/// What formats for people list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// Errors and warnings. Infos are only counted, unless they fail the check.
    #[default]
    Worst,
    /// All findings.
    Everything,
    /// Only the number of findings of each rule.
    Statistics,
    /// Lists each mistake once, for all catalogs that have it.
    Grouped {
        /// Whether infos are listed.
        infos: bool,
    },
}

/// What to sort findings by: first those that affect the next build, then those of newer minors.
fn urgency(path: &str) -> (bool, Reverse<Option<Minor>>) {
    let name = path.rsplit('/').next().unwrap_or_default();
    let version = name.find(|c: char| c.is_ascii_digit()).map(|at| &name[at..]);
    let minor = version.and_then(|version| {
        let mut numbers = version.split(|c: char| !c.is_ascii_digit());
        Some(Minor { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
    });
    (!path.starts_with("build-suggestions/"), Reverse(minor))
}

/// The risk of a declaration file, or the file itself.
fn cause(path: &str) -> String {
    let name = path.strip_prefix("blocked-edges/").unwrap_or(path);
    name.split_once('-').map_or(path, |(_, risk)| risk).to_owned()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
}

impl Printed for CheckReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Concise => |report, style, out| concise::write(report, style, out),
            Format::Json => |report, _, out| json::write(report, out),
            Format::Github => |report, _, out| github::write(report, out),
            Format::Sarif => |report, _, out| sarif::write(report, out),
            Format::Junit => |report, _, out| junit::write(report, out),
            Format::Markdown => |report, _, out| markdown::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl CheckReport<'_> {
    /// The findings, in order.
    pub fn findings(&self) -> &[Finding] {
        &self.outcome.findings
    }

    /// The findings that formats for people list: the worst first, and infos only on request.
    fn listed(&self) -> Vec<&Finding> {
        let findings = self.findings().iter();
        let is_listed =
            |finding: &&Finding| self.lists_infos() || finding.severity > Severity::Info;
        let mut listed: Vec<&Finding> = findings.filter(is_listed).collect();
        let sources = self.sources;
        let key = |finding: &Finding| {
            (Reverse(finding.severity), urgency(path_of(sources, &finding.place)))
        };
        listed.sort_by_cached_key(|finding| key(finding));
        // One cause often has several findings. The first finding of each cause comes before all
        // second ones.
        let mut seen: BTreeMap<(&str, Severity, String), usize> = BTreeMap::new();
        listed.sort_by_cached_key(|finding| {
            let cause = cause(path_of(sources, &finding.place));
            let nth = seen.entry((finding.rule.code, finding.severity, cause)).or_default();
            *nth += 1;
            (Reverse(finding.severity), *nth > 1)
        });
        listed
    }

    /// Whether infos are listed. They always are if they fail the check.
    fn lists_infos(&self) -> bool {
        matches!(self.listing, Listing::Everything | Listing::Grouped { infos: true })
            || self.fail_on.is_reached(Severity::Info)
    }

    /// The last lines of formats for people: the verdict, and how to list infos.
    fn write_verdict(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let counts = self.counts();
        let (mark, worst) = match (counts.errors, counts.warnings) {
            (0, 0) => ("✓", None),
            (0, _) => ("⚠", Some(Severity::Warning)),
            _ => ("✗", Some(Severity::Error)),
        };
        writeln!(out, "{}", style.mark(&format!("{mark} {}", self.verdict()), worst))?;
        let can_list_more = self.listing != Listing::Statistics && !self.lists_infos();
        if counts.infos > 0 && can_list_more && !style.quiet {
            let them = if counts.infos == 1 { "the info" } else { "the infos" };
            writeln!(out, "  `--info` also lists {them}")?;
        }
        Ok(())
    }

    /// The findings by severity.
    pub fn counts(&self) -> Counts {
        let of = |severity| self.findings().iter().filter(|f| f.severity == severity).count();
        Counts {
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
            infos: of(Severity::Info),
        }
    }

    fn path<'a>(&'a self, place: &'a Place) -> &'a str {
        path_of(self.sources, place)
    }

    /// The start and end of a span.
    fn positions(&self, span: Span) -> (Position, Position) {
        let source = self.sources.get(span.source);
        (source.position(span.start), source.position(span.end))
    }

    /// The start and end of a place. None for a whole file.
    fn range(&self, place: &Place) -> Option<(Position, Position)> {
        match place {
            Place::Text(span) => Some(self.positions(*span)),
            Place::File(_) | Place::Absent(_) => None,
        }
    }

    /// The name of the catalog with a finding: the innermost one with its file.
    fn catalog_of(&self, finding: &Finding) -> Option<&str> {
        let path = self.path(&finding.place);
        let with_file = self.catalogs.iter().filter(|catalog| path.starts_with(&catalog.path));
        with_file.max_by_key(|catalog| catalog.path.len()).map(|catalog| catalog.name.as_str())
    }

    /// A path relative to the working directory.
    fn displayed_path(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// `path:line:column`, or the path of a whole file.
    fn location(&self, place: &Place) -> String {
        let path = self.displayed_path(self.path(place));
        match self.range(place) {
            Some((start, _)) => format!("{path}:{}:{}", start.line, start.column),
            None => path,
        }
    }

    /// The verdict, for example `1 error and 2 warnings in 1,793 files`.
    fn verdict(&self) -> String {
        let Counts { errors, warnings, infos } = self.counts();
        let parts = [(errors, "error"), (warnings, "warning"), (infos, "info")];
        let parts: Vec<String> =
            parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| counted(n, noun)).collect();
        // A query alone is not a file.
        let files = match self.files.len() {
            0 => String::new(),
            count => format!(" in {}", counted(count, "file")),
        };
        match parts.as_slice() {
            [] if self.outcome.pre_existing.is_some() => format!("no new findings{files}"),
            [] => format!("no findings{files}"),
            some => format!("{}{files}", list_all(some, "and")),
        }
    }
}
