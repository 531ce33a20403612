//! Runs the rules about catalogs.

use rayon::prelude::*;

use crate::catalog::{Loaded, Objection};
use crate::rules::{CatalogChange, CatalogSubject, Check, Finding, RULES};

use super::{Baseline, Outcome, Request, allow, allow_findings, apply_config, catalog_place};

/// Catalogs, and what rules need to know of each.
#[derive(Clone, Copy, Debug)]
pub struct CatalogState<'a> {
    pub loaded: &'a Loaded,
    /// The subject for each catalog.
    pub subjects: &'a [CatalogSubject<'a>],
}

/// Runs the rules on catalogs. With a base, only new findings are returned. The base must have the
/// same catalogs in the same order.
pub fn lint_catalogs(
    after: CatalogState<'_>,
    before: Option<CatalogState<'_>>,
    request: &Request,
) -> Outcome {
    let mut outcome = of_state(after, before, request);
    if let Some(before) = before {
        let findings = of_state(before, None, request).findings;
        let known = Baseline::of(&before.loaded.sources, &findings);
        let found = known.remove_known(&after.loaded.sources, &mut outcome.findings);
        outcome.pre_existing = Some(found);
    }
    let sources = &after.loaded.sources;
    outcome.in_baseline = request.baseline.remove_known(sources, &mut outcome.findings);
    outcome
}

fn of_state(
    state: CatalogState<'_>,
    before: Option<CatalogState<'_>>,
    request: &Request,
) -> Outcome {
    let CatalogState { loaded, subjects } = state;
    let (mut findings, mut hidden, mut newly_allowed) = (Vec::new(), 0, 0);
    for (at, (subject, catalog)) in subjects.iter().zip(&loaded.catalogs).enumerate() {
        let before_here = before.and_then(|before| before.subjects.get(at));
        let mut found = run_rules(subject, before_here);
        for finding in &mut found {
            catalog_place::add(subject, finding);
        }
        let mut allows = allow::comments_of_catalog(&loaded.sources, catalog);
        if let Some(before) = before {
            let sources = &before.loaded.sources;
            allow::mark_new(&mut allows, &loaded.sources, |path| sources.text_at(path));
        }
        let (by_comments, newly) = allow::remove_allowed(&mut allows, &mut found);
        hidden += by_comments;
        newly_allowed += newly;
        findings.append(&mut found);
        findings.extend(allow_findings(&allows));
    }
    let outcome = apply_config(&loaded.sources, findings, request);
    Outcome { hidden: outcome.hidden + hidden, newly_allowed, ..outcome }
}

fn run_rules(subject: &CatalogSubject<'_>, before: Option<&CatalogSubject<'_>>) -> Vec<Finding> {
    let change = before.map(|before| CatalogChange { before, after: subject });
    let found = RULES.par_iter().flat_map_iter(|rule| {
        let mut findings = Vec::new();
        match rule.check {
            Check::Objection(check) => {
                let meant = subject.objections.iter().filter(|objection| objection.is_meant());
                let finding = |objection: &Objection| {
                    Some(check(subject, objection)?.opm_words(objection.said()))
                };
                findings.extend(meant.filter_map(finding));
            }
            Check::Catalog(check) => check(subject, &mut findings),
            Check::CatalogChange(check) => {
                if let Some(change) = &change {
                    check(change, &mut findings);
                }
            }
            _ => {}
        }
        findings
    });
    found.collect()
}
