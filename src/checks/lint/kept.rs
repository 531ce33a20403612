//! The findings of an earlier state of a repository that an edit does not change.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::domain::{Arena, HashMap, HashSet};
use crate::graph_data::{BlockedEdge, DataFile, FileKind, GraphData, ReleaseId};
use crate::rules::{Check, Extent, Finding, Outlook, Place, Rule, Updates};
use crate::text::SourceId;

use super::Found;
use super::edited_part::{Part, name};
use super::moved_releases::{MovedRelease, moved_releases};

/// What rules found.
#[derive(Debug, Default)]
pub(crate) struct KeptFindings {
    /// The findings of rules about one file.
    in_files: HashMap<SourceId, Vec<Finding>>,
    /// What the rules about all files found, by code, if their findings do not depend on
    /// everything.
    by_rule: HashMap<&'static str, Vec<Finding>>,
}

/// An edit of declarations and channels, and what the rules found before it.
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
        if changed.iter().any(|kind| *kind != FileKind::BlockedEdge && !kind.is_channel()) {
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
            moved: OnceLock::new(),
            risks_among_releases: OnceLock::new(),
            risks_in_channels: OnceLock::new(),
            channels: OnceLock::new(),
            same_before,
            same_after,
            changed,
            has_same_updates: Arc::ptr_eq(&before.releases, &after.releases)
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
            Extent::OneRisk => self.found_in_part(rule, self.risks_among_releases()?),
            Extent::OneRiskInChannels => self.found_in_part(rule, self.risks_in_channels()?),
            _ if !self.has_same_updates => None,
            Extent::OneChannel => self.found_in_part(rule, self.channels()),
            Extent::Declarations if self.changed.contains(&FileKind::BlockedEdge) => None,
            Extent::Declarations => self.all_found_by(rule),
        }
    }

    fn changes_channels(&self) -> bool {
        self.changed.iter().any(|kind| kind.is_channel())
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
            let came_or_went: Vec<&MovedRelease> =
                moved.iter().filter(|release| !release.is_in_both()).collect();
            let relisted: BTreeSet<ReleaseId> = match self.outlook {
                Some(outlook) => {
                    let relisted = outlook.relisted()?;
                    relisted.filter_map(|version| self.after.releases.find(version)).collect()
                }
                None => BTreeSet::new(),
            };
            self.after.patterns.take_meanings(&self.before.patterns, |pattern| {
                !came_or_went.iter().any(|one| one.decides_what_is_written(pattern))
            });
            let went = came_or_went.iter().filter(|one| one.before.is_some());
            let old = |edge: &BlockedEdge| {
                self.risks.before.contains(&edge.file)
                    || went.clone().any(|one| one.decides(edge, one.before, self.before))
            };
            let came = came_or_went.iter().filter(|one| one.after.is_some());
            let new = |edge: &BlockedEdge| {
                self.risks.after.contains(&edge.file)
                    || edge.release.is_some_and(|release| relisted.contains(&release))
                    || matches_anything(self.before, edge) != matches_anything(self.after, edge)
                    || came.clone().any(|one| one.decides(edge, one.after, self.after))
            };
            Some(self.part_with(old, new))
        });
        part.as_ref()
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
    use std::sync::Arc;

    use super::super::{check_file, is_about_a_file};
    use super::{DataEdit, Found, KeptFindings, file_of, name};
    use crate::graph_data::{Channel, GraphData, blobs};
    use crate::rules::{Check, Extent, Finding, RULES, Rule, Updates};
    use crate::tree::Blob;

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

    fn rules_of(extents: &[Extent]) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().copied().filter(|rule| extents.contains(&rule.extent()))
    }

    /// A repository as it is; with a twin of each risk, which has another name and the same
    /// declarations; with such twins for another target; and with another name in the first file of
    /// each risk.
    fn with_other_risks(root: &Path) -> [Vec<Blob>; 4] {
        let files = blobs(root, None).unwrap_or_default();
        let releases = GraphData::from_blobs(files.clone()).releases;
        let newest = releases.iter().next_back().map(|(_, newest)| newest.text.clone());
        let with_twins = |target: Option<&str>| {
            let mut twins = files.clone();
            twins.extend(files.iter().filter_map(|file| {
                let stem = file.path.strip_suffix(".yaml")?;
                Some(Blob { path: format!("{stem}-twin.yaml"), ..renamed(file, target)? })
            }));
            twins.sort_by(|one, other| one.path.cmp(&other.path));
            twins
        };
        let mut seen = BTreeSet::new();
        let mut is_first = |file: &Blob| {
            let text = String::from_utf8_lossy(file.content.as_deref().unwrap_or_default());
            seen.insert(text.lines().find(|line| line.starts_with("name: ")).map(str::to_owned))
        };
        let first_renamed = files.iter().map(|file| match renamed(file, None) {
            Some(renamed) if is_first(file) => renamed,
            _ => file.clone(),
        });
        let first_renamed = first_renamed.collect();
        [files.clone(), with_twins(None), with_twins(newest.as_deref()), first_renamed]
    }

    /// A file of a risk with another name, and perhaps another target. None if it is not a file of
    /// a risk.
    fn renamed(file: &Blob, target: Option<&str>) -> Option<Blob> {
        let text = String::from_utf8(file.content.clone().ok()?).ok()?;
        let mut other = text.replace("\nname: ", "\nname: Other");
        let is_risk = file.path.starts_with("blocked-edges/") && other != text;
        if let (Some(target), Some(rest)) = (target, text.strip_prefix("to: ")) {
            let rest = rest.split_once('\n')?.1.replace("\nname: ", "\nname: Other");
            other = format!("to: {target}\n{rest}");
        }
        is_risk.then(|| Blob::new(file.path.clone(), Ok(other.into_bytes())))
    }

    /// A repository without the declarations of other risks. All files have the same ids.
    fn with_one_risk(files: &[Blob], whole: &GraphData, risk: Option<&str>) -> GraphData {
        let is_of_another = |file: &Blob| {
            let id = whole.at_path(&file.path).map(|file| file.id);
            whole.blocked_edges.iter().any(|edge| Some(edge.file) == id && name(edge) != risk)
        };
        let files = files.iter().map(|file| {
            if is_of_another(file) {
                Blob::new(file.path.clone(), Ok(Vec::new()))
            } else {
                file.clone()
            }
        });
        GraphData::from_blobs(files.collect())
    }

    /// A repository with the same declarations and releases, whose channels have only tombstones.
    fn with_nothing_but_tombstones(data: &GraphData) -> GraphData {
        let emptied = |channel: &Channel| Channel {
            versions: Vec::new(),
            releases: Vec::new(),
            feeder: None,
            ..channel.clone()
        };
        let mut alone = data.with_declarations(|_| true);
        alone.channels = data.channels.iter().map(|channel| Arc::new(emptied(channel))).collect();
        alone.suggestions = Arc::default();
        alone
    }

    /// Compares what rules find in all and in a part of a repository.
    #[derive(Default)]
    struct Comparison {
        seen: usize,
        differing: BTreeSet<String>,
    }

    impl Comparison {
        fn hold(&mut self, rule: &str, root: &Path, (whole, part): (Vec<Finding>, Vec<Finding>)) {
            self.seen += whole.len();
            if told(whole) != told(part) {
                self.differing.insert(format!("{rule} in {}", root.display()));
            }
        }

        fn end(self) {
            assert_eq!(self.differing, BTreeSet::new());
            assert!(self.seen > 9, "{}", self.seen);
        }
    }

    #[test]
    fn rules_about_channels_ignore_declarations() {
        let mut all = Comparison::default();
        for root in repositories() {
            let data = GraphData::from_blobs(blobs(&root, None).unwrap_or_default());
            let without = data.with_declarations(|_| false);
            for rule in rules_of(&[Extent::Channels]) {
                all.hold(rule.name, &root, (found(rule, &data), found(rule, &without)));
            }
        }
        all.end();
    }

    #[test]
    fn rules_about_one_channel_ignore_other_channels() {
        let mut all = Comparison::default();
        for root in repositories() {
            let data = GraphData::from_blobs(blobs(&root, None).unwrap_or_default());
            for rule in rules_of(&[Extent::OneChannel]) {
                let part = |channel: &Channel| {
                    found(rule, &data.with_channels(|other| other.file == channel.file))
                };
                let parts = data.channels.iter().flat_map(part).collect();
                all.hold(rule.name, &root, (found(rule, &data), parts));
            }
        }
        all.end();
    }

    /// The states of a repository in which one channel lacks one release.
    fn with_a_release_less(files: &[Blob], data: &GraphData) -> Vec<GraphData> {
        let mut states = Vec::new();
        for channel in &data.channels {
            let path = data.path(channel.file);
            let text = data.sources.get(channel.file).text();
            for member in &channel.versions {
                let line = format!("- {}\n", member.text.value);
                let mut edited = files.to_vec();
                let file = edited.iter_mut().find(|file| file.path == path);
                if let Some(file) = file.filter(|_| text.contains(&line)) {
                    file.content = Ok(text.replace(&line, "").into_bytes());
                    states.push(data.another(edited));
                }
            }
        }
        states
    }

    #[test]
    fn an_edit_of_a_channel_keeps_what_it_does_not_change() {
        let mut all = Comparison::default();
        let mut kept = BTreeSet::new();
        for root in repositories() {
            let files = blobs(&root, None).unwrap_or_default();
            let before = GraphData::from_blobs(files.clone());
            let by_rule = rules_of(LIMITED).map(|rule| (rule, found_anywhere(rule, &before)));
            let found = Found { in_files: Vec::new(), by_rule: by_rule.collect() };
            let known = KeptFindings::of(&found);
            for after in with_a_release_less(&files, &before) {
                let Some(edit) = DataEdit::between(&before, &known, &after, None) else { continue };
                for rule in rules_of(LIMITED) {
                    let Some(findings) = edit.found_by(rule) else { continue };
                    kept.insert(rule.extent());
                    all.hold(rule.name, &root, (found_anywhere(rule, &after), findings));
                }
            }
        }
        assert_eq!(kept.len(), LIMITED.len() - 1, "all but those about all channels: {kept:?}");
        all.end();
    }

    /// The extents of rules whose findings can be kept.
    const LIMITED: &[Extent] = &[
        Extent::Channels,
        Extent::OneChannel,
        Extent::Declarations,
        Extent::OneRisk,
        Extent::OneRiskInChannels,
    ];

    /// Also what a rule about risks finds elsewhere.
    fn found_anywhere(rule: &Rule, data: &GraphData) -> Vec<Finding> {
        let mut findings = found(rule, data);
        if let Check::Risks(_, elsewhere) = rule.check {
            elsewhere(data, &mut findings);
        }
        findings
    }

    #[test]
    fn rules_about_declarations_ignore_channels() {
        let mut all = Comparison::default();
        for root in repositories() {
            let data = GraphData::from_blobs(blobs(&root, None).unwrap_or_default());
            let alone = with_nothing_but_tombstones(&data);
            for rule in rules_of(&[Extent::Declarations, Extent::OneRisk]) {
                all.hold(rule.name, &root, (found(rule, &data), found(rule, &alone)));
            }
        }
        all.end();
    }

    #[test]
    fn rules_about_a_file_ignore_other_risks() {
        let rules: Vec<&Rule> =
            RULES.iter().copied().filter(|rule| is_about_a_file(rule)).collect();
        let mut all = Comparison::default();
        for root in repositories() {
            for data in with_other_risks(&root).map(GraphData::from_blobs) {
                for edge in &data.blocked_edges {
                    let file = data.file(edge.file);
                    let part = data.with_declarations(|other| name(other) == name(edge));
                    let [whole, part] = [&data, &part].map(|data| check_file(data, file, &rules));
                    all.hold(data.path(edge.file), &root, (whole, part));
                }
            }
        }
        all.end();
    }

    #[test]
    fn rules_about_one_risk_ignore_other_risks() {
        let mut all = Comparison::default();
        for root in repositories() {
            for files in with_other_risks(&root) {
                let data = GraphData::from_blobs(files.clone());
                let risks: BTreeSet<Option<&str>> = data.blocked_edges.iter().map(name).collect();
                let parts = risks.iter().map(|risk| with_one_risk(&files, &data, *risk));
                let parts: Vec<GraphData> = parts.collect();
                for rule in rules_of(&[Extent::OneRisk, Extent::OneRiskInChannels]) {
                    let whole = found(rule, &data);
                    let is_in_a_file = |finding: &Finding| {
                        let file = file_of(finding);
                        data.blocked_edges.iter().any(|edge| Some(edge.file) == file)
                    };
                    if !whole.iter().all(is_in_a_file) {
                        continue;
                    }
                    let of_parts = parts.iter().flat_map(|part| found(rule, part)).collect();
                    all.hold(rule.name, &root, (whole, of_parts));
                }
            }
        }
        all.end();
    }
}
