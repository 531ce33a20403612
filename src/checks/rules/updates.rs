//! The input of rules about updates: a repository, and the updates that its releases list.

use crate::domain::{Version, each_id};
use crate::graph_data::{Channel, GraphData, ReleaseId};

use super::listed_origins::Origin;
use super::outlook::Outlook;

/// After this many days in a channel, a release's entry counts as final: nobody will correct it.
const LONG_AGO: i64 = 90;

/// A repository, and its update graph if it is known.
#[derive(Debug)]
pub struct Updates<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// The update graph and what depends on it, if a rule needs them.
    pub outlook: Option<&'a Outlook>,
}

impl<'a> Updates<'a> {
    /// A repository and what is known about its updates.
    pub fn new(data: &'a GraphData, outlook: Option<&'a Outlook>) -> Self {
        Self { data, outlook }
    }

    /// How many days a channel has had a release, if the history tells. `version` is as the
    /// channel's file writes it.
    pub fn days_in(&self, channel: &Channel, version: &str) -> Option<i64> {
        self.outlook?.ages.days(self.data.path(channel.file), version)
    }

    /// Whether a channel has had a release for so long that nobody will correct its entry.
    pub fn is_long_ago(&self, channel: &Channel, version: &str) -> bool {
        self.days_in(channel, version).is_some_and(|days| days > LONG_AGO)
    }

    /// The releases that a target lists as its origins, oldest first; none if they are unknown.
    pub fn listed(&self, target: ReleaseId) -> Option<&[Origin]> {
        let origins = self.outlook?.listed_origins(target);
        (!origins.is_empty()).then_some(origins)
    }

    /// The origins that a target lists or, if these are unknown, those that its version allows.
    pub fn origins_of(&self, target: &Version) -> Vec<Origin> {
        let release = self.data.releases.find(target);
        if let Some(listed) = release.and_then(|release| self.listed(release)) {
            return listed.to_vec();
        }
        let possible = self.data.releases.possible_origins(target);
        let possible = each_id(possible);
        possible.map(|release| Origin { release, is_certain: true }).collect()
    }
}
