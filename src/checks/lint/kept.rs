//! The findings of an earlier state of a repository that an edit does not change.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::domain::{Arena, HashMap, HashSet, Minor};
use crate::graph_data::{BlockedEdge, BuildSuggestions, DataFile, FileKind, GraphData, ReleaseId};
use crate::rules::{Check, Extent, Finding, Outlook, Place, Rule, Updates};
use crate::text::SourceId;

use super::Found;
use super::edited_part::{Part, name};
use super::moved_releases::{MovedRelease, OneSided, moved_releases};

/// What rules found.
#[derive(Debug, Default)]
pub(crate) struct KeptFindings {
    /// The findings of rules about one file.
    in_files: HashMap<SourceId, Vec<Finding>>,
    /// What the rules about all files found, by code, if their findings do not depend on
    /// everything.
    by_rule: HashMap<&'static str, Vec<Finding>>,
}

/// An edit of declarations, channels, and build suggestions, and what the rules found before it.
#[derive(Debug)]
pub(super) struct DataEdit<'e> {
    kept: &'e KeptFindings,
    outlook: Option<&'e Outlook>,
    before: &'e GraphData,
    after: &'e GraphData,
    /// For each file after the edit, the same file before it. None if it is new or changed.
    same_before: Arena<SourceId, Option<SourceId>>,
    /// For each file before the edit, the same file after it. None if it is gone or changed.
    same_after: Arena<SourceId, Option<SourceId>>,
    /// The kinds of the files that came, changed, or went.
    changed: BTreeSet<FileKind>,
    /// Whether there are the same releases and tombstones, and the releases list the same updates.
    has_same_updates: bool,
    /// Whether the same queries are for the same clusters.
    has_same_queries: bool,
    /// Whether there are the same tombstones.
    has_same_tombstones: bool,
    /// The risks with a changed file.
    risks: Part,
    /// The releases that come or go, or that join or leave channels. None means any release.
    moved: OnceLock<Option<Vec<MovedRelease>>>,
    /// The risks with a changed file, and those whose findings may change because releases come,
    /// go, or list other updates. None means any risk.
    risks_among_releases: OnceLock<Option<Part>>,
    /// The risks of `risks_among_releases`, and those whose findings may change because releases
    /// join or leave channels. None means any risk.
    risks_in_channels: OnceLock<Option<Part>>,
    /// The changed channels.
    channels: OnceLock<Part>,
}

impl KeptFindings {
    pub(super) fn of(found: &Found) -> Self {
        let by_rule = found.by_rule.iter();
        let limited = by_rule.filter(|(rule, _)| rule.extent() != Extent::Everything);
        Self {
            in_files: found.in_files.iter().cloned().collect(),
            by_rule: limited.map(|(rule, findings)| (rule.code, findings.clone())).collect(),
        }
    }
}

impl<'e> DataEdit<'e> {
    /// None if other files changed, too.
    pub(super) fn between(
        before: &'e GraphData,
        kept: &'e KeptFindings,
        after: &'e GraphData,
        outlook: Option<&'e Outlook>,
    ) -> Option<Self> {
        let mut same_after = Arena::filled(before.files.len(), None);
        let mut changed = BTreeSet::new();
        let same = |new: &DataFile| {
            let old = before.at_path_near(after.path(new.id), new.id)?;
            let texts = || [before.sources.get(old.id).text(), after.sources.get(new.id).text()];
            let faults = || [&old.document, &new.document].map(|document| document.as_ref().err());
            let are_broken_alike = || faults()[0].is_some() && faults()[0] == faults()[1];
            let is_same =
                new.is_shared_with(Some(old)) || are_broken_alike() && texts()[0] == texts()[1];
            // The verdict also depends on the patterns of other files.
            (is_same && old.verdict == new.verdict).then_some(old.id)
        };
        let same_before: Arena<SourceId, Option<SourceId>> = after.files.iter().map(same).collect();
        for (new, old) in same_before.entries() {
            match old {
                Some(old) => same_after[*old] = Some(new),
                None => _ = changed.insert(after.file(new).kind),
            }
        }
        let gone = before.files.iter().filter(|file| same_after[file.id].is_none());
        changed.extend(gone.map(|file| file.kind));
        let is_expected = |kind: &FileKind| {
            matches!(kind, FileKind::BlockedEdge | FileKind::BuildSuggestions) || kind.is_channel()
        };
        if !changed.iter().all(is_expected) {
            return None;
        }
        let is_changed = |edge: &BlockedEdge| same_before[edge.file].is_none();
        let was_changed = |edge: &BlockedEdge| same_after[edge.file].is_none();
        let mut risks: HashSet<_> = names(before, was_changed).collect();
        risks.extend(names(after, is_changed));
        let has_same_tombstones = before.has_tombstones_of(after);
        Some(Self {
            kept,
            outlook,
            before,
            after,
            risks: Part::of_risks(&risks, before, after),
            has_same_tombstones,
            has_same_queries: after.queries.are_for_clusters_of(&before.queries),
            moved: OnceLock::new(),
            risks_among_releases: OnceLock::new(),
            risks_in_channels: OnceLock::new(),
            channels: OnceLock::new(),
            same_before,
            same_after,
            changed,
            has_same_updates: Arc::ptr_eq(&before.releases, &after.releases)
                && Arc::ptr_eq(&before.suggestions, &after.suggestions)
                && has_same_tombstones
                && outlook.is_none_or(|outlook| outlook.lists_as_before),
        })
    }

    /// What the rules about one file find in a file. None if that may have changed.
    pub(super) fn found_in(&self, file: &DataFile) -> Option<Vec<Finding>> {
        let before = self.same_before[file.id]?;
        if self.risks.before.contains(&before) {
            return None;
        }
        let findings = self.kept.in_files.get(&before).map(Vec::as_slice).unwrap_or_default();
        findings.iter().map(|finding| self.in_files_after(finding)).collect()
    }

    /// What a rule finds after the edit, without running it on everything. None if it must run on
    /// everything.
    pub(super) fn found_by(&self, rule: &'static Rule) -> Option<Vec<Finding>> {
        match rule.extent() {
            Extent::Everything => None,
            Extent::Channels if self.changes_channels() => None,
            Extent::Channels => self.all_found_by(rule),
            Extent::OneChannel if !self.changes_channels() => self.all_found_by(rule),
            Extent::OneChannel if !self.has_same_minors() => None,
            Extent::OneChannel => self.found_in_part(rule, self.channels()),
            Extent::TextsOfOneRisk => self.found_in_part(rule, &self.risks),
            Extent::OneRisk => self.found_in_part(rule, self.risks_among_releases()?),
            Extent::OneRiskInChannels => self.found_in_part(rule, self.risks_in_channels()?),
            _ if self.changed.contains(&FileKind::BlockedEdge) => None,
            Extent::Texts if self.has_same_queries => self.all_found_by(rule),
            Extent::Declarations if self.has_same_updates => self.all_found_by(rule),
            Extent::Texts | Extent::Declarations => None,
        }
    }

    fn changes_channels(&self) -> bool {
        self.changed.iter().any(|kind| kind.is_channel())
    }

    fn has_same_minors(&self) -> bool {
        let minors = |data: &GraphData| data.releases.minors();
        Arc::ptr_eq(&self.before.releases, &self.after.releases)
            || minors(self.before) == minors(self.after)
    }

    fn channels(&self) -> &Part {
        self.channels.get_or_init(|| {
            let changed = |data: &GraphData, same: &Arena<SourceId, Option<SourceId>>| {
                let files = data.channels.iter().map(|channel| channel.file);
                files.filter(|file| same[*file].is_none()).collect()
            };
            let before = changed(self.before, &self.same_after);
            let after = changed(self.after, &self.same_before);
            Part::of_channels(before, after)
        })
    }

    fn moved(&self) -> Option<&[MovedRelease]> {
        let moved = self.moved.get_or_init(|| moved_releases(self.before, self.after));
        moved.as_deref()
    }

    fn risks_among_releases(&self) -> Option<&Part> {
        if self.has_same_updates {
            return Some(&self.risks);
        }
        let part = self.risks_among_releases.get_or_init(|| {
            let moved = self.moved().filter(|_| self.has_same_tombstones)?;
            let came_or_went = || moved.iter().filter(|release| !release.is_in_both());
            let relisted: BTreeSet<ReleaseId> = match self.outlook {
                Some(outlook) => {
                    let relisted = outlook.relisted()?;
                    relisted.filter_map(|version| self.after.releases.find(version)).collect()
                }
                None => BTreeSet::new(),
            };
            self.after.patterns.take_meanings(&self.before.patterns, |pattern| {
                !came_or_went().any(|one| one.decides_what_is_written(pattern))
            });
            let other_suggestions = self.minors_of_other_suggestions();
            let has_other_suggestions = |edge: &BlockedEdge| {
                let minor = edge.target.as_ref().map(Minor::of);
                minor.is_some_and(|minor| other_suggestions.contains(&minor))
            };
            let went = OneSided::of(self.before, came_or_went().map(|one| (one, one.before)));
            let old = |edge: &BlockedEdge| {
                self.risks.before.contains(&edge.file)
                    || has_other_suggestions(edge)
                    || went.decide(edge)
            };
            let came = OneSided::of(self.after, came_or_went().map(|one| (one, one.after)));
            let new = |edge: &BlockedEdge| {
                self.risks.after.contains(&edge.file)
                    || has_other_suggestions(edge)
                    || edge.release.is_some_and(|release| relisted.contains(&release))
                    || matches_anything(self.before, edge) != matches_anything(self.after, edge)
                    || came.decide(edge)
            };
            Some(self.part_with(old, new))
        });
        part.as_ref()
    }

    /// The minors whose build suggestions came, changed, or went.
    fn minors_of_other_suggestions(&self) -> BTreeSet<Minor> {
        let changed = |data: &GraphData, same: &Arena<SourceId, Option<SourceId>>| {
            let files = data.files.iter().filter(|file| file.kind == FileKind::BuildSuggestions);
            let changed = files.filter(|file| same[file.id].is_none());
            changed.filter_map(|file| BuildSuggestions::minor_of(data.path(file.id))).collect()
        };
        let mut minors: BTreeSet<Minor> = changed(self.before, &self.same_after);
        minors.extend(changed(self.after, &self.same_before));
        minors
    }

    fn risks_in_channels(&self) -> Option<&Part> {
        let part = self.risks_in_channels.get_or_init(|| {
            let (among_releases, moved) = (self.risks_among_releases()?, self.moved()?);
            let old = |edge: &BlockedEdge| {
                among_releases.before.contains(&edge.file)
                    || moved.iter().any(|one| one.is_about(edge, one.before))
            };
            let new = |edge: &BlockedEdge| {
                among_releases.after.contains(&edge.file)
                    || moved.iter().any(|one| one.is_about(edge, one.after))
            };
            Some(self.part_with(old, new))
        });
        part.as_ref()
    }

    /// The risks of some declarations before and after the edit.
    fn part_with(
        &self,
        is_meant_before: impl Fn(&BlockedEdge) -> bool,
        is_meant_after: impl Fn(&BlockedEdge) -> bool,
    ) -> Part {
        let (before, after) = (self.before, self.after);
        let risks = names(before, is_meant_before).chain(names(after, is_meant_after));
        Part::of_risks(&risks.collect(), before, after)
    }

    fn all_found_by(&self, rule: &Rule) -> Option<Vec<Finding>> {
        self.kept
            .by_rule
            .get(rule.code)?
            .iter()
            .map(|finding| self.in_files_after(finding))
            .collect()
    }

    /// A finding of the state before the edit, in the files after it. None if one of its files is
    /// not as before.
    fn in_files_after(&self, finding: &Finding) -> Option<Finding> {
        finding.in_files(&|file| self.same_after[file])
    }

    fn found_in_part(&self, rule: &'static Rule, part: &Part) -> Option<Vec<Finding>> {
        let mut findings = Vec::new();
        if let Check::Risks(_, elsewhere) = rule.check {
            elsewhere(self.after, &mut findings);
        }
        let is_of_kind = |file: SourceId| match self.before.file(file).kind {
            FileKind::BlockedEdge => !part.is_of_channels,
            kind => part.is_of_channels && kind.is_channel(),
        };
        for finding in self.kept.by_rule.get(rule.code)? {
            match file_of(finding) {
                Some(file) if part.before.contains(&file) => {}
                Some(file) if is_of_kind(file) => findings.push(self.in_files_after(finding)?),
                _ if matches!(rule.check, Check::Risks(..)) => {}
                _ => return None,
            }
        }
        let data = part.data(self.after);
        let mut of_part = Vec::new();
        match rule.check {
            Check::Declarations(check) | Check::Repository(check) | Check::Risks(check, _) => {
                check(data, &mut of_part);
            }
            Check::Promotions(check) | Check::Updates(check) => {
                check(&Updates::new(data, self.outlook), &mut of_part);
            }
            _ => return None,
        }
        let mut files = of_part.iter().map(file_of);
        if !files.all(|file| file.is_some_and(|file| part.after.contains(&file))) {
            return None;
        }
        findings.append(&mut of_part);
        Some(findings)
    }
}

/// The risks of some declarations. None stands for all blocks without a name.
fn names(
    data: &GraphData,
    is_meant: impl Fn(&BlockedEdge) -> bool,
) -> impl Iterator<Item = Option<&str>> {
    data.blocked_edges.iter().filter(move |edge| is_meant(edge)).map(name)
}

/// Whether the pattern of a declaration matches any release.
fn matches_anything(data: &GraphData, edge: &BlockedEdge) -> Option<bool> {
    Some(data.patterns.get(&edge.from.as_ref()?.value)?.reach.any)
}

pub(super) fn file_of(finding: &Finding) -> Option<SourceId> {
    match finding.place {
        Place::Text(span) => Some(span.source),
        Place::File(file) => Some(file),
        Place::Absent(_) => None,
    }
}
