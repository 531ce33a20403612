//! Files that the flags of `cluster` name.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cluster::object::{
    Alert, ClusterVersion, ObjectError, read_alerts, read_cluster_version,
};
use crate::session::Failure;

/// Kubernetes stores no larger object.
const LARGEST_OBJECT: u64 = 2 << 20;
/// `oc` repeats a message for each update, and Kubernetes allows no longer one for most of them.
const LONGEST_MESSAGE: usize = 32_768;

/// The text of a file.
pub(super) fn read(file: &Path, most: u64) -> Result<String, Failure> {
    let name = file.display();
    let fail = |error: std::io::Error| Failure::new(format!("cannot read {name}: {error}"));
    let mut text = String::new();
    let opened = File::open(file).map_err(fail)?;
    opened.take(most + 1).read_to_string(&mut text).map_err(fail)?;
    if text.len() as u64 > most {
        let most = most >> 20;
        return Err(Failure::new(format!("cannot use {name}: it has more than {most} MiB")));
    }
    Ok(text)
}

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
    let text = read(file, LARGEST_OBJECT)?;
    let fail = |ObjectError(why)| Failure::new(format!("cannot use {}: {why}", file.display()));
    parse(&text).map_err(fail)
}
