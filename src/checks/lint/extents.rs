//! What rules find depends on nothing else than their extents say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::graph_data::{Channel, GraphData, blobs};
use crate::rules::{Check, Extent, Finding, RULES, Rule, Updates};
use crate::tree::Blob;

use super::edited_part::name;
use super::kept::{DataEdit, KeptFindings, file_of};
use super::{Found, check_file, is_about_a_file};

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
        assert!(self.seen > 5, "{}", self.seen);
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
    Extent::Texts,
    Extent::TextsOfOneRisk,
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
        for rule in rules_of(&[
            Extent::Texts,
            Extent::TextsOfOneRisk,
            Extent::Declarations,
            Extent::OneRisk,
        ]) {
            all.hold(rule.name, &root, (found(rule, &data), found(rule, &alone)));
        }
    }
    all.end();
}

#[test]
fn rules_about_a_file_ignore_other_risks() {
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| is_about_a_file(rule)).collect();
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
            for rule in
                rules_of(&[Extent::TextsOfOneRisk, Extent::OneRisk, Extent::OneRiskInChannels])
            {
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
