//! A graph-data repository in memory.
//!
//! Reading never fails and reports nothing: what is wrong with a file stays in its [`DataFile`],
//! and the rules make findings of it.

mod blocked_edge;
mod budget;
mod channel;
mod consumer;
mod data_file;
mod groups;
mod kind;
mod matched;
mod not_loaded;
mod pattern;
mod places;
mod production;
mod query;
mod release_data;
mod release_pairs;
mod releases;
mod renames;
mod schema_version;
mod suggestions;
mod text;

pub(crate) use blocked_edge::{Affected, BlockedEdge};
pub use channel::Channel;
pub(crate) use channel::{Feeder, Filter, ListedVersion};
pub use consumer::Consumer;
pub(crate) use consumer::Meaning;
pub(crate) use data_file::{DataFile, NoDocument};
pub(crate) use kind::{FileKind, Location};
pub(crate) use matched::Matched;
pub(crate) use not_loaded::not_loaded;
pub(crate) use pattern::fault as pattern_fault;
pub(crate) use pattern::{Match, Matcher, Pattern, PatternError, Patterns, Reached, Walk};
pub use production::LoadVerdict;
pub(crate) use query::{Queries, Reading};
pub(crate) use release_pairs::ReleasePairs;
pub(crate) use releases::{NEXT, Release, ReleaseId, Releases};
pub(crate) use renames::Renames;
pub(crate) use schema_version::SchemaVersion;
pub(crate) use suggestions::{Bound, BuildSuggestions, Ranges, VersionRange};
pub(crate) use text::Text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::coverage::Metric;
use crate::domain::{Arena, HashMap, Minor, SharedList, Version};
use crate::text::{Source, SourceId, Sources};
use crate::tree::{self, Blob, TreeError, WantedPaths};

use groups::{DeclarationGroup, DeclarationsOfPattern};
use release_data::ReleaseData;

/// The files and folders to read.
pub(crate) const WANTED: WantedPaths = WantedPaths {
    folders: &["blocked-edges", "build-suggestions", "channels", "internal-channels", "risk-tests"],
    files: &["raw/metadata.json", "version"],
};

/// A parsed repository. States of it share what is the same.
#[derive(Clone, Debug)]
pub struct GraphData {
    /// The text of every file.
    pub sources: Arc<Sources>,
    /// All files in the data folders, sorted by path. Those of `blocked-edges/` are the last.
    pub files: Arc<Arena<SourceId, DataFile>>,
    /// What `blocked-edges/` declares.
    pub blocked_edges: SharedList<BlockedEdge>,
    /// What `channels/` and `internal-channels/` declare.
    pub channels: SharedList<Channel>,
    /// What `build-suggestions/` says.
    pub suggestions: Arc<Vec<BuildSuggestions>>,
    /// All releases in channels.
    pub releases: Arc<Releases>,
    /// What `version` says.
    pub schema_version: Option<SchemaVersion>,
    /// All `from` patterns, each compiled once.
    pub patterns: Arc<Patterns>,
    by_risk: OnceLock<Vec<DeclarationGroup>>,
    by_pattern: OnceLock<Vec<DeclarationsOfPattern>>,
    /// All queries, each parsed once.
    pub queries: Arc<Queries>,
}

/// The files in the order of their ids. Those of `blocked-edges/` are the last, so that a new
/// declaration does not give other ids to the files about releases.
pub(crate) fn in_order_of_ids(blobs: Vec<Blob>) -> Vec<Blob> {
    let (mut blobs, declarations): (Vec<Blob>, Vec<Blob>) =
        blobs.into_iter().partition(|blob| !is_declaration(&blob.path));
    blobs.extend(declarations);
    blobs
}

/// Reads the files of a repository in a folder, or at a git revision.
pub fn blobs(root: &Path, revision: Option<&str>) -> Result<Vec<Blob>, TreeError> {
    match revision {
        Some(revision) => tree::read_revision(root, revision, WANTED),
        None => tree::read_folder(root, WANTED),
    }
}

impl GraphData {
    /// Parses the files of a repository. Accepts any content.
    pub fn from_blobs(blobs: Vec<Blob>) -> Self {
        Self::read(blobs, None)
    }

    /// Parses another state of this repository, and reuses what is the same.
    pub fn another(&self, blobs: Vec<Blob>) -> Self {
        Self::read(blobs, Some(self))
    }

    /// A query alone, as if it were the only file of a repository.
    pub(crate) fn of_query(name: &str, text: &str) -> Self {
        let mut data = Self::from_blobs(Vec::new());
        let file = DataFile::of_query(SourceId::at(0));
        data.queries = Arc::new(Queries::alone(text, &file));
        data.sources = Arc::new(Sources::new(vec![Source::new(name.to_owned(), text.to_owned())]));
        data.files = Arc::new([file].into_iter().collect());
        data
    }

    /// Adds what the repository says about metrics.
    pub(crate) fn describing(mut self, metrics: &BTreeMap<String, Metric>) -> Self {
        // No other state shares these queries yet.
        if let Some(queries) = Arc::get_mut(&mut self.queries) {
            queries.describe(metrics);
        }
        self
    }

    fn read(blobs: Vec<Blob>, other: Option<&Self>) -> Self {
        let mut blobs = in_order_of_ids(blobs);
        budget::limit(&mut blobs, other);
        let schema_version = blobs.iter().enumerate().find_map(|(i, blob)| match &blob.content {
            Ok(bytes) if blob.path == "version" => SchemaVersion::read(SourceId::at(i), bytes),
            _ => None,
        });
        let declared = schema_version.as_ref();
        let read: Vec<(Arc<Source>, DataFile)> = blobs
            .into_par_iter()
            .enumerate()
            .with_min_len(16)
            .map(|(i, blob)| DataFile::read(blob, SourceId::at(i), declared, other))
            .collect();
        let (sources, files): (Vec<Arc<Source>>, Vec<DataFile>) = read.into_iter().unzip();
        let mut files: Arena<SourceId, DataFile> = files.into_iter().collect();
        let sources = Sources::shared(sources);
        let ReleaseData { channels, suggestions, releases, pairs } =
            match other.filter(|other| other.has_all_of(&files, FileKind::is_about_releases)) {
                Some(other) => other.release_data(),
                None => ReleaseData::read(&files, &sources, other),
            };
        let alike = other.filter(|other| Arc::ptr_eq(&releases, &other.releases));
        let known = |file: &DataFile| {
            let other = other.filter(|other| other.has_in_place(file))?;
            let edge = other.blocked_edges.find(&file.id, |edge| edge.file)?;
            Some(match &pairs {
                Some(pairs) => BlockedEdge::among(edge, pairs, &releases),
                None => Arc::clone(edge),
            })
        };
        let read = |file| known(file).or_else(|| BlockedEdge::read(file, &releases).map(Arc::new));
        let blocked_edges: Vec<Arc<BlockedEdge>> =
            files.par_iter().with_min_len(64).filter_map(read).collect();
        let blocked_edges: SharedList<BlockedEdge> = blocked_edges.into_iter().collect();
        let same = alike.filter(|other| blocked_edges.is_shared_with(&other.blocked_edges));
        let patterns = if let Some(other) = same {
            Arc::clone(&other.patterns)
        } else {
            let between = |other: &Self| ReleasePairs::between(&other.releases, &releases);
            let pairs = pairs.or_else(|| other.map(between));
            let known = other.zip(pairs.as_ref()).map(|(other, pairs)| (&*other.patterns, pairs));
            Arc::new(Patterns::compile(&blocked_edges, &releases, known))
        };
        production::add_verdicts_on_patterns(&mut files, &blocked_edges, &patterns);
        let queries = if let Some(other) = same {
            Arc::clone(&other.queries)
        } else {
            let minors = |edge: &BlockedEdge| {
                minors_of(reached_by(&patterns, edge).unwrap_or_default(), &releases)
            };
            let other = other.map(|other| &*other.queries);
            Arc::new(Queries::read(&blocked_edges, other, minors))
        };
        Self {
            sources: Arc::new(sources),
            files: Arc::new(files),
            blocked_edges,
            channels,
            suggestions,
            releases,
            schema_version,
            patterns,
            by_risk: OnceLock::new(),
            by_pattern: OnceLock::new(),
            queries,
        }
    }

    /// This state with some of its declarations only.
    pub(crate) fn with_declarations(&self, is_kept: impl Fn(&BlockedEdge) -> bool) -> Self {
        let blocked_edges = self.blocked_edges.only(is_kept);
        let (by_risk, by_pattern) = (OnceLock::new(), OnceLock::new());
        Self { blocked_edges, by_risk, by_pattern, ..self.clone() }
    }

    /// This state with some of its channels only.
    pub(crate) fn with_channels(&self, is_kept: impl Fn(&Channel) -> bool) -> Self {
        Self { channels: self.channels.only(is_kept), ..self.clone() }
    }

    /// Whether the files of some kinds are the same, in the same places.
    fn has_all_of(
        &self,
        files: &Arena<SourceId, DataFile>,
        is_meant: impl Fn(FileKind) -> bool,
    ) -> bool {
        let count = |files: &Arena<SourceId, DataFile>| {
            files.iter().filter(|file| is_meant(file.kind)).count()
        };
        let mut meant = files.iter().filter(|file| is_meant(file.kind));
        count(&self.files) == count(files) && meant.all(|file| self.has_in_place(file))
    }

    /// Whether a file of another state of the repository is also in this one, with the same id.
    fn has_in_place(&self, file: &DataFile) -> bool {
        file.is_shared_with(self.files.get(file.id.index()))
    }

    /// Whether another state of the repository has the same declarations in the same files, the
    /// same releases, and the same tombstones. If so, declaration rules find the same in both.
    pub(crate) fn declares_as(&self, other: &Self) -> bool {
        self.releases.are_those_of(&other.releases)
            && self.has_tombstones_of(other)
            && self.has_declarations_of(other)
    }

    /// Whether another state of the repository has the same declarations in the same files.
    /// `raw/metadata.json` can also add updates, so it is compared, too.
    fn has_declarations_of(&self, other: &Self) -> bool {
        self.has_files_of(other, &[FileKind::BlockedEdge, FileKind::RawMetadata], |_, _| true)
    }

    /// Whether the update service reads everything but declarations from the same files as in
    /// another state of the repository.
    #[cfg(feature = "lsp")]
    pub(crate) fn loads_metadata_of(&self, other: &Self) -> bool {
        let is_loaded_alike = |one: &DataFile, other: &DataFile| one.verdict == other.verdict;
        self.has_schema_version_of(other)
            && self.has_files_of(other, &[FileKind::RawMetadata], is_loaded_alike)
    }

    /// Whether the update service loads the same channels from another state of the repository.
    #[cfg(feature = "lsp")]
    pub(crate) fn loads_channels_of(&self, other: &Self) -> bool {
        let is_loaded_alike =
            |channel: &Channel| self.file(channel.file).verdict == other.file(channel.file).verdict;
        self.channels.is_shared_with(&other.channels) && self.channels.iter().all(is_loaded_alike)
    }

    #[cfg(feature = "lsp")]
    fn has_schema_version_of(&self, other: &Self) -> bool {
        let text = |data: &Self| data.schema_version.as_ref().map(|one| one.text.value.clone());
        text(self) == text(other)
    }

    fn has_files_of(
        &self,
        other: &Self,
        kinds: &[FileKind],
        is_alike: impl Fn(&DataFile, &DataFile) -> bool,
    ) -> bool {
        let is_meant = |file: &&DataFile| kinds.contains(&file.kind);
        let count = |data: &Self| data.files.iter().filter(is_meant).count();
        let is_same = |file: &DataFile| {
            let other_file = other.at_path_near(self.path(file.id), file.id);
            file.is_shared_with(other_file) && other_file.is_some_and(|other| is_alike(file, other))
        };
        count(self) == count(other) && self.files.iter().filter(is_meant).all(is_same)
    }

    /// Whether another state of the repository has the same tombstones in the same files.
    pub(crate) fn has_tombstones_of(&self, other: &Self) -> bool {
        self.placed_tombstones().eq(other.placed_tombstones())
    }

    fn placed_tombstones(&self) -> impl Iterator<Item = (&str, &str)> {
        self.channels.iter().flat_map(|channel| {
            let path = self.path(channel.file);
            channel.tombstones.iter().map(move |member| (path, member.text.value.as_str()))
        })
    }

    /// Whether the update service loads the same declarations from another state of the repository,
    /// in files with the same ids.
    #[cfg(feature = "lsp")]
    pub(crate) fn loads_declarations_of(&self, other: &Self) -> bool {
        let mut pairs = self.blocked_edges.iter().zip(&other.blocked_edges);
        let are_loaded_alike = |(one, other_edge): (&BlockedEdge, &BlockedEdge)| {
            let file = one.file;
            file == other_edge.file && self.file(file).verdict == other.file(file).verdict
        };
        self.has_schema_version_of(other)
            && self.blocked_edges.len() == other.blocked_edges.len()
            && pairs.all(are_loaded_alike)
            && self.has_declarations_of(other)
    }

    fn release_data(&self) -> ReleaseData {
        ReleaseData {
            channels: self.channels.clone(),
            suggestions: Arc::clone(&self.suggestions),
            releases: Arc::clone(&self.releases),
            pairs: None,
        }
    }

    /// The file of an id.
    pub fn file(&self, id: SourceId) -> &DataFile {
        &self.files[id]
    }

    /// The releases that the pattern of a declaration matches, among the possible origins of its
    /// target, oldest first. None if its pattern or its target is unknown.
    pub fn reached(&self, edge: &BlockedEdge) -> Option<&[Reached]> {
        reached_by(&self.patterns, edge)
    }

    /// The names of risks, sorted, and the declarations of each, in the order of their files.
    pub(crate) fn declarations_by_risk(&self) -> impl Iterator<Item = (&str, Vec<&BlockedEdge>)> {
        let groups = self.by_risk.get_or_init(|| groups::by_risk(&self.blocked_edges));
        groups.iter().filter_map(|places| {
            let edges: Vec<&BlockedEdge> =
                places.iter().map(|place| &self.blocked_edges[*place]).collect();
            let name = edges.first()?.name.as_ref()?;
            Some((name.value.as_str(), edges))
        })
    }

    /// The declarations by risk and pattern, without patterns that are empty or do not compile.
    pub(crate) fn declarations_by_pattern(&self) -> &[DeclarationsOfPattern] {
        self.by_pattern.get_or_init(|| groups::by_pattern(&self.blocked_edges, &self.patterns))
    }

    /// All files, sorted by path.
    pub(crate) fn files_by_path(&self) -> impl Iterator<Item = &DataFile> {
        let is_first = |file: &DataFile| !is_declaration(self.path(file.id));
        let (others, declarations) = self.files.split_at(self.files.partition_point(is_first));
        declarations.iter().chain(others)
    }

    /// The file at a path.
    pub fn at_path(&self, path: &str) -> Option<&DataFile> {
        let place = |path| (is_declaration(path), path);
        let found = self.files.binary_search_by(|file| place(self.path(file.id)).cmp(&place(path)));
        found.ok().map(|place| &self.files[SourceId::at(place)])
    }

    /// The file at a path, which probably has this id.
    pub(crate) fn at_path_near(&self, path: &str, id: SourceId) -> Option<&DataFile> {
        let near = self.files.get(id.index()).filter(|_| self.path(id) == path);
        near.or_else(|| self.at_path(path))
    }

    /// The path of a file, relative to the repository.
    pub fn path(&self, id: SourceId) -> &str {
        self.sources.get(id).path()
    }
}

fn is_declaration(path: &str) -> bool {
    path.starts_with("blocked-edges/")
}

/// The tombstones of all channels: releases that are not promoted any further.
pub(crate) fn tombstones(data: &GraphData) -> BTreeSet<ReleaseId> {
    let tombstones = data.channels.iter().flat_map(|channel| &channel.tombstones);
    tombstones.filter_map(|tombstone| tombstone.release).collect()
}

/// The tombstones by version. If a version is repeated, the last one counts.
pub(crate) fn tombstones_by_version(data: &GraphData) -> HashMap<&Version, &ListedVersion> {
    let tombstones = data.channels.iter().flat_map(|channel| &channel.tombstones);
    tombstones.filter_map(|tombstone| Some((tombstone.version.as_ref()?, tombstone))).collect()
}

/// The minor versions of releases, which are in order. Few clusters run pre-releases, so these
/// count only if there are no other releases.
fn minors_of(reached: &[Reached], releases: &Releases) -> BTreeSet<Minor> {
    let release = |one: &Reached| releases.get(one.release);
    let (mut minors, mut general) = (BTreeSet::new(), BTreeSet::new());
    let mut rest = reached;
    while let Some(first) = rest.first() {
        let minor = release(first).minor;
        let (own, later) = rest.split_at(rest.partition_point(|one| release(one).minor <= minor));
        minors.insert(minor);
        if own.iter().rev().any(|one| release(one).is_general()) {
            general.insert(minor);
        }
        rest = later;
    }
    if general.is_empty() { minors } else { general }
}

/// The releases that the pattern of a declaration matches, among the possible origins of its
/// target.
fn reached_by<'p>(patterns: &'p Patterns, edge: &BlockedEdge) -> Option<&'p [Reached]> {
    let pattern = patterns.get(&edge.from.as_ref()?.value)?;
    edge.target.as_ref().map(|_| pattern.reach.within(&edge.possible_origins))
}

#[cfg(test)]
mod tests {
    use super::GraphData;
    use crate::tree::Blob;

    #[test]
    fn files_are_found_and_sorted_by_path() {
        let paths = [
            "blocked-edges/4.14.0.yaml",
            "blocked-edges/OWNERS",
            "build-suggestions/4.14.yaml",
            "channels/stable-4.14.yaml",
            "raw/metadata.json",
            "version",
        ];
        let blobs = paths.map(|path| Blob::new(path.to_owned(), Ok(Vec::new())));
        let data = GraphData::from_blobs(blobs.to_vec());
        let sorted: Vec<&str> = data.files_by_path().map(|file| data.path(file.id)).collect();
        assert_eq!(sorted, paths);
        for path in paths {
            assert_eq!(data.at_path(path).map(|file| data.path(file.id)), Some(path));
        }
    }
}
