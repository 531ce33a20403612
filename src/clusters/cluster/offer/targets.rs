//! The targets of conditional updates, and which of them the operator drops.

use crate::domain::HashMap;

use super::super::answer::ServiceAnswer;
use super::super::object::{ConditionalUpdate, ObjectRisk, Release};
use super::super::{Log, Refusal};
use super::matching_rules;

/// The targets of the conditional updates of one release.
pub(super) struct Targets {
    targets: Vec<OfferedTarget>,
    /// The risks of the groups that have targets.
    groups: Vec<Option<Vec<ObjectRisk>>>,
}

struct OfferedTarget {
    release: Release,
    /// The index in `groups`. Rules that are removed from a group are removed for all its targets.
    group: usize,
}

impl Targets {
    /// The targets of the conditional updates from the release with this version.
    pub(super) fn of(answer: &ServiceAnswer, from: &str) -> Result<Self, Refusal> {
        let mut found = Self { targets: Vec::new(), groups: Vec::new() };
        let mut places: HashMap<String, usize> = HashMap::default();
        for group in &answer.conditional_edges {
            let mut targets = group.edges.iter().filter(|edge| edge.0 == from).peekable();
            if targets.peek().is_none() {
                continue;
            }
            if places.is_empty() {
                for (place, node) in answer.nodes.iter().enumerate() {
                    places.entry(node.version.to_string()).or_insert(place);
                }
            }
            for (_, to) in targets {
                let place = places.get(to).ok_or_else(|| {
                    Refusal::invalid(format!("no node for conditional update {to}"))
                })?;
                let release = super::release(&answer.nodes[*place], "conditional update")?;
                found.targets.push(OfferedTarget { release, group: found.groups.len() });
            }
            found.groups.push(group.risks.clone());
        }
        Ok(found)
    }

    /// Removes unconditional updates that are also conditional.
    pub(super) fn replace(&self, updates: &mut Vec<Release>, log: &mut Log) {
        for at in (0..updates.len()).rev() {
            let image = &updates[at].image;
            let same = self.targets.iter().find(|target| target.release.image == *image);
            if let Some(target) = same {
                log.warn(format!(
                    "Update to {} listed as both a conditional and unconditional update; \
                     preferring the conditional update.",
                    target.release.version
                ));
                updates.remove(at);
            }
        }
    }

    /// Removes invalid rules, and each target with a risk that has no rule left. Goes from the last
    /// target to the first.
    pub(super) fn prune(&mut self, log: &mut Log) {
        for at in (0..self.targets.len()).rev() {
            let OfferedTarget { release, group } = &self.targets[at];
            let risks = self.groups[*group].iter_mut().flatten();
            if !matching_rules::are_understood(risks, &release.version, log) {
                self.targets.remove(at);
            }
        }
    }

    /// Removes all targets that share their image with another target.
    pub(super) fn drop_repeated(&mut self, log: &mut Log) {
        let mut copies: HashMap<String, usize> = HashMap::default();
        for target in &self.targets {
            *copies.entry(target.release.image.clone()).or_default() += 1;
        }
        for at in (0..self.targets.len()).rev() {
            let Release { image, version, .. } = &self.targets[at].release;
            let copies = copies.get(image).copied().unwrap_or_default();
            if copies > 1 {
                log.warn(format!(
                    "Upstream declares {copies} conditional updates to {version}; dropping them \
                     all."
                ));
                self.targets.remove(at);
            }
        }
    }

    pub(super) fn into_updates(self) -> Vec<ConditionalUpdate> {
        let Self { targets, groups } = self;
        let update = |target: OfferedTarget| ConditionalUpdate {
            release: target.release,
            risks: groups[target.group].clone(),
            ..ConditionalUpdate::default()
        };
        targets.into_iter().map(update).collect()
    }
}
