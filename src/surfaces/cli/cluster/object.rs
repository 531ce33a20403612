//! The cluster: its object, and what else is known to be in it.

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::cluster::object::{
    AcceptedRisk, Alert, ClusterVersion, DesiredUpdate, cluster_version, condition, read_alerts,
};
use crate::cluster::{InCluster, UNKNOWN_ID, healthy};
use crate::session::Note;
use crate::text::Failure;
use crate::text::words::listed;

use super::super::cluster_args::ClusterArgs;
use super::super::cluster_objects::{ClusterObjects, Wanted};
use super::super::file_text::{file_text, named};

/// Kubernetes stores no larger object.
const LARGEST_OBJECT: usize = 2 << 20;
/// The largest file with alerts.
const LARGEST_ALERTS: u64 = 16 << 20;
/// `oc` repeats a message for each update, and Kubernetes allows no longer one for most of them.
const LONGEST_MESSAGE: usize = 32_768;

/// A cluster, as the flags and files describe it.
pub(super) struct Described {
    pub(super) cluster: ClusterVersion,
    pub(super) inside: InCluster,
    /// All objects of the files.
    pub(super) objects: Vec<Json>,
    /// None if the alerts are unknown.
    pub(super) alerts: Option<Vec<Alert>>,
    /// Whether the object is a real one.
    pub(super) is_real: bool,
    pub(super) notes: Vec<Note>,
}

impl Described {
    pub(super) fn by(args: &ClusterArgs) -> Result<Self, Failure> {
        let paths: Vec<PathBuf> = args.files.iter().chain(&args.clusterversion).cloned().collect();
        let asks_status = args.oc.iter().any(|arg| arg == "status");
        let wanted = if asks_status { Wanted::WithMachineConfigs } else { Wanted::Usual };
        let found = ClusterObjects::read(&paths, wanted)?;
        let mut cluster = match (real(&found)?, &args.version) {
            (Some(_), Some(_)) => {
                let what = "the files have a ClusterVersion, so `--version` has no effect";
                return Err(Failure::new(what).hint("leave one of them out"));
            }
            (Some(object), None) => object,
            (None, Some(version)) => healthy(version),
            (None, None) => {
                let failure = Failure::new("the files have no ClusterVersion");
                return Err(failure.hint("add it, or name the version: `--version 4.18.3`"));
            }
        };
        let alerts = match (&args.alerts, &found.alerts) {
            (Some(_), Some(_)) => {
                return Err(Failure::new("the files have alerts, so `--alerts` has no effect"));
            }
            (Some(file), None) => {
                let text = file_text(file, LARGEST_ALERTS)?;
                Some(read_alerts(&text).map_err(|failure| failure.cannot_use(&named(file)))?)
            }
            (None, known) => known.clone(),
        };
        let inside = InCluster::of_objects(&found.objects, alerts.clone().unwrap_or_default());
        let is_real = args.version.is_none();
        let notes = if paths.is_empty() { Vec::new() } else { notes(&cluster, &inside) };
        complete(&mut cluster, args);
        Ok(Self { cluster, inside, objects: found.objects, alerts, is_real, notes })
    }
}

/// The object of the files, if they have one.
fn real(found: &ClusterObjects) -> Result<Option<ClusterVersion>, Failure> {
    let mut objects = found.of_kind("ClusterVersion");
    let (Some(object), None) = (objects.next(), objects.next()) else {
        return match found.of_kind("ClusterVersion").count() {
            0 => Ok(None),
            _ => Err(Failure::new("the files have several ClusterVersions")),
        };
    };
    usable(object).map(Some).map_err(|failure| failure.cannot_use("the ClusterVersion"))
}

fn usable(object: &Json) -> Result<ClusterVersion, Failure> {
    if object.to_string().len() > LARGEST_OBJECT {
        return Err(Failure::new(format!("it has more than {} MiB", LARGEST_OBJECT >> 20)));
    }
    let cluster = cluster_version(object)?;
    let status = &cluster.status;
    let updates = status.conditional_updates.iter().flat_map(|update| &update.conditions);
    let mut all = status.conditions.iter().chain(updates);
    match all.find(|one| one.message.len() > LONGEST_MESSAGE) {
        Some(condition) => {
            Err(Failure::new(format!("the message of `{}` is too long", condition.kind)))
        }
        None => Ok(cluster),
    }
}

/// What the files do not have, and what counts instead.
fn notes(cluster: &ClusterVersion, inside: &InCluster) -> Vec<Note> {
    if inside.missing.is_empty() {
        return Vec::new();
    }
    let instead = match condition(&cluster.status.conditions, "Upgradeable") {
        Some(_) => "`Upgradeable` is what the ClusterVersion says",
        None => "they are taken as if nothing held a minor update back",
    };
    let text = format!("the files have no {}: {instead}", listed(&inside.missing, "and"));
    vec![Note { text, is_important: false }]
}

fn complete(cluster: &mut ClusterVersion, args: &ClusterArgs) {
    if cluster.spec.cluster_id.is_empty() {
        UNKNOWN_ID.clone_into(&mut cluster.spec.cluster_id);
    }
    if !args.accept.is_empty() {
        let update = cluster.spec.desired_update.get_or_insert_with(|| DesiredUpdate {
            version: cluster.status.desired.version.clone(),
            ..DesiredUpdate::default()
        });
        let names = args.accept.iter().map(|name| AcceptedRisk { name: name.clone() });
        update.accept_risks.extend(names);
    }
}
