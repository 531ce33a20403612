//! `--releases`: where the updates that releases list come from.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use crate::assembly::{Consumer, assemble, assemble_both};
use crate::comparison::{GraphChange, Question, Side, may_differ};
use crate::graph::{Knowledge, UpdateGraph};
use crate::graph_data::{self, ARCHITECTURES, GraphData};
use crate::history::Cache;
use crate::lineage::{Given, Lineage, Past, Policy, SourceError, Supported, Update};
use crate::lint::Config;
use crate::rules::Outlook;
use crate::text::printable;

use super::Failure;
use super::args::{Common, GraphSource, Releases};
use super::repository::Repository;

/// Rules speak of versions, so one architecture will do.
pub(super) const RULES_ARCH: &str = ARCHITECTURES[0];

/// Where updates come from.
pub(super) struct Provenance {
    /// The source, in a few words.
    pub(super) source: String,
    /// What is to be known of it.
    pub(super) notes: Vec<String>,
    /// The day of the newest change that the history knows of, where that was asked.
    pub(super) as_of: Option<String>,
}

impl Provenance {
    pub(super) fn of(lineage: Lineage) -> Self {
        Self { source: lineage.source, notes: lineage.notes, as_of: lineage.as_of }
    }
}

/// What is known of the updates that releases list.
pub(super) struct Known {
    given: Vec<Given>,
    past: Past,
}

impl Releases {
    /// Reads the sources, the history beside some other work.
    pub(super) fn read_beside<T: Send>(
        &self,
        root: &Path,
        revision: Option<&str>,
        config: &Config,
        work: impl FnOnce() -> T,
    ) -> Result<(T, Known), Failure> {
        let is_history = |path: &&PathBuf| path.as_os_str() == "history";
        let configured: Vec<PathBuf> = match self.releases.as_slice() {
            [] => config
                .releases
                .iter()
                .filter(|path| *path != "history")
                .map(|p| root.join(p))
                .collect(),
            _ => Vec::new(),
        };
        let given = self.releases.iter().chain(&configured).filter(|path| !is_history(path));
        let given: Vec<Given> = given.map(|path| Given::read(path)).collect::<Result<_, _>>()?;
        let needs_past = given.is_empty() || given.iter().any(Given::is_answer);
        let cache = if self.no_cache { Cache::none() } else { Cache::of_user() };
        let (done, past) = thread::scope(|scope| {
            let past = scope.spawn(|| {
                if needs_past { Past::read(root, revision, &cache) } else { Past::none() }
            });
            let done = work();
            (done, past.join().unwrap_or_else(|_| Past::none()))
        });
        Ok((done, Known { given, past }))
    }
}

impl Known {
    /// What the sources say of the releases of some architectures. Given answers of the service
    /// are for `arch`.
    pub(super) fn lineage(&self, data: &GraphData, arch: &str, architectures: &[&str]) -> Lineage {
        if self.given.is_empty() {
            Lineage::predicted(data, &self.past, architectures)
        } else {
            Lineage::of(&self.given, arch, data, architectures, &self.past)
        }
    }

    /// What the sources say of the releases of two states of a repository, for both alike: what
    /// releases list does not change with it.
    fn lineage_of_both(
        &self,
        before: &GraphData,
        after: &GraphData,
        arch: &str,
        architectures: &[&str],
    ) -> Lineage {
        let lineage = self.lineage(after, arch, architectures);
        let mut was_there = before.releases.iter();
        if was_there.all(|(_, release)| after.releases.find(&release.version).is_some()) {
            return lineage;
        }
        lineage.with_missing_from(self.lineage(before, arch, architectures))
    }

    /// The graph of a repository.
    pub(super) fn outlook(&self, data: &GraphData, policy: &Policy) -> Outlook {
        let lineage = self.lineage(data, RULES_ARCH, &[RULES_ARCH]);
        self.outlook_on(data, &lineage, policy)
    }

    fn outlook_on(&self, data: &GraphData, lineage: &Lineage, policy: &Policy) -> Outlook {
        let graph = assemble(data, lineage, Consumer::Schema1_1);
        let supported = Supported::of(data, lineage, &self.past, policy.clone());
        Outlook { graph, supported }
    }

    /// The graphs of a repository before and after a change, for one architecture or for all.
    pub(super) fn sides(
        &self,
        before: &GraphData,
        after: &GraphData,
        policy: &Policy,
        arch: Option<&'static str>,
    ) -> Sides {
        let own = arch.unwrap_or(RULES_ARCH);
        let lineage = self.lineage_of_both(before, after, own, &[own]);
        let graphs =
            |lineage: &Lineage| assemble_both((before, after), lineage, Consumer::Schema1_1);
        let (was, is) = graphs(&lineage);
        let all = (arch.is_none() && may_differ(&lineage, before, after))
            .then(|| graphs(&self.lineage_of_both(before, after, RULES_ARCH, &ARCHITECTURES)));
        // Both sides are judged by who is supported now.
        let supported = Supported::of(after, &lineage, &self.past, policy.clone());
        let before = Outlook { graph: was, supported: supported.clone() };
        let after = Outlook { graph: is, supported };
        Sides { before, after, all, arch, from: Provenance::of(lineage) }
    }
}

/// The graphs of a repository before and after a change.
pub(super) struct Sides {
    /// Before, for one architecture.
    pub(super) before: Outlook,
    /// After, for the same.
    pub(super) after: Outlook,
    /// Of all architectures, where these may differ in what the change does.
    all: Option<(UpdateGraph, UpdateGraph)>,
    /// The architecture that is asked about; all without.
    arch: Option<&'static str>,
    /// Where the updates come from.
    pub(super) from: Provenance,
}

impl Sides {
    /// What the change does to clusters, in some channels or in all.
    pub(super) fn change<'s>(
        &'s self,
        before: &'s GraphData,
        after: &'s GraphData,
        channels: &[String],
    ) -> GraphChange<'s> {
        let one = [self.arch.unwrap_or(RULES_ARCH)];
        let (graphs, architectures) = match &self.all {
            Some((before, after)) => ((before, after), ARCHITECTURES.as_slice()),
            None => ((&self.before.graph, &self.after.graph), one.as_slice()),
        };
        let speaks_for = if self.arch.is_some() { one.as_slice() } else { &ARCHITECTURES };
        let side = |data, graph| Side { data, graph };
        let supported = &self.after.supported;
        let question = Question { architectures, speaks_for, supported, channels };
        GraphChange::of(side(before, graphs.0), side(after, graphs.1), question)
    }

    /// The names of all channels, before or after.
    pub(super) fn channels(&self) -> impl Iterator<Item = &str> {
        let graphs = [&self.before.graph, &self.after.graph];
        graphs.into_iter().flat_map(|graph| graph.channels.iter().map(String::as_str))
    }
}

/// A repository's graph, and what is known of it.
pub(super) struct Assembled {
    pub(super) data: GraphData,
    pub(super) graph: UpdateGraph,
    /// Which releases the repository calls supported.
    supported: Supported,
    /// Where the updates come from.
    pub(super) from: Provenance,
    /// How many updates nobody can be sure of.
    pub(super) uncertain: usize,
}

impl GraphSource {
    /// The update graph of the repository, for some architectures; given answers of the service
    /// are for `arch`.
    pub(super) fn assemble(
        &self,
        path: Option<&PathBuf>,
        (arch, architectures): (&str, Vec<&str>),
        consumer: Consumer,
    ) -> Result<Assembled, Failure> {
        let Self { repo, rev, releases, what_if, .. } = self;
        let revision = rev.as_deref();
        let paths: Vec<PathBuf> = path.into_iter().cloned().collect();
        let root = &Repository::find(repo.as_deref(), &paths, rev.is_some())?.root;
        let data = || -> Result<GraphData, Failure> {
            let blobs = graph_data::blobs(root, revision)?;
            what_if.applied_to(blobs)
        };
        let config = Config::read(root)?;
        let (data, known) = releases.read_beside(root, revision, &config, data)?;
        let data = data?;
        let lineage = known.lineage(&data, arch, &architectures);
        let graph = assemble(&data, &lineage, consumer);
        let is_uncertain = |update: &&Update| update.knowledge == Knowledge::Uncertain;
        let uncertain = lineage.updates.iter().filter(is_uncertain).count();
        let supported = Supported::of(&data, &lineage, &known.past, config.supported);
        let from = Provenance::of(lineage);
        Ok(Assembled { data, graph, supported, from, uncertain })
    }
}

impl Assembled {
    /// Which releases are supported: as a person says, or else as the repository says.
    pub(super) fn supported(&self, asked: Option<Policy>) -> Supported {
        let own = self.supported.clone();
        match asked {
            Some(policy) => own.with(policy),
            None => own,
        }
    }

    /// Says on the side where the updates come from, and what is to be known of that.
    pub(super) fn tell(&self, common: &Common, err: &mut dyn Write) -> Result<(), Failure> {
        if common.quiet {
            return Ok(());
        }
        tell_notes(&self.from.notes, err)?;
        let source = printable(&self.from.source);
        match self.uncertain {
            0 => writeln!(err, "exitpath: updates are from {source}")?,
            1 => writeln!(err, "exitpath: updates are from {source}; 1 of them is uncertain")?,
            n => writeln!(err, "exitpath: updates are from {source}; {n} of them are uncertain")?,
        }
        Ok(())
    }
}

/// Says on the side what is to be known of where updates come from.
pub(super) fn tell_notes(notes: &[String], err: &mut dyn Write) -> Result<(), Failure> {
    // A few notes are read; a page of them is not.
    const MOST: usize = 8;
    for note in notes.iter().take(MOST) {
        writeln!(err, "exitpath: {}", printable(note))?;
    }
    if notes.len() > MOST {
        writeln!(err, "exitpath: and {} more like this", notes.len() - MOST)?;
    }
    Ok(())
}

/// Every architecture, or the one that is asked for.
pub(super) fn architectures(asked: Option<&str>) -> Result<Vec<&str>, Failure> {
    Ok(architecture(asked)?.map_or_else(|| ARCHITECTURES.to_vec(), |arch| vec![arch]))
}

/// The architecture that is asked for, if one is.
pub(super) fn architecture(asked: Option<&str>) -> Result<Option<&'static str>, Failure> {
    let Some(asked) = asked else { return Ok(None) };
    let known = ARCHITECTURES.into_iter().find(|arch| *arch == asked);
    known.map(Some).ok_or_else(|| {
        let failure = Failure::new(format!("there is no architecture `{asked}`"));
        failure.hint(format!("there are: {}", ARCHITECTURES.join(", ")))
    })
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let failure = Self::new(error.what);
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
