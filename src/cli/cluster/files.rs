//! Files that the flags of `cluster` name.

use std::path::Path;

use crate::cluster::object::{
    Alert, ClusterVersion, ObjectError, read_alerts, read_cluster_version,
};
use crate::session::Failure;

use super::super::file_text::file_text;

/// Kubernetes stores no larger object.
const LARGEST_OBJECT: u64 = 2 << 20;
/// `oc` repeats a message for each update, and Kubernetes allows no longer one for most of them.
const LONGEST_MESSAGE: usize = 32_768;

pub(super) fn cluster_version(file: &Path) -> Result<ClusterVersion, Failure> {
    let cluster = object(file, read_cluster_version)?;
    let status = &cluster.status;
    let updates = status.conditional_updates.iter().flat_map(|update| &update.conditions);
    let too_long =
        status.conditions.iter().chain(updates).find(|one| one.message.len() > LONGEST_MESSAGE);
    match too_long {
        Some(condition) => {
            let (name, kind) = (file.display(), &condition.kind);
            Err(Failure::new(format!("cannot use {name}: the message of `{kind}` is too long")))
        }
        None => Ok(cluster),
    }
}

pub(super) fn alerts(file: &Path) -> Result<Vec<Alert>, Failure> {
    object(file, read_alerts)
}

fn object<T>(file: &Path, parse: fn(&str) -> Result<T, ObjectError>) -> Result<T, Failure> {
    let text = file_text(file, LARGEST_OBJECT)?;
    let fail = |ObjectError(why)| Failure::new(format!("cannot use {}: {why}", file.display()));
    parse(&text).map_err(fail)
}
