//! The files of one risk, ready for edits.

use std::collections::BTreeSet;

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::KeyLines;
use crate::graph_data::{BlockedEdge, FileKind, GraphData, LoadVerdict, tombstones_by_version};
use crate::origins::Spec;
use crate::text::{Failure, printable};

use super::text::with_target;

/// The files of a risk. There is at least one.
#[derive(Debug)]
pub(super) struct RiskFiles<'d> {
    pub(super) data: &'d GraphData,
    pub(super) name: &'d str,
    /// Sorted by target.
    pub(super) files: Vec<RiskFile<'d>>,
}

/// One file of a risk.
#[derive(Clone, Debug)]
pub(super) struct RiskFile<'d> {
    pub(super) edge: &'d BlockedEdge,
    pub(super) target: &'d Version,
    /// The target as written.
    pub(super) to: &'d str,
    pub(super) path: &'d str,
    pub(super) text: &'d str,
    /// Its keys.
    pub(super) lines: KeyLines<'d>,
}

impl<'d> RiskFiles<'d> {
    /// Fails if there is no such risk, or if only a person can edit one of its files.
    pub(super) fn of(data: &'d GraphData, name: &str) -> Result<Self, Failure> {
        let mut risks = data.declarations_by_risk();
        let Some((name, edges)) = risks.find(|(known, _)| *known == name) else {
            let names = data.declarations_by_risk().map(|(known, _)| known);
            return Err(Failure::unknown("risk", name, names));
        };
        if let Some(other) = other_spelling(data, name).filter(|other| *other != name) {
            let what = format!("some files spell `{name}` as `{other}`");
            return Err(Failure::new(what).hint("give all of them one name first"));
        }
        if let Some(path) = broken_file(data, name) {
            return Err(only_for_people(path, "the service does not load it"));
        }
        let files: Result<Vec<RiskFile<'_>>, Failure> =
            edges.into_iter().map(|edge| RiskFile::of(data, edge)).collect();
        let mut files = files?;
        files.sort_by(|a, b| a.target.cmp_precedence(b.target));
        Ok(Self { data, name, files })
    }

    /// The newest file for a release of a minor before a version.
    pub(super) fn newest_before(&self, version: &Version) -> Option<&RiskFile<'d>> {
        self.before(version).next_back()
    }

    /// The files for releases of a minor before a version, oldest first.
    fn before(&self, version: &Version) -> impl DoubleEndedIterator<Item = &RiskFile<'d>> {
        let is_older = |file: &&RiskFile<'_>| {
            Minor::of(file.target) == Minor::of(version)
                && file.target.cmp_precedence(version).is_lt()
        };
        self.files.iter().filter(is_older)
    }

    /// The file to copy for a target: of the release before it, or else the nearest one.
    pub(super) fn nearest(&self, target: &Version) -> &RiskFile<'d> {
        let is_of_minor = |file: &&RiskFile<'_>| Minor::of(file.target) == Minor::of(target);
        let older = self.files.iter().rfind(|file| file.target < target);
        let found = self.newest_before(target);
        let found = found.or_else(|| self.files.iter().find(is_of_minor));
        found.or(older).unwrap_or(&self.files[0])
    }

    /// Like `newest_before`, but the bot that promotes releases ignores the files of tombstones.
    pub(super) fn newest_promoted_before(&self, version: &Version) -> Option<&RiskFile<'d>> {
        let withdrawn = tombstones_by_version(self.data);
        let is_promoted = |file: &&RiskFile<'_>| !withdrawn.contains_key(file.target);
        self.before(version).rfind(is_promoted).or_else(|| self.newest_before(version))
    }

    /// The file for a release.
    pub(super) fn for_release(&self, release: &Version) -> Result<&RiskFile<'d>, Failure> {
        self.files.iter().find(|file| file.target == release).ok_or_else(|| {
            let what = format!("`{}` is not declared for {}", self.name, text_of(release));
            let known = self.files.iter().map(|file| file.to);
            Failure::new(what).did_you_mean_release(&text_of(release), known)
        })
    }

    /// Whether the message of each file names its own target. In current data, all files of a risk
    /// must have the same message.
    pub(super) fn messages_name_targets(&self) -> bool {
        let names_target = |file: &RiskFile<'_>| {
            let message = file.lines.lines("message").unwrap_or_default();
            with_target(message, file.to, "") != message
        };
        self.files.len() > 1 && self.files.iter().all(names_target)
    }

    pub(super) fn is_on(&self, target: &Version) -> bool {
        self.files.iter().any(|file| file.target == target)
    }

    /// The files for the releases that words like `4.18.20` and `4.18.20..4.18` name. The releases
    /// need not be in any channel. Without words, all files.
    pub(super) fn named(&self, specs: &[Spec]) -> Result<Vec<&RiskFile<'d>>, Failure> {
        if specs.is_empty() {
            return Ok(self.files.iter().collect());
        }
        for spec in specs {
            if !self.files.iter().any(|file| spec.has(file.target)) {
                let what = format!("`{}` is not declared for {spec}", self.name);
                let failure = Failure::new(what);
                let known = self.files.iter().map(|file| file.to);
                return Err(match spec.single() {
                    Some(version) => failure.did_you_mean_release(&text_of(version), known),
                    None => failure,
                });
            }
        }
        let is_named = |file: &&RiskFile<'_>| specs.iter().any(|spec| spec.has(file.target));
        Ok(self.files.iter().filter(is_named).collect())
    }

    /// The first line of a commit message: the file or the files, and what happens to them.
    pub(super) fn subject(&self, targets: &[&str], what: &str) -> String {
        subject(self.name, targets, what)
    }
}

/// The first line of a commit message about the files of a risk.
pub(super) fn subject(name: &str, targets: &[&str], what: &str) -> String {
    match targets {
        [only] => format!("blocked-edges/{only}-{name}: {what}"),
        _ => format!("blocked-edges/*-{name}: {what}"),
    }
}

impl<'d> RiskFile<'d> {
    fn of(data: &'d GraphData, edge: &'d BlockedEdge) -> Result<Self, Failure> {
        let path = data.path(edge.file);
        let file = data.file(edge.file);
        if file.verdict != LoadVerdict::Loads {
            return Err(only_for_people(path, "the service does not load it"));
        }
        let broken = || only_for_people(path, "it has no valid `to`");
        let document = file.document().ok_or_else(broken)?;
        let text = data.sources.get(edge.file).text();
        let lines = KeyLines::of(text, document).map_err(|why| only_for_people(path, why))?;
        let target = edge.target.as_ref().ok_or_else(broken)?;
        let to = edge.to.as_ref().ok_or_else(broken)?.value.as_str();
        Ok(Self { edge, target, to, path, text, lines })
    }
}

/// A file that a person has to edit first.
pub(super) fn only_for_people(path: &str, why: &str) -> Failure {
    let what = format!("{} is not in the usual form: {why}", printable(path));
    Failure::new(what).hint("nothing is changed: a person has to edit the file")
}

/// Another risk whose name differs only in upper and lower case or in `_`.
pub(super) fn other_spelling<'d>(data: &'d GraphData, name: &str) -> Option<&'d str> {
    let folded = |name: &str| name.replace('_', "").to_lowercase();
    let wanted = folded(name);
    let names = data.declarations_by_risk().map(|(known, _)| known);
    names.filter(|known| *known != name).find(|known| folded(known) == wanted)
}

/// A file that the service does not load, and whose name is like those of this risk. What it says
/// may not be what its author means, the name of the risk included.
fn broken_file<'d>(data: &'d GraphData, name: &str) -> Option<&'d str> {
    let end = format!("-{name}.yaml");
    let mut broken = data
        .files
        .iter()
        .filter(|file| file.kind == FileKind::BlockedEdge && file.verdict != LoadVerdict::Loads);
    broken.find_map(|file| Some(data.path(file.id)).filter(|path| path.ends_with(&end)))
}

/// The paths of all files, to find out which paths a new file can have.
pub(super) fn paths(data: &GraphData) -> BTreeSet<&str> {
    data.files.iter().map(|file| data.path(file.id)).collect()
}
