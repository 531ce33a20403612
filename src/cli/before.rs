//! A repository beside what it was where a change began.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use crate::comparison::{Comparison, Exits, Side, Sides};
use crate::graph::UpdateGraph;
use crate::graph_data::{self, ARCHITECTURES, GraphData};
use crate::lint::Base;
use crate::report::ChangeReport;
use crate::rules::Outlook;
use crate::text::printable;
use crate::tree::{self, Blob, TreeError};

use super::Failure;
use super::args::{Check, Common};
use super::releases::{Provenance, RULES_ARCH};

/// What is to be known of files that are neither before nor after.
pub(super) const MERGING: &str = "a merge is not done yet: the work tree is taken as it is";

/// The repository as it was where the change began.
pub(super) struct Before {
    base: tree::Base,
    blobs: Vec<Blob>,
    renames: BTreeMap<String, String>,
    is_merging: bool,
}

impl Before {
    pub(super) fn read(root: &Path, revision: &str, head: Option<&str>) -> Result<Self, TreeError> {
        let base = tree::base(root, revision, head)?;
        Ok(Self {
            blobs: graph_data::blobs(root, Some(&base.commit))?,
            renames: tree::renames(root, &base, head, graph_data::WANTED)?,
            is_merging: head.is_none() && tree::is_merging(root),
            base,
        })
    }

    /// The same, understood, and what is to be known of it.
    pub(super) fn beside(
        self,
        after: &GraphData,
        args: &Check,
        common: &Common,
        err: &mut dyn Write,
    ) -> Result<Base, Failure> {
        let revision = printable(args.base.as_deref().unwrap_or_default()).into_owned();
        if !self.base.is_merge_base {
            writeln!(
                err,
                "exitpath: no common ancestor with {revision} is known (a shallow clone?): comparing with {revision} itself"
            )?;
        }
        if self.is_merging && !common.quiet {
            writeln!(err, "exitpath: {MERGING}")?;
        }
        let data = after.another(self.blobs);
        if data.files.is_empty() && !common.quiet {
            writeln!(err, "exitpath: there is no data at {revision} in this folder: all is new")?;
        }
        Ok(Base { commit: self.base.commit, data, outlook: None, renames: self.renames })
    }
}

/// Whether a change concerns some architectures only: a declaration that names one is otherwise.
pub(super) fn names_architecture(before: &GraphData, after: &GraphData) -> bool {
    let names_one = |one: &GraphData, other: &GraphData| {
        one.blocked_edges.iter().any(|edge| {
            let texts = edge.to.iter().chain(&edge.from);
            let mut texts = texts.map(|text| text.value.as_str());
            texts.any(|text| ARCHITECTURES.iter().any(|arch| text.contains(arch)))
                && !one.file(edge.file).is_shared_with(other.at_path(one.path(edge.file)))
        })
    };
    names_one(before, after) || names_one(after, before)
}

/// What the change since the base does to clusters.
pub(super) struct Changed<'a> {
    base: &'a Base,
    comparison: Comparison,
    exits: Exits<'a>,
}

impl<'a> Changed<'a> {
    /// What a change does, where the updates are known: for the architecture that rules look at,
    /// or for all, where there are graphs of all.
    pub(super) fn since(
        base: &'a Base,
        data: &GraphData,
        outlook: Option<&'a Outlook>,
        of_all: Option<&'a (UpdateGraph, UpdateGraph)>,
    ) -> Option<Self> {
        let (before, after, architectures) = match of_all {
            Some((before, after)) => (before, after, ARCHITECTURES.as_slice()),
            None => (&base.outlook.as_ref()?.graph, &outlook?.graph, [RULES_ARCH].as_slice()),
        };
        let comparison =
            Comparison::of(Side { data: &base.data, graph: before }, Side { data, graph: after });
        let sides = Sides { before, after };
        let exits = Exits::of(sides, &comparison, architectures, &outlook?.supported);
        Some(Self { base, comparison, exits })
    }

    /// The report of it.
    pub(super) fn report<'r>(
        &'r self,
        args: &'r Check,
        data: &'r GraphData,
        from: &'r Provenance,
    ) -> ChangeReport<'r> {
        ChangeReport {
            comparison: &self.comparison,
            exits: &self.exits,
            before: &self.base.data.sources,
            after: &data.sources,
            base: args.base.as_deref().unwrap_or_default(),
            base_commit: &self.base.commit,
            head: args.rev.as_deref().unwrap_or("the work tree"),
            source: &from.source,
            notes: &from.notes,
            as_of: from.as_of.as_deref(),
        }
    }
}
