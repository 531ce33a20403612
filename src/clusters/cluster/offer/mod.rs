//! Which updates an answer of the update service offers to one cluster.

mod matching_rules;
mod metadata;
mod targets;

use super::answer::{Node, ServiceAnswer};
use super::object::{ConditionalUpdate, Release};
use super::{Log, Refusal};
use crate::domain::{Version, version};
use targets::Targets;

/// The cluster that an answer is for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipient<'a> {
    /// The version that it runs, as text.
    pub(super) text: &'a str,
    /// The same version, parsed.
    pub(super) version: &'a Version,
    pub(super) channel: &'a str,
    /// Whether it migrates from one architecture to multi.
    pub(super) becomes_multi: bool,
    /// Whether its operator understands conditional updates.
    pub(super) knows_conditions: bool,
}

/// What an answer offers to a cluster.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// The release that it runs.
    pub current: Release,
    /// Updates without risks.
    pub updates: Vec<Release>,
    /// Updates with risks.
    pub conditional_updates: Vec<ConditionalUpdate>,
}

#[cfg(feature = "testing")]
impl ServiceAnswer {
    /// What the newest operator takes from an answer for a cluster that runs a version. The error
    /// says why it takes nothing.
    pub fn offered_to(&self, version: &str, channel: &str) -> Result<Offer, crate::go::Error> {
        let recipient = Recipient {
            text: version,
            version: &super::object::parse_version(version)?,
            channel,
            becomes_multi: false,
            knows_conditions: true,
        };
        Offer::of(self, recipient, &mut Log::default()).map_err(|refusal| refusal.message.into())
    }
}

impl Offer {
    /// What an answer offers to a cluster.
    pub(super) fn of(
        answer: &ServiceAnswer,
        to: Recipient<'_>,
        log: &mut Log,
    ) -> Result<Self, Refusal> {
        let core = version::without_build(to.version);
        let is_current = |node: &Node| version::without_build(&node.version) == core;
        if to.becomes_multi {
            return Self::of_multi(answer, to, is_current);
        }
        let place = answer.nodes.iter().position(is_current);
        let place = place.ok_or_else(|| Refusal::not_found(to.text, to.channel))?;
        let current = release(&answer.nodes[place], "current")?;
        let mut updates = Vec::new();
        for (from, target) in &answer.edges {
            if usize::try_from(*from) == Ok(place) {
                let node = usize::try_from(*target).ok().and_then(|at| answer.nodes.get(at));
                let node = node.ok_or_else(|| Refusal::crash(*target, answer.nodes.len()))?;
                updates.push(release(node, "recommended update")?);
            }
        }
        let mut conditional_updates = Vec::new();
        if to.knows_conditions {
            let mut targets = Targets::of(answer, to.text)?;
            targets.replace(&mut updates, log);
            targets.prune(log);
            targets.drop_repeated(log);
            conditional_updates = targets.into_updates();
        }
        Ok(Self { current, updates, conditional_updates })
    }

    /// The offer for a migration from one architecture to multi. The only update leads to the same
    /// version.
    fn of_multi(
        answer: &ServiceAnswer,
        to: Recipient<'_>,
        is_current: impl Fn(&Node) -> bool,
    ) -> Result<Self, Refusal> {
        for node in answer.nodes.iter().filter(|node| is_current(node)) {
            let current = release(node, "current")?;
            if current.architecture == "Multi" {
                let updates = vec![current.clone()];
                return Ok(Self { current, updates, conditional_updates: Vec::new() });
            }
        }
        Err(Refusal::not_found(to.text, to.channel))
    }
}

fn release(node: &Node, what: &str) -> Result<Release, Refusal> {
    metadata::release(node)
        .map_err(|words| Refusal::invalid(format!("invalid {what} node: {words}")))
}
