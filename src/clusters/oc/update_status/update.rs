//! The update, according to the history of the cluster.

use serde_json::Value as Json;

use super::health::{Impact, Issue, IssueLevel, Resource};
use super::objects::{list, name};
use super::time::{Duration, Time};
use crate::objects::text_at;

const HISTORY_PAGE: &str = "https://docs.openshift.com/container-platform/latest/updating/\
    troubleshooting_updates/gathering-data-cluster-update.html\
    #gathering-clusterversion-history-cli_troubleshooting_updates";

/// A release that the cluster reconciled.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) version: &'a str,
    image: &'a str,
    state: &'a str,
    pub(super) started: Time,
    pub(super) completed: Time,
}

impl Entry<'_> {
    pub(super) fn is_completed(&self) -> bool {
        self.state == "Completed"
    }
}

/// The releases that the cluster reconciled, newest first.
#[derive(Debug)]
pub(super) struct History<'a> {
    cluster_version: &'a str,
    entries: Vec<Entry<'a>>,
}

impl<'a> History<'a> {
    pub(super) fn of(cluster_version: &'a Json) -> Self {
        let entries = list(cluster_version, "/status/history").iter().map(|entry| Entry {
            version: text_at(entry, "/version"),
            image: text_at(entry, "/image"),
            state: text_at(entry, "/state"),
            started: Time::of(text_at(entry, "/startedTime")),
            completed: Time::of(text_at(entry, "/completionTime")),
        });
        Self { cluster_version: name(cluster_version), entries: entries.collect() }
    }

    /// The release that the cluster reconciles now.
    pub(super) fn current(&self) -> Option<&Entry<'a>> {
        self.entries.first()
    }

    /// Whether the cluster reconciles this version.
    pub(super) fn is_at(&self, version: &str) -> bool {
        self.current().is_some_and(|entry| entry.version == version)
    }

    /// Whether only the image changes: a migration to multiple architectures does not change the
    /// version.
    pub(super) fn is_multi_arch_migration(&self) -> bool {
        matches!(self.entries.as_slice(), [current, previous, ..]
            if current.version == previous.version && current.image != previous.image)
    }

    /// The version that the cluster updates to.
    pub(super) fn target(&self) -> &'a str {
        self.current().map_or("unknown", |entry| entry.version)
    }

    /// The origin and the target of the update, in words.
    pub(super) fn described(&self) -> String {
        let target = self.target();
        match self.entries.as_slice() {
            [] => format!("{target} (from unknown)"),
            [_] => format!("{target} (a new install)"),
            [_, previous, ..] if previous.state == "Partial" => {
                format!("{target} (from incomplete {})", previous.version)
            }
            _ if self.is_multi_arch_migration() => format!("{target} to Multi-Architecture"),
            [_, previous, ..] => format!("{target} (from {})", previous.version),
        }
    }

    /// The issue that the previous update did not complete.
    pub(super) fn unfinished(&self) -> Option<Issue> {
        let [current, previous, older @ ..] = self.entries.as_slice() else { return None };
        if previous.state != "Partial" {
            return None;
        }
        let complete = older.iter().find(|entry| entry.is_completed());
        let complete = complete.map_or("unknown", |entry| entry.version);
        let (target, previous) = (current.version, previous.version);
        Some(Issue {
            since: current.started,
            level: IssueLevel::Warning,
            impact: Impact::None,
            summary: format!(
                "Previous update to {previous} never completed, last complete update was {complete}"
            ),
            description: format!(
                "Current update to {target} was initiated while the previous update to version \
                 {previous} was still in progress"
            ),
            reference: HISTORY_PAGE.to_owned(),
            resource: Resource::ClusterVersion(self.cluster_version.to_owned()),
        })
    }

    /// The duration of the newest completed update that is neither the current one nor the
    /// installation.
    pub(super) fn usual_duration(&self) -> Duration {
        let [_, between @ .., _] = self.entries.as_slice() else { return Duration::HOUR };
        let complete = between.iter().find(|entry| entry.is_completed());
        complete.map_or(Duration::HOUR, |entry| entry.completed.since(entry.started))
    }
}
