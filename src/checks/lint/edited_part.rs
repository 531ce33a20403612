//! The part of a repository about which an edit may have changed what rules say.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::domain::{Arena, Minor, version};
use crate::graph_data::{BlockedEdge, Channel, GraphData, ReleaseId, Releases};
use crate::text::SourceId;

/// What an edit may have changed, and what a rule looks at again.
#[derive(Debug)]
pub(super) struct Part {
    /// Its files before the edit.
    pub(super) before: BTreeSet<SourceId>,
    /// Its files after the edit.
    pub(super) after: BTreeSet<SourceId>,
    pub(super) is_of_channels: bool,
    data: OnceLock<GraphData>,
}

impl Part {
    pub(super) fn of_risks(
        risks: &BTreeSet<Option<&str>>,
        before: &GraphData,
        after: &GraphData,
    ) -> Self {
        let files = |data: &GraphData| {
            let edges = data.blocked_edges.iter().filter(|edge| risks.contains(&name(edge)));
            edges.map(|edge| edge.file).collect()
        };
        let (before, after) = (files(before), files(after));
        Self { before, after, is_of_channels: false, data: OnceLock::new() }
    }

    pub(super) fn of_channels(before: BTreeSet<SourceId>, after: BTreeSet<SourceId>) -> Self {
        Self { before, after, is_of_channels: true, data: OnceLock::new() }
    }

    /// The state after the edit, with only the declarations or the channels of this part.
    pub(super) fn data(&self, after: &GraphData) -> &GraphData {
        self.data.get_or_init(|| {
            if self.is_of_channels {
                after.with_channels(|channel| self.after.contains(&channel.file))
            } else {
                after.with_declarations(|edge| self.after.contains(&edge.file))
            }
        })
    }
}

/// A release that some channel has in only one state of the repository, before or after an edit.
#[derive(Debug)]
pub(super) struct MovedRelease {
    /// Its id before the edit. None if no channel had it.
    pub(super) before: Option<ReleaseId>,
    /// Its id after the edit. None if no channel has it.
    pub(super) after: Option<ReleaseId>,
    minor: Minor,
    text: String,
}

impl MovedRelease {
    /// Whether which channels have it can matter to a declaration. `id` is its id in the state of the
    /// declaration.
    pub(super) fn is_about(&self, edge: &BlockedEdge, id: Option<ReleaseId>) -> bool {
        id.is_some_and(|id| edge.possible_origins.contains(&id))
            || edge.target.as_ref().is_some_and(|to| Minor::of(to) == self.minor)
    }

    /// Whether it can matter to a declaration that it exists. `text` is that of the declaration.
    pub(super) fn decides(&self, edge: &BlockedEdge, id: Option<ReleaseId>, text: &str) -> bool {
        let fixed = edge.fixed_in.as_ref().and_then(|fixed| version::parse(&fixed.value));
        edge.release.is_none()
            || self.is_about(edge, id)
            || fixed.is_some_and(|fixed| Minor::of(&fixed) == self.minor)
            || text.contains(&self.text)
    }

    pub(super) fn is_in_both(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }
}

/// The releases that came, went, or joined or left channels. None if there are other channels.
pub(super) fn moved_releases(before: &GraphData, after: &GraphData) -> Option<Vec<MovedRelease>> {
    let are_alike = |(old, new): (&Channel, &Channel)| {
        (old.name(), old.public, &old.stem) == (new.name(), new.public, &new.stem)
    };
    let pairs = || before.channels.iter().zip(&after.channels);
    if before.channels.len() != after.channels.len() || !pairs().all(are_alike) {
        return None;
    }
    let id_after = ids_after(&before.releases, &after.releases);
    let mut moved: Vec<MovedRelease> = Vec::new();
    let release = |data: &GraphData, id: ReleaseId| {
        let release = data.releases.get(id);
        (Minor::of(&release.version), release.text.clone())
    };
    let gone = id_after.entries().filter(|(_, after)| after.is_none());
    moved.extend(gone.map(|(id, _)| {
        let (minor, text) = release(before, id);
        MovedRelease { before: Some(id), after: None, minor, text }
    }));
    let mut is_new = Arena::filled(after.releases.len(), true);
    let mut id_before = Arena::filled(after.releases.len(), None);
    for (old, new) in id_after.entries().filter_map(|(old, new)| Some((old, (*new)?))) {
        is_new[new] = false;
        id_before[new] = Some(old);
    }
    let in_one = pairs().flat_map(|(old, new)| {
        let old = || old.releases.iter().filter_map(|id| id_after[*id]);
        if old().eq(new.releases.iter().copied()) {
            return Vec::new();
        }
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (old().collect(), new.releases.iter().copied().collect());
        old.symmetric_difference(&new).copied().collect()
    });
    let mut in_one: BTreeSet<ReleaseId> = in_one.collect();
    in_one.extend(is_new.entries().filter(|(_, is_new)| **is_new).map(|(id, _)| id));
    moved.extend(in_one.into_iter().map(|id| {
        let (minor, text) = release(after, id);
        MovedRelease { before: id_before[id], after: Some(id), minor, text }
    }));
    Some(moved)
}

/// For each release before an edit, the same release after it.
fn ids_after(before: &Releases, after: &Releases) -> Arena<ReleaseId, Option<ReleaseId>> {
    let mut others = after.iter().peekable();
    let ids = before.iter().map(|(_, old)| {
        while others.next_if(|(_, new)| new.version < old.version).is_some() {}
        let (id, _) = others.next_if(|(_, new)| new.is_like(old))?;
        Some(id)
    });
    ids.collect()
}

/// The risk of a declaration. None for a block without a name.
pub(super) fn name(edge: &BlockedEdge) -> Option<&str> {
    edge.name.as_ref().map(|name| name.value.as_str())
}
