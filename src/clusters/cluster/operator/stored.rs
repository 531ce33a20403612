//! What the operator writes to the object.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::super::object::{
    ClusterVersion, Condition, ConditionalUpdate, ObjectRisk, Release, digest, newest_first,
};
use super::Settings;
use super::evaluation::Evaluation;
use super::retrieval::Retrieval;

/// What the operator writes to the object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// The release that the cluster runs.
    pub desired: Release,
    /// The updates that are recommended, newest first.
    pub available_updates: Vec<Release>,
    /// The updates with risks, newest first.
    pub conditional_updates: Vec<ConditionalUpdate>,
    /// The risks of all these updates, by name. None if the operator does not store them.
    pub conditional_update_risks: Option<Vec<ObjectRisk>>,
    /// The conditions about updates.
    pub conditions: Vec<Condition>,
}

impl Stored {
    pub(super) fn of(
        settings: &Settings,
        running: &Release,
        retrieval: &Retrieval,
        evaluation: &Evaluation,
        reaches_object: bool,
    ) -> Self {
        let mut stored = Self { desired: running.clone(), ..Self::default() };
        let known = std::iter::once(&retrieval.offer.current).chain(&evaluation.updates);
        if let Some(known) = known.into_iter().find(|known| is_same_image(known, running)) {
            fill(&mut stored.desired, known);
        }
        if reaches_object {
            stored.available_updates.clone_from(&evaluation.updates);
            stored.conditional_updates.clone_from(&evaluation.conditional_updates);
            sort(&mut stored.available_updates, |release| &release.version);
            sort(&mut stored.conditional_updates, |update| &update.release.version);
            stored.conditions.push(retrieval.condition.clone());
            if settings.has_own_risks() {
                stored.conditional_update_risks = Some(distinct(&stored.conditional_updates));
            }
        }
        if !settings.shows_architecture {
            let updates = stored.conditional_updates.iter_mut().map(|update| &mut update.release);
            for release in stored.available_updates.iter_mut().chain(updates) {
                release.architecture.clear();
            }
            stored.desired.architecture.clear();
        }
        stored
    }

    /// The object after the operator stored this.
    pub fn written_to(&self, cluster: &ClusterVersion) -> ClusterVersion {
        let mut written = cluster.clone();
        let status = &mut written.status;
        status.desired = self.desired.clone();
        status.available_updates.clone_from(&self.available_updates);
        status.conditional_updates.clone_from(&self.conditional_updates);
        status.conditional_update_risks = self.conditional_update_risks.clone().unwrap_or_default();
        let is_kept = |kind: &str| kind != "RetrievedUpdates" && !kind.starts_with("Upgradeable");
        status.conditions.retain(|one| is_kept(&one.kind));
        status.conditions.extend(self.conditions.iter().cloned());
        written
    }

    /// The status as it is in the object. Empty lists are null.
    pub fn to_json(&self) -> Json {
        let list = |list: Json| match list {
            Json::Array(items) if items.is_empty() => Json::Null,
            list => list,
        };
        let mut status = Map::new();
        status.insert("desired".into(), json!(self.desired));
        status.insert("availableUpdates".into(), list(json!(self.available_updates)));
        status.insert("conditionalUpdates".into(), list(json!(self.conditional_updates)));
        if let Some(risks) = &self.conditional_update_risks {
            status.insert("conditionalUpdateRisks".into(), list(json!(risks)));
        }
        let conditions = self.conditions.iter().map(|condition| {
            let mut fields = json!(condition);
            if let Some(fields) = fields.as_object_mut() {
                fields.retain(|_, value| value != "");
            }
            fields
        });
        status.insert("conditions".into(), conditions.collect());
        Json::Object(status)
    }
}

/// Sorts the newest first. The operator sorts the oldest first, and then reverses the list.
fn sort<T>(list: &mut [T], version: impl Fn(&T) -> &String) {
    list.sort_by(|a, b| newest_first(version(b), version(a)));
    list.reverse();
}

/// The risks of all updates, each name once. If definitions differ, that of the newest target
/// counts.
fn distinct(updates: &[ConditionalUpdate]) -> Vec<ObjectRisk> {
    let mut risks: BTreeMap<&str, &ObjectRisk> = BTreeMap::new();
    for risk in updates.iter().flat_map(|update| update.risks.iter().flatten()) {
        risks.entry(&risk.name).or_insert(risk);
    }
    risks.into_values().cloned().collect()
}

fn is_same_image(a: &Release, b: &Release) -> bool {
    let is_same_digest = || digest(&a.image).is_some_and(|found| digest(&b.image) == Some(found));
    !a.image.is_empty() && (a.image == b.image || is_same_digest())
}

/// Fills empty fields of a release from a known one.
fn fill(release: &mut Release, known: &Release) {
    let fields = [
        (&mut release.version, &known.version),
        (&mut release.url, &known.url),
        (&mut release.architecture, &known.architecture),
    ];
    for (field, known) in fields {
        if field.is_empty() {
            field.clone_from(known);
        }
    }
    if release.channels.is_empty() {
        release.channels.clone_from(&known.channels);
    }
}
