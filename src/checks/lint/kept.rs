//! The findings of an earlier state of a repository that an edit does not change.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::domain::HashMap;
use crate::graph_data::{BlockedEdge, DataFile, FileKind, GraphData};
use crate::rules::{Check, Extent, Finding, Outlook, Place, Rule, Updates};
use crate::text::SourceId;

use super::Found;

/// What rules found.
#[derive(Debug, Default)]
pub(crate) struct KeptFindings {
    /// The findings of rules about one file.
    in_files: HashMap<SourceId, Vec<Finding>>,
    /// Those of the rules about all files whose extent is limited, by code.
    by_rule: HashMap<&'static str, Vec<Finding>>,
}

/// An edit of files in `blocked-edges/`, and what the rules found before it.
#[derive(Debug)]
pub(super) struct EdgeEdit<'e> {
    kept: &'e KeptFindings,
    outlook: Option<&'e Outlook>,
    after: &'e GraphData,
    /// The files with another text, or another verdict of the service.
    changed: BTreeSet<SourceId>,
    /// The risks with a changed file, before or after the edit. None stands for all blocks without a
    /// name.
    risks: BTreeSet<Option<&'e str>>,
    /// The risk of each file before the edit.
    risk_of: HashMap<SourceId, Option<&'e str>>,
    /// The state after the edit, with only the declarations of `risks`.
    part: OnceLock<GraphData>,
}

impl KeptFindings {
    pub(super) fn of(found: &Found) -> Self {
        let by_rule = found.by_rule.iter();
        let limited = by_rule.filter(|(rule, _)| rule.properties.extent != Extent::Everything);
        Self {
            in_files: found.in_files.iter().cloned().collect(),
            by_rule: limited.map(|(rule, findings)| (rule.code, findings.clone())).collect(),
        }
    }
}

impl<'e> EdgeEdit<'e> {
    /// None if other files changed, too.
    pub(super) fn between(
        before: &'e GraphData,
        kept: &'e KeptFindings,
        after: &'e GraphData,
        outlook: Option<&'e Outlook>,
    ) -> Option<Self> {
        if before.files.len() != after.files.len() {
            return None;
        }
        let mut changed = BTreeSet::new();
        for (old, new) in before.files.iter().zip(after.files.iter()) {
            if before.path(old.id) != after.path(new.id) {
                return None;
            }
            let texts = || [before.sources.get(old.id).text(), after.sources.get(new.id).text()];
            let is_same = new.is_shared_with(Some(old)) || texts()[0] == texts()[1];
            // The verdict also depends on the patterns of other files.
            if !is_same || old.verdict != new.verdict {
                if new.kind != FileKind::BlockedEdge {
                    return None;
                }
                changed.insert(new.id);
            }
        }
        let edges = before.blocked_edges.iter().chain(&after.blocked_edges);
        let risks = edges.filter(|edge| changed.contains(&edge.file)).map(name).collect();
        let risk_of = before.blocked_edges.iter().map(|edge| (edge.file, name(edge))).collect();
        Some(Self { kept, outlook, after, changed, risks, risk_of, part: OnceLock::new() })
    }

    /// What the rules about one file find in a file. None if it changed.
    pub(super) fn found_in(&self, file: &DataFile) -> Option<Vec<Finding>> {
        (!self.changed.contains(&file.id))
            .then(|| self.kept.in_files.get(&file.id).cloned().unwrap_or_default())
    }

    /// What a rule finds after the edit, without running it on everything. None if that is not
    /// enough.
    pub(super) fn found_by(&self, rule: &'static Rule) -> Option<Vec<Finding>> {
        match rule.properties.extent {
            Extent::Everything => None,
            Extent::Channels => self.kept.by_rule.get(rule.code).cloned(),
            Extent::OneRisk => self.found_in_risks(rule),
        }
    }

    fn found_in_risks(&self, rule: &'static Rule) -> Option<Vec<Finding>> {
        let mut findings = Vec::new();
        if let Check::Risks(_, elsewhere) = rule.check {
            elsewhere(self.after, &mut findings);
        }
        for finding in self.kept.by_rule.get(rule.code)? {
            match file_of(finding).and_then(|file| self.risk_of.get(&file)) {
                Some(risk) if self.risks.contains(risk) => {}
                Some(_) => findings.push(finding.clone()),
                None if matches!(rule.check, Check::Risks(..)) => {}
                None => return None,
            }
        }
        let part = self
            .part
            .get_or_init(|| self.after.with_declarations(|edge| self.risks.contains(&name(edge))));
        let mut of_part = Vec::new();
        match rule.check {
            Check::Declarations(check) | Check::Repository(check) | Check::Risks(check, _) => {
                check(part, &mut of_part);
            }
            Check::Promotions(check) | Check::Updates(check) => {
                check(&Updates::new(part, self.outlook), &mut of_part);
            }
            _ => return None,
        }
        let is_in_part = |finding: &Finding| {
            let file = file_of(finding);
            part.blocked_edges.iter().any(|edge| Some(edge.file) == file)
        };
        if !of_part.iter().all(is_in_part) {
            return None;
        }
        findings.append(&mut of_part);
        Some(findings)
    }
}

fn name(edge: &BlockedEdge) -> Option<&str> {
    edge.name.as_ref().map(|name| name.value.as_str())
}

fn file_of(finding: &Finding) -> Option<SourceId> {
    match finding.place {
        Place::Text(span) => Some(span.source),
        Place::File(file) => Some(file),
        Place::Absent(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{file_of, name};
    use crate::graph_data::{GraphData, blobs};
    use crate::rules::{Check, Extent, Finding, RULES, Rule, Updates};

    /// The fixtures of all rules.
    fn repositories() -> Vec<PathBuf> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let rules = fs::read_dir(fixtures.join("rules")).into_iter().flatten().flatten();
        let mut all: Vec<PathBuf> =
            rules.flat_map(|rule| ["bad", "good"].map(|side| rule.path().join(side))).collect();
        all.push(fixtures.join("graph-data"));
        all
    }

    fn found(rule: &Rule, data: &GraphData) -> Vec<Finding> {
        let (mut findings, mut unexpected) = (Vec::new(), Vec::new());
        match rule.check {
            Check::Declarations(check) | Check::Repository(check) | Check::Risks(check, _) => {
                check(data, &mut findings);
            }
            Check::Promotions(check) | Check::Updates(check) => {
                check(&Updates::new(data, None), &mut findings);
            }
            _ => unexpected.push(rule.name),
        }
        assert!(unexpected.is_empty(), "{unexpected:?} cannot have this extent");
        findings
    }

    fn told(mut findings: Vec<Finding>) -> Vec<String> {
        findings.sort_by_key(|finding| format!("{finding:?}"));
        findings.iter().map(|finding| format!("{finding:?}")).collect()
    }

    fn rules_of(extent: Extent) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().copied().filter(move |rule| rule.properties.extent == extent)
    }

    #[test]
    fn rules_about_channels_ignore_declarations() {
        let mut seen = 0;
        for root in repositories() {
            let data = GraphData::from_blobs(blobs(&root, None).unwrap_or_default());
            let without = data.with_declarations(|_| false);
            for rule in rules_of(Extent::Channels) {
                let whole = told(found(rule, &data));
                seen += whole.len();
                assert_eq!(whole, told(found(rule, &without)), "{} in {root:?}", rule.name);
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn rules_about_one_risk_ignore_other_risks() {
        let mut seen = 0;
        for root in repositories() {
            let data = GraphData::from_blobs(blobs(&root, None).unwrap_or_default());
            let risks: BTreeSet<Option<&str>> = data.blocked_edges.iter().map(name).collect();
            for rule in rules_of(Extent::OneRisk) {
                let whole = found(rule, &data);
                let is_in_a_file = |finding: &Finding| {
                    let file = file_of(finding);
                    data.blocked_edges.iter().any(|edge| Some(edge.file) == file)
                };
                if !whole.iter().all(is_in_a_file) {
                    continue;
                }
                seen += whole.len();
                let parts = risks.iter().flat_map(|risk| {
                    found(rule, &data.with_declarations(|edge| name(edge) == *risk))
                });
                let parts = told(parts.collect());
                assert_eq!(told(whole), parts, "{} in {root:?}", rule.name);
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
