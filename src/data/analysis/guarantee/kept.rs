//! Whether a change takes the last unconditional path from a release.

use crate::domain::HashMap;

use super::super::channel_graph::{ChannelGraph, MemberId};
use super::super::risk_names::RiskNames;
use super::{ByTarget, Goal, Prover};

/// A release that unconditional updates led to the newest patch of its minor, and no longer do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostPath {
    /// The release before the change.
    pub release: MemberId,
    /// The newest patch of its minor before the change.
    pub target: MemberId,
}

/// The unconditional paths that a change takes from some releases: before it, unconditional updates
/// led to the newest patch of their minor. After it, they lead neither there nor to a newer patch,
/// or the channel does not have the release. `after` is None if the channel is removed.
pub fn lost_paths(
    before: (&ChannelGraph, &RiskNames),
    after: Option<(&ChannelGraph, &RiskNames)>,
    origins: &[MemberId],
) -> Vec<LostPath> {
    let (old, names) = before;
    let prover = Prover { channel: old, names, by_target: ByTarget::of(old) };
    let mut lost = Vec::new();
    let minor_of = |at: &MemberId| old.members[*at].minor;
    let found = after.map(|(new, names)| {
        let places: HashMap<&str, MemberId> =
            new.members.entries().map(|(at, member)| (member.version.as_str(), at)).collect();
        (Prover { channel: new, names, by_target: ByTarget::of(new) }, places)
    });
    for alike in origins.chunk_by(|a, b| minor_of(a) == minor_of(b)) {
        let minor = minor_of(&alike[0]);
        let had = prover.aim(Goal::Patch, minor, alike);
        let Some(target) = old.newest_patch(minor) else { continue };
        let steps = found.as_ref().map(|(prover, places)| {
            let age = old.members[target].age();
            let members = prover.channel.members.entries();
            let as_new = members.filter(|(_, one)| one.minor == minor && one.age() >= age);
            let targets: Vec<MemberId> = as_new.map(|(at, _)| at).collect();
            (prover.steps(&targets), targets, places)
        });
        let is_kept = |at: &MemberId| {
            steps.as_ref().is_some_and(|(steps, targets, places)| {
                let place = places.get(old.version(*at));
                place.is_some_and(|at| targets.contains(at) || steps[*at].is_some())
            })
        };
        let kept_before = |at: &&MemberId| had.targets.contains(at) || had.next.contains_key(at);
        let gone = alike.iter().filter(kept_before).filter(|at| !is_kept(at));
        lost.extend(gone.map(|release| LostPath { release: *release, target }));
    }
    lost
}
