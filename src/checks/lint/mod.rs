//! Runs the rules. Then it applies allow comments, the config, and the baseline, and sorts the
//! findings.

mod allow;
mod baseline;
mod catalog;
mod catalog_place;
mod causes;
mod config;
mod edited_part;
#[cfg(test)]
mod extents;
mod graph;
mod kept;
mod moved_releases;

pub(crate) use baseline::{Baseline, fingerprint};
pub use catalog::{CatalogState, lint_catalogs};
pub use config::Config;
pub(crate) use config::Selection;
pub use graph::lint_graphs;
pub(crate) use kept::KeptFindings;

use rayon::prelude::*;

use crate::domain::{HashMap, HashSet};
use crate::graph_data::{DataFile, GraphData, Renames};
use crate::online::Asked;
use crate::rules::{
    Allowance, Change, Check, Family, Finding, Outlook, Place, RULES, Rule, Subject, Updates,
};
use crate::text::{SourceId, Sources};

use kept::DataEdit;

/// Which rules run, and which findings are hidden.
#[derive(Debug, Default)]
pub struct Request {
    /// `exitpath.toml`.
    pub config: Config,
    /// The rules that run.
    pub selection: Selection,
    /// Known findings to hide.
    pub baseline: Baseline,
    /// What a server says about the queries. Without it, the rules about servers find nothing.
    pub asked: Option<Asked>,
}

/// What the rules found.
#[derive(Debug, Default)]
struct Found {
    /// The files with findings of rules about one file.
    in_files: Vec<(SourceId, Vec<Finding>)>,
    /// The findings of each of the other rules.
    by_rule: Vec<(&'static Rule, Vec<Finding>)>,
}

/// The findings, and how many are hidden.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, sorted by path, position, and code.
    pub findings: Vec<Finding>,
    /// Findings that comments or the config hide.
    pub hidden: usize,
    /// How many of these are hidden only by comments that the change adds.
    pub newly_allowed: usize,
    /// Findings in the baseline.
    pub in_baseline: usize,
    /// Findings from before the change. None without a base.
    pub pre_existing: Option<usize>,
    /// The number of findings above `MAX_ALIKE`.
    pub omitted: usize,
}

/// The most findings of one rule in one file that a report shows. A file with more is not real
/// data.
const MAX_ALIKE: usize = 200;

impl Outcome {
    /// Omits findings over `MAX_ALIKE`, and counts them.
    pub fn omit_excess(&mut self, sources: &Sources) {
        let before = self.findings.len();
        let mut counts: HashMap<(&str, String), usize> = HashMap::default();
        self.findings.retain(|finding| {
            let path = path_of(sources, &finding.place).to_owned();
            let count = counts.entry((finding.rule.code, path)).or_default();
            *count += 1;
            *count <= MAX_ALIKE
        });
        self.omitted += before - self.findings.len();
    }
}

/// Runs the rules on a repository. `outlook` is its update graph. Without it, the rules about
/// graphs find nothing.
pub fn lint(data: &GraphData, outlook: Option<&Outlook>, request: &Request) -> Outcome {
    lint_after_edit(data, outlook, request, None).0
}

/// Like [`lint`], but what an edit of `earlier` does not change is not computed again. Also returns
/// what can be kept for the next edit.
pub(crate) fn lint_after_edit(
    data: &GraphData,
    outlook: Option<&Outlook>,
    request: &Request,
    earlier: Option<(&GraphData, &KeptFindings)>,
) -> (Outcome, KeptFindings) {
    let edit = earlier.and_then(|(before, kept)| DataEdit::between(before, kept, data, outlook));
    let updates = Updates::new(data, outlook);
    let found = run_rules(&updates, &LintScope::All, request, edit.as_ref());
    let kept = KeptFindings::of(&found);
    let findings = without_explained(found);
    let mut allows = allow::comments(data);
    let mut outcome = apply_allows_and_config(data, findings, &mut allows, request);
    outcome.in_baseline = request.baseline.remove_known(&data.sources, &mut outcome.findings);
    (outcome, kept)
}

/// Finds what is new with a change. The outlooks are those before and after it.
pub(crate) fn lint_change(
    change: &Change<'_>,
    outlook_before: Option<&Outlook>,
    outlook_after: Option<&Outlook>,
    request: &Request,
) -> Outcome {
    let Change { before, after, renames, .. } = *change;
    let updates = Updates::new(after, outlook_after);
    let found = run_rules(&updates, &LintScope::AllButExits, request, None);
    let mut findings = without_explained(found);
    findings.extend(check_change(change));
    for finding in &mut findings {
        finding.prefer(|file| change.is_changed(file));
    }
    let mut allows = allow::comments(after);
    allow::mark_new(&mut allows, &after.sources, |path| {
        let file = before.at_path(renames.path_before(path))?;
        Some(before.sources.get(file.id).text())
    });
    let mut outcome = apply_allows_and_config(after, findings, &mut allows, request);
    let all = outcome.findings.len();
    if after.declares_as(before) {
        let is_declared = |finding: &Finding| {
            matches!(finding.rule.check, Check::Declarations(_) | Check::Updates(_))
        };
        outcome.findings.retain(|finding| !is_declared(finding));
    }
    let declared = all - outcome.findings.len();
    let scope = LintScope::matching(&outcome.findings, &after.sources, renames);
    let earlier = run_rules(&Updates::new(before, outlook_before), &scope, request, None);
    let earlier = without_explained(earlier);
    let mut allows = allow::comments(before);
    let mut earlier = apply_allows_and_config(before, earlier, &mut allows, request).findings;
    for finding in &mut earlier {
        finding.about = finding.about.take().map(|about| renames.with_new_names(&about));
    }
    let known = Baseline::of(&before.sources, &earlier).renamed(renames);
    let others = known.remove_known(&after.sources, &mut outcome.findings);
    outcome.pre_existing = Some(declared + others);
    outcome.findings.iter_mut().for_each(|finding| request.config.raise(finding));
    outcome.in_baseline = request.baseline.remove_known(&after.sources, &mut outcome.findings);
    outcome
}

/// Which rules run on which files.
enum LintScope {
    All,
    /// All rules except those about exit paths. With a base, only newly stranded releases are
    /// reported.
    AllButExits,
    /// For the state before a change: only the rules and files with findings after it. Other
    /// findings would not be compared with anything.
    Matching {
        /// The codes of the rules.
        rules: HashSet<&'static str>,
        paths: HashSet<String>,
    },
}

impl LintScope {
    fn matching(findings: &[Finding], sources: &Sources, renames: &Renames) -> Self {
        // A comment counts as used if it allows any finding, so all rules must run.
        if findings.iter().any(|finding| finding.rule.family == Family::Allow) {
            return Self::AllButExits;
        }
        let path =
            |finding: &Finding| renames.path_before(path_of(sources, &finding.place)).to_owned();
        Self::Matching {
            rules: findings.iter().map(|finding| finding.rule.code).collect(),
            paths: findings.iter().map(path).collect(),
        }
    }

    fn has_rule(&self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::AllButExits => !matches!(rule.check, Check::Exits(..)),
            Self::Matching { rules, .. } => rules.contains(rule.code),
        }
    }

    fn has_file(&self, path: &str) -> bool {
        match self {
            Self::All | Self::AllButExits => true,
            Self::Matching { paths, .. } => paths.contains(path),
        }
    }
}

/// Applies allow comments, the config, and the selection.
fn apply_allows_and_config(
    data: &GraphData,
    mut findings: Vec<Finding>,
    allows: &mut [allow::Allow],
    request: &Request,
) -> Outcome {
    let (by_comments, newly_allowed) = allow::remove_allowed(allows, &mut findings);
    findings.extend(allow_findings(allows));
    let outcome = apply_config(&data.sources, findings, request);
    Outcome { hidden: outcome.hidden + by_comments, newly_allowed, ..outcome }
}

/// Applies the config and the selection, and sorts the findings.
fn apply_config(sources: &Sources, mut findings: Vec<Finding>, request: &Request) -> Outcome {
    let Request { config, selection, .. } = request;
    let is_on =
        |rule: &Rule| selection.takes(rule) || selection.can_take(rule) && config.turns_on(rule);
    findings.retain(|finding| is_on(finding.rule));
    findings.retain_mut(|finding| config.apply_level(finding));
    let before = findings.len();
    findings.retain(|finding| !config.ignores(finding.rule, path_of(sources, &finding.place)));
    let hidden = before - findings.len();
    findings.sort_by_cached_key(|finding| {
        let position = match finding.place {
            Place::Text(span) => (span.start + 1, span.end),
            Place::File(_) | Place::Absent(_) => (0, 0),
        };
        let path = path_of(sources, &finding.place).to_owned();
        (path, position, finding.rule.code, finding.message.clone())
    });
    Outcome { findings, hidden, ..Outcome::default() }
}

/// The path of a place, relative to the repository.
pub fn path_of<'a>(sources: &'a Sources, place: &'a Place) -> &'a str {
    match place {
        Place::Text(span) => sources.path(span.source),
        Place::File(file) => sources.path(*file),
        Place::Absent(path) => path,
    }
}

fn run_rules(
    updates: &Updates<'_>,
    scope: &LintScope,
    request: &Request,
    edit: Option<&DataEdit<'_>>,
) -> Found {
    let data = updates.data;
    let files = data.files.par_iter().with_min_len(64);
    let files = files.filter(|file| scope.has_file(data.path(file.id)));
    let of_files = RULES.iter().copied().filter(|rule| is_about_a_file(rule));
    let of_files: Vec<&Rule> = of_files.filter(|rule| scope.has_rule(rule)).collect();
    let in_files = files.map(|file| {
        let kept = edit.and_then(|edit| edit.found_in(file));
        (file.id, kept.unwrap_or_else(|| check_file(data, file, &of_files)))
    });
    let in_files = in_files.filter(|(_, findings)| !findings.is_empty()).collect();
    let rules = RULES.par_iter().copied().filter(|rule| scope.has_rule(rule));
    let by_rule = rules.map(|rule| {
        if let Some(findings) = edit.and_then(|edit| edit.found_by(rule)) {
            return (rule, findings);
        }
        let mut findings = Vec::new();
        match rule.check {
            Check::Repository(check) | Check::Declarations(check) => check(data, &mut findings),
            Check::Risks(each, elsewhere) => {
                each(data, &mut findings);
                elsewhere(data, &mut findings);
            }
            Check::Promotions(check) | Check::Updates(check) | Check::Exits(check, _) => {
                check(updates, &mut findings);
            }
            Check::Server(check) => {
                request.asked.iter().for_each(|asked| check(data, asked, &mut findings));
            }
            _ => {}
        }
        (rule, findings)
    });
    Found { in_files, by_rule: by_rule.collect() }
}

/// All findings, without those that others explain.
fn without_explained(found: Found) -> Vec<Finding> {
    let in_files = found.in_files.into_iter().flat_map(|(_, findings)| findings);
    let by_rule = found.by_rule.into_iter().flat_map(|(_, findings)| findings);
    let mut findings: Vec<Finding> = in_files.chain(by_rule).collect();
    causes::remove_explained(&mut findings);
    findings
}

fn check_change(change: &Change<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        if let Check::Change(check) | Check::UpdatesChange(check) = rule.check {
            check(change, &mut findings);
        }
    }
    findings
}

fn is_about_a_file(rule: &Rule) -> bool {
    match rule.check {
        Check::File(_) | Check::Fault(_) => true,
        Check::Repository(_)
        | Check::Risks(..)
        | Check::Declarations(_)
        | Check::Promotions(_)
        | Check::Updates(_)
        | Check::Exits(..)
        | Check::Graph(_)
        | Check::Server(_)
        | Check::Change(_)
        | Check::UpdatesChange(_)
        | Check::Objection(_)
        | Check::Catalog(_)
        | Check::CatalogChange(_)
        | Check::Allow(_) => false,
    }
}

/// Checks a file with the rules about one file.
fn check_file(data: &GraphData, file: &DataFile, rules: &[&Rule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let subject = Subject { data, file };
    for rule in rules {
        match rule.check {
            Check::File(check) => check(&subject, &mut findings),
            Check::Fault(check) => {
                findings.extend(file.faults.iter().filter_map(|fault| check(&subject, fault)));
            }
            _ => {}
        }
    }
    findings
}

fn allow_findings(allows: &[allow::Allow]) -> Vec<Finding> {
    let findings_of = |allow: &allow::Allow| {
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
    allows.iter().flat_map(findings_of).collect()
}
