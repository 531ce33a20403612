//! Running the rules: everything is looked for, then what was asked to be
//! silent is silenced, and what is left is put in order.

mod allow;
mod baseline;
mod config;
mod graph;

pub(crate) use baseline::{Baseline, fingerprint};
pub use config::Config;
pub(crate) use config::{ConfigError, Selection};
pub use graph::lint_graphs;

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use crate::change::{GraphChange, Stated};
use crate::graph_data::{DataFile, GraphData, Kind};
use crate::rules::{
    Allowance, Change, Check, Family, Finding, Outlook, Place, RULES, Rule, Subject, Updates,
};
use crate::text::Sources;

/// What is asked of the rules.
#[derive(Debug, Default)]
pub struct Request {
    /// `exitpath.toml`.
    pub config: Config,
    /// The rules that are asked for.
    pub selection: Selection,
    /// The findings that the repository lives with.
    pub baseline: Baseline,
}

/// A change of a repository: both sides, and what it does to updates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed<'a> {
    /// The repository before.
    pub before: &'a GraphData,
    /// What is known of its updates, where that was asked for.
    pub outlook_before: Option<&'a Outlook>,
    /// The repository after.
    pub after: &'a GraphData,
    /// What is known of its updates.
    pub outlook_after: Option<&'a Outlook>,
    /// What the change does to updates and exit paths, where that was asked for.
    pub graphs: Option<&'a GraphChange<'a>>,
    /// What its author says that it does.
    pub expectations: &'a [Stated],
    /// The files that it renames: paths before and after.
    pub renames: &'a BTreeMap<String, String>,
}

/// What a repository's rules found, and what was silenced.
#[derive(Debug, Default)]
pub struct Outcome {
    /// In the order of path, position and code.
    pub findings: Vec<Finding>,
    /// How many findings comments and the config's ignores silence.
    pub silenced: usize,
    /// How many findings the baseline knows.
    pub known: usize,
    /// How many findings stood before the change that was asked about; none without a base.
    pub standing: Option<usize>,
    /// How many findings are left out because there are so many like them in their file.
    pub cut: usize,
}

/// How many findings of one rule in one file are shown. A file with more is not data.
const MOST: usize = 200;

impl Outcome {
    /// Leaves out, and counts, what is too much of one kind to be shown.
    pub fn cut(&mut self, sources: &Sources) {
        let before = self.findings.len();
        let mut told: HashMap<(&str, String), usize> = HashMap::new();
        self.findings.retain(|finding| {
            let path = path_of(sources, &finding.place).to_owned();
            let count = told.entry((finding.rule.code, path)).or_default();
            *count += 1;
            *count <= MOST
        });
        self.cut += before - self.findings.len();
    }
}

/// Holds every rule against a repository, and what is known of its updates, where that was
/// asked for.
#[must_use]
pub fn lint(data: &GraphData, outlook: Option<&Outlook>, request: &Request) -> Outcome {
    let findings = found(&Updates::new(data, outlook), &Wanted::Everything);
    let mut outcome = judged(data, findings, request);
    outcome.known = request.baseline.remove_known(&data.sources, &mut outcome.findings);
    outcome
}

/// The same of what a change brings in alone.
#[must_use]
pub(crate) fn lint_change(changed: &Changed<'_>, request: &Request) -> Outcome {
    let Changed { before, after, graphs, expectations, renames, .. } = *changed;
    let updates = Updates::new(after, changed.outlook_after);
    let mut findings = found(&updates, &Wanted::ButStanding);
    findings.extend(of_change(&Change { before, after, graphs, expectations, renames }));
    let mut outcome = judged(after, findings, request);
    let all = outcome.findings.len();
    if declares_the_same(before, after) {
        let is_declared = |finding: &Finding| {
            matches!(finding.rule.check, Check::Declarations(_) | Check::Updates(_))
        };
        outcome.findings.retain(|finding| !is_declared(finding));
    }
    let declared = all - outcome.findings.len();
    let wanted = Wanted::like(&outcome.findings, &after.sources, renames);
    let was_found = found(&Updates::new(before, changed.outlook_before), &wanted);
    let was_found = judged(before, was_found, request).findings;
    let known = Baseline::of(&before.sources, &was_found).renamed(renames);
    let others = known.remove_known(&after.sources, &mut outcome.findings);
    outcome.standing = Some(declared + others);
    outcome.findings.iter_mut().for_each(|finding| request.config.raise(finding));
    outcome.known = request.baseline.remove_known(&after.sources, &mut outcome.findings);
    outcome
}

/// Whether two states of a repository have the same declarations, in the same files, and the same
/// releases; what these list is the same anyway, but for what metadata adds.
fn declares_the_same(before: &GraphData, after: &GraphData) -> bool {
    let is_read = |file: &&DataFile| matches!(file.kind, Kind::BlockedEdge | Kind::RawMetadata);
    let count = |data: &GraphData| data.files.iter().filter(is_read).count();
    before.releases.are_those_of(&after.releases)
        && count(before) == count(after)
        && after
            .files
            .iter()
            .filter(is_read)
            .all(|file| file.is_shared_with(before.at_path(after.path(file.id))))
}

/// Which rules are held against which files.
enum Wanted {
    /// All against all.
    Everything,
    /// All but those that tell how things stand.
    ButStanding,
    /// Of a repository before a change, those of which something was found after it: the others
    /// would only find what is not told anyway.
    Like {
        /// The codes of the rules.
        rules: HashSet<&'static str>,
        /// The paths of the files with findings.
        paths: HashSet<String>,
    },
}

impl Wanted {
    fn like(findings: &[Finding], sources: &Sources, renames: &BTreeMap<String, String>) -> Self {
        // Whether a comment is in use depends on everything that it might silence.
        if findings.iter().any(|finding| finding.rule.family == Family::Allow) {
            return Self::ButStanding;
        }
        let old: HashMap<&str, &str> =
            renames.iter().map(|(before, after)| (after.as_str(), before.as_str())).collect();
        let path = |finding: &Finding| {
            let path = path_of(sources, &finding.place);
            (*old.get(path).unwrap_or(&path)).to_owned()
        };
        Self::Like {
            rules: findings.iter().map(|finding| finding.rule.code).collect(),
            paths: findings.iter().map(path).collect(),
        }
    }

    fn takes(&self, rule: &Rule) -> bool {
        match self {
            Self::Everything => true,
            Self::ButStanding => !matches!(rule.check, Check::Exits(..)),
            Self::Like { rules, .. } => rules.contains(rule.code),
        }
    }

    fn reads(&self, path: &str) -> bool {
        match self {
            Self::Everything | Self::ButStanding => true,
            Self::Like { paths, .. } => paths.contains(path),
        }
    }
}

/// What is left of a repository's findings when comments, config and selection have spoken.
fn judged(data: &GraphData, mut findings: Vec<Finding>, request: &Request) -> Outcome {
    let mut allows = allow::comments(data);
    let found = findings.len();
    findings.retain(|finding| !allow::silences(&mut allows, finding));
    let by_comments = found - findings.len();
    findings.extend(allow_findings(&allows));
    let outcome = asked_for(&data.sources, findings, request);
    Outcome { silenced: outcome.silenced + by_comments, ..outcome }
}

/// What is left of some findings when config and selection have spoken, in order.
fn asked_for(sources: &Sources, mut findings: Vec<Finding>, request: &Request) -> Outcome {
    let Request { config, selection, .. } = request;
    findings.retain(|finding| selection.takes(finding.rule));
    findings.retain_mut(|finding| config.level(finding));
    let before = findings.len();
    findings.retain(|finding| !config.ignores(finding.rule, path_of(sources, &finding.place)));
    let silenced = before - findings.len();
    findings.sort_by_cached_key(|finding| {
        let position = match finding.place {
            Place::Text(span) => (span.start + 1, span.end),
            Place::File(_) | Place::Absent(_) => (0, 0),
        };
        let path = path_of(sources, &finding.place).to_owned();
        (path, position, finding.rule.code, finding.message.clone())
    });
    Outcome { findings, silenced, ..Outcome::default() }
}

/// The path of a place, relative to the repository.
#[must_use]
pub fn path_of<'a>(sources: &'a Sources, place: &'a Place) -> &'a str {
    match place {
        Place::Text(span) => sources.path(span.source),
        Place::File(file) => sources.path(*file),
        Place::Absent(path) => path,
    }
}

/// What the wanted rules find.
fn found(updates: &Updates<'_>, wanted: &Wanted) -> Vec<Finding> {
    let data = updates.data;
    let files = data.files.par_iter().with_min_len(64);
    let files = files.filter(|file| wanted.reads(data.path(file.id)));
    let mut findings: Vec<Finding> =
        files.flat_map_iter(|file| in_file(data, file, wanted)).collect();
    let rules = RULES.par_iter().filter(|rule| wanted.takes(rule));
    let of_all = rules.flat_map_iter(|rule| {
        let mut findings = Vec::new();
        match rule.check {
            Check::Repository(check) | Check::Declarations(check) => check(data, &mut findings),
            Check::Updates(check) | Check::Exits(check, _) => check(updates, &mut findings),
            _ => {}
        }
        findings
    });
    findings.par_extend(of_all);
    findings
}

fn of_change(change: &Change<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        if let Check::Change(check) | Check::UpdatesChange(check) = rule.check {
            check(change, &mut findings);
        }
    }
    findings
}

fn in_file(data: &GraphData, file: &DataFile, wanted: &Wanted) -> Vec<Finding> {
    let mut findings = Vec::new();
    let subject = Subject { data, file };
    for rule in RULES.iter().filter(|rule| wanted.takes(rule)) {
        match rule.check {
            Check::File(check) => check(&subject, &mut findings),
            Check::Fault(check) => {
                findings.extend(file.faults.iter().filter_map(|fault| check(&subject, fault)));
            }
            Check::Repository(_)
            | Check::Declarations(_)
            | Check::Updates(_)
            | Check::Exits(..)
            | Check::Graph(_)
            | Check::Change(_)
            | Check::UpdatesChange(_)
            | Check::Allow(_) => {}
        }
    }
    findings
}

fn allow_findings(allows: &[allow::Allow]) -> Vec<Finding> {
    let judge = |allow: &allow::Allow| {
        let allowance = Allowance {
            span: allow.span,
            rule: &allow.rule,
            has_reason: allow.has_reason,
            used: allow.used,
        };
        RULES
            .iter()
            .filter_map(move |rule| match rule.check {
                Check::Allow(check) => check(&allowance),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    allows.iter().flat_map(judge).collect()
}
