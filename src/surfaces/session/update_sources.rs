//! Reads the updates that releases list: from files, folders, or the git history.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::assembly::assemble;
#[cfg(feature = "lsp")]
use crate::assembly::{edit_graph, reassemble};
use crate::domain::{Arch, Architectures};
use crate::graph::UpdateGraph;
use crate::graph_data::{Consumer, DataFile, FileKind, GraphData, Releases};
use crate::history::Cache;
use crate::lineage::{ChannelAges, Lineage, Past, Policy, Predictions, ReleaseSource, Supported};
use crate::lint::Config;
use crate::rules::Outlook;
use crate::text::Failure;
use crate::yaml::Document;

#[derive(Clone, Copy, Debug)]
pub(crate) struct SourcesRequest<'a> {
    /// Files and folders, or `history`. If empty, the config decides.
    pub named: &'a [PathBuf],
    /// Whether to use the cache of the history.
    pub uses_cache: bool,
}

#[derive(Debug)]
pub(crate) struct UpdateSources {
    named: Vec<ReleaseSource>,
    past: Past,
    last: Mutex<Option<LastLineage>>,
}

/// What decides which updates the releases of a repository list.
#[derive(Debug)]
struct LineageInputs {
    releases: Arc<Releases>,
    documents: Vec<Arc<Document>>,
}

impl LineageInputs {
    fn are_those_of(&self, other: &Self) -> bool {
        let mut pairs = self.documents.iter().zip(&other.documents);
        self.releases.are_those_of(&other.releases)
            && self.documents.len() == other.documents.len()
            && pairs.all(|(one, other)| Arc::ptr_eq(one, other))
    }
}

/// The updates of one state of the repository.
#[derive(Debug)]
struct LastLineage {
    inputs: LineageInputs,
    of_responses: Arch,
    all: Vec<Arch>,
    lineage: Arc<Lineage>,
    /// None if the updates are not predicted.
    predictions: Option<Arc<Predictions>>,
}

impl SourcesRequest<'_> {
    /// Reads the sources, and the history in parallel with `work`.
    pub(super) fn read_during<T>(
        &self,
        root: &Path,
        revision: Option<&str>,
        config: &Config,
        work: impl FnOnce() -> T,
    ) -> Result<(T, UpdateSources), Failure> {
        let is_history = |path: &Path| path.as_os_str() == "history";
        let configured: Vec<PathBuf> = match self.named {
            [] => {
                let files = config.releases.iter().filter(|path| *path != "history");
                files.map(|path| root.join(path)).collect()
            }
            _ => Vec::new(),
        };
        let named = self.named.iter().chain(&configured).filter(|path| !is_history(path));
        let named: Vec<ReleaseSource> =
            named.map(|path| ReleaseSource::read(path)).collect::<Result<_, _>>()?;
        let needs_past = named.is_empty() || named.iter().any(ReleaseSource::is_answer);
        let cache = if self.uses_cache { Cache::of_user() } else { Cache::none() };
        let (done, past) = thread::scope(|scope| {
            let past = scope.spawn(|| {
                if needs_past {
                    Past::read(root, revision, &cache)
                } else {
                    Ok(Past::day(root, revision))
                }
            });
            let done = work();
            (done, past.join().unwrap_or_else(|_| Ok(Past::default())))
        });
        Ok((done, UpdateSources { named, past: past?, last: Mutex::default() }))
    }
}

impl UpdateSources {
    /// Whether the history alone decides, and no file that can change.
    pub(super) fn are_from_history(&self) -> bool {
        self.named.is_empty()
    }

    /// What the updates lack if they need a history that is missing or incomplete.
    pub(crate) fn note_on_history(&self) -> Option<&str> {
        self.past.note()
    }

    /// The updates that releases list.
    pub(super) fn lineage(
        &self,
        data: &GraphData,
        architectures: Architectures<'_>,
    ) -> Arc<Lineage> {
        let Architectures { all, of_responses } = architectures;
        let inputs = self.lineage_inputs(data);
        let is_same = |last: &LastLineage| {
            last.of_responses == of_responses
                && last.all == all
                && last.inputs.are_those_of(&inputs)
        };
        let known = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = known.as_ref().filter(|last| is_same(last)) {
            return Arc::clone(&last.lineage);
        }
        let earlier = known.as_ref().and_then(|last| last.predictions.clone());
        drop(known);
        let (lineage, predictions) = if self.named.is_empty() {
            let (lineage, predictions) =
                Lineage::predicted_after(earlier.as_deref(), data, &self.past, all);
            (lineage, Some(Arc::new(predictions)))
        } else {
            (Lineage::of(&self.named, of_responses, data, all, &self.past), None)
        };
        let (lineage, all) = (Arc::new(lineage), all.to_vec());
        let last =
            LastLineage { inputs, of_responses, all, lineage: Arc::clone(&lineage), predictions };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
        lineage
    }

    /// If updates are predicted from the whole history, it does not matter in which channels the
    /// releases are.
    fn lineage_inputs(&self, data: &GraphData) -> LineageInputs {
        let reads_channels = !self.named.is_empty() || !self.past.is_whole();
        let is_read = |file: &&DataFile| match file.kind {
            FileKind::BuildSuggestions => true,
            kind => reads_channels && kind.is_about_releases(),
        };
        let documents = data.files.iter().filter(is_read);
        let documents = documents.filter_map(|file| file.document.as_ref().ok().cloned());
        LineageInputs { releases: Arc::clone(&data.releases), documents: documents.collect() }
    }

    /// The updates that releases list. Both states of a repository share them, because a change of
    /// the repository does not change what releases list.
    pub(super) fn lineage_of_both(
        &self,
        before: &GraphData,
        after: &GraphData,
        architectures: Architectures<'_>,
    ) -> Arc<Lineage> {
        let lineage = self.lineage(after, architectures);
        let mut releases_before = before.releases.iter();
        if releases_before.all(|(_, release)| after.releases.find(&release.version).is_some()) {
            return lineage;
        }
        let before = Arc::unwrap_or_clone(self.lineage(before, architectures));
        Arc::new(Arc::unwrap_or_clone(lineage).with_missing_from(before))
    }

    pub(super) fn supported(
        &self,
        data: &GraphData,
        lineage: &Lineage,
        policy: &Policy,
    ) -> Supported {
        Supported::of(data, lineage, &self.past, policy.clone())
    }

    /// How long channels have had their releases.
    pub(super) fn ages(&self) -> ChannelAges {
        ChannelAges::of(&self.past)
    }

    /// The graph of a repository for rules. Rules report versions without architectures, so one
    /// architecture is enough.
    pub(crate) fn outlook(&self, data: &GraphData, policy: &Policy) -> Outlook {
        self.outlook_with(data, policy, |lineage| assemble(data, lineage, Consumer::Schema1_1))
    }

    /// The graph of a repository for rules after an edit. What the edit does not change is not
    /// computed again. The state before has the same commit and settings.
    #[cfg(feature = "lsp")]
    pub(super) fn outlook_after(
        &self,
        data: &GraphData,
        policy: &Policy,
        data_before: &GraphData,
        mut before: Outlook,
    ) -> Outlook {
        let consumer = Consumer::Schema1_1;
        let lists_same_updates =
            self.lineage_inputs(data).are_those_of(&self.lineage_inputs(data_before));
        if lists_same_updates && data.loads_metadata_of(data_before) {
            let mut graph = std::mem::take(&mut before.graph);
            let mut difference = None;
            let outlook = self.outlook_with(data, policy, |lineage| {
                difference = edit_graph(&mut graph, data_before, data, lineage, consumer);
                graph
            });
            return outlook.taking_over(&before, difference);
        }
        if !data.loads_declarations_of(data_before) {
            return self.outlook(data, policy).after(&before);
        }
        let mut compared = None;
        let outlook = self.outlook_with(data, policy, |lineage| {
            let predicted = lineage.is_predicted.then_some(&before.graph);
            match predicted.and_then(|before| reassemble(before, data, lineage, consumer)) {
                Some((graph, difference)) => {
                    compared = Some(difference);
                    graph
                }
                None => assemble(data, lineage, consumer),
            }
        });
        match compared {
            Some(difference) => outlook.taking_over(&before, difference),
            None => outlook.after(&before),
        }
    }

    fn outlook_with(
        &self,
        data: &GraphData,
        policy: &Policy,
        graph: impl FnOnce(&Lineage) -> UpdateGraph,
    ) -> Outlook {
        let lineage = self.lineage(data, Architectures::only(&Arch::default()));
        let graph = graph(&lineage);
        let supported = self.supported(data, &lineage, policy);
        Outlook::new(graph, supported, self.ages(), &data.releases)
    }
}
