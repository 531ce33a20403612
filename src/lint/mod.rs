//! Running the rules: everything is looked for, then what was asked to be
//! silent is silenced, and what is left is put in order.

mod allow;
mod baseline;
mod config;
mod glob;
mod graph;
mod policy;

pub use baseline::{Baseline, fingerprint};
pub use config::{Config, ConfigError, Level, Selection};
pub use graph::lint_graphs;

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::graph_data::{DataFile, GraphData};
use crate::rules::{Allowance, Change, Check, Finding, Outlook, Place, RULES, Subject, Updates};
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
    /// What a change began with: then only what it brings in is told.
    pub base: Option<Base>,
}

/// The repository before a change.
#[derive(Debug)]
pub struct Base {
    /// Its commit.
    pub commit: String,
    /// Its data.
    pub data: GraphData,
    /// What is known of its updates, where that was asked for.
    pub outlook: Option<Outlook>,
    /// The files that the change renames: paths before and after.
    pub renames: BTreeMap<String, String>,
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
    let updates = Updates::new(data, outlook);
    let (mut outcome, before) = match &request.base {
        None => (judged(data, everything(&updates, true), request), None),
        Some(base) => {
            let updates_before = Updates::new(&base.data, base.outlook.as_ref());
            let (now, before) = rayon::join(
                || {
                    let mut findings = everything(&updates, false);
                    findings.extend(of_change(&Change {
                        before: &base.data,
                        after: data,
                        updates_before: &updates_before,
                        updates_after: &updates,
                        renames: &base.renames,
                    }));
                    judged(data, findings, request)
                },
                || judged(&base.data, everything(&updates_before, false), request),
            );
            (now, Some(Baseline::of(&base.data.sources, &before.findings).renamed(&base.renames)))
        }
    };
    if let Some(before) = before {
        outcome.standing = Some(before.remove_known(&data.sources, &mut outcome.findings));
        outcome.findings.iter_mut().for_each(|finding| request.config.raise(finding));
    }
    outcome.known = request.baseline.remove_known(&data.sources, &mut outcome.findings);
    outcome
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

/// What every rule finds; `with_standing`, also what only tells how things stand.
fn everything(updates: &Updates<'_>, with_standing: bool) -> Vec<Finding> {
    let data = updates.data;
    let files = data.files.par_iter().with_min_len(64);
    let mut findings: Vec<Finding> = files.flat_map_iter(|file| in_file(data, file)).collect();
    let of_all = RULES.par_iter().flat_map_iter(|rule| {
        let mut findings = Vec::new();
        match rule.check {
            Check::Repository(check) => check(data, &mut findings),
            Check::Updates(check) => check(updates, &mut findings),
            Check::Standing(check) if with_standing => check(updates, &mut findings),
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

fn in_file(data: &GraphData, file: &DataFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let subject = Subject { data, file };
    for rule in RULES {
        match rule.check {
            Check::File(check) => check(&subject, &mut findings),
            Check::Fault(check) => {
                findings.extend(file.faults.iter().filter_map(|fault| check(&subject, fault)));
            }
            Check::Repository(_)
            | Check::Updates(_)
            | Check::Standing(_)
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
