//! Decides whether a change may have different effects on architectures.

use std::collections::BTreeSet;

use crate::domain::{Arch, Minor, Named};
use crate::graph_data::{Channel, GraphData, ReleaseId};
use crate::lineage::Lineage;

/// Whether a change may have different effects on architectures. If not, it is enough to simulate
/// one.
pub(crate) fn may_differ(lineage: &Lineage, before: &GraphData, after: &GraphData) -> bool {
    !lineage.is_predicted
        || names_architecture(before, after)
        || names_architecture(after, before)
        || has_differing_channel(lineage, before, after)
        || has_differing_channel(lineage, after, before)
}

/// Whether a changed declaration file names an architecture.
fn names_architecture(one: &GraphData, other: &GraphData) -> bool {
    one.blocked_edges.iter().any(|edge| {
        let mut texts = edge.to.iter().chain(&edge.from).map(|text| text.value.as_str());
        texts.any(|text| Arch::ALL.iter().any(|arch| text.contains(arch.name())))
            && !one.file(edge.file).is_shared_with(other.at_path(one.path(edge.file)))
    })
}

/// Whether a channel that the change affects has releases for only some architectures, or of minors
/// whose ranges differ by architecture.
fn has_differing_channel(lineage: &Lineage, one: &GraphData, other: &GraphData) -> bool {
    let is_changed = |file| !one.file(file).is_shared_with(other.at_path(one.path(file)));
    let declared = one.blocked_edges.iter().filter(|edge| is_changed(edge.file));
    let targets = declared.filter_map(|edge| edge.release);
    let targets: BTreeSet<ReleaseId> = targets.collect();
    let differs = |id: &ReleaseId| {
        let release = one.releases.get(*id);
        release.architectures().len() < Arch::COUNT
            || lineage.differing_minors.contains(&Minor::of(&release.version))
    };
    let members = |channel: &Channel| -> Vec<ReleaseId> {
        channel.versions.iter().filter_map(|member| member.release).collect()
    };
    one.channels.iter().filter(|channel| channel.public).any(|channel| {
        let members = members(channel);
        let is_touched = is_changed(channel.file) || members.iter().any(|id| targets.contains(id));
        is_touched && members.iter().any(differs)
    })
}
