//! A folder that `oc adm must-gather` wrote: which of its files have objects that matter for
//! updates.

use std::fs;
use std::path::{Path, PathBuf};

use crate::text::Failure;

/// The most objects of one kind in a folder.
const MOST_FILES: usize = 10_000;

/// Folders with a file for each object, or files with all objects of a kind. The order matters:
/// later files do not repeat objects of earlier ones.
const CLUSTER: &[(&str, &str)] = &[
    ("config.openshift.io", "clusterversions"),
    ("config.openshift.io", "clusteroperators"),
    ("config.openshift.io", "infrastructures"),
    ("machineconfiguration.openshift.io", "machineconfigpools"),
    ("machineconfiguration.openshift.io", "machineconfignodes"),
    ("core", "nodes"),
];

/// The same kinds of folders and files in a namespace.
const NAMESPACES: &[(&str, &str, &str)] = &[
    ("openshift-config-managed", "core", "configmaps"),
    ("openshift-config", "core", "configmaps"),
    ("openshift-machine-config-operator", "core", "pods"),
    ("openshift-machine-config-operator", "apps", "deployments"),
];

/// Large objects that only the status of an update needs.
const MACHINE_CONFIGS: (&str, &str) = ("machineconfiguration.openshift.io", "machineconfigs");

/// The file with the alerts of Prometheus.
const ALERTS: &str = "monitoring/prometheus/rules.json";

/// The files of a must-gather that matter for updates.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) objects: Vec<PathBuf>,
    /// Large objects that only the status of an update needs.
    pub(crate) machine_configs: Vec<PathBuf>,
    /// An answer of Prometheus that has the alerts.
    pub(crate) alerts: Option<PathBuf>,
}

/// Finds the files of a must-gather. The error says why the folder is not one, without a period.
/// Symbolic links are not followed, because the folder is not trusted.
pub(crate) fn gathered(folder: &Path) -> Result<Gathered, Failure> {
    let root = match roots(folder)?.as_slice() {
        [only] => only.clone(),
        [] => {
            return Err(Failure::new("it is no must-gather: it has no `cluster-scoped-resources`"));
        }
        [one, other, ..] => {
            let (one, other) = (name(one), name(other));
            return Err(Failure::new(format!(
                "it has several must-gathers, such as `{one}` and `{other}`"
            )));
        }
    };
    let mut found = Gathered::default();
    let cluster_scoped = |(group, kind): (&str, &str)| {
        of_kind(&root.join("cluster-scoped-resources").join(group), kind)
    };
    for kind in CLUSTER {
        found.objects.extend(cluster_scoped(*kind)?);
    }
    found.machine_configs = cluster_scoped(MACHINE_CONFIGS)?;
    for (namespace, group, kind) in NAMESPACES {
        found.objects.extend(of_kind(&root.join("namespaces").join(namespace).join(group), kind)?);
    }
    found.alerts = Some(root.join(ALERTS)).filter(|file| is_file(file));
    Ok(found)
}

/// The folders that may be roots. A must-gather has a folder for each image that gathered.
fn roots(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let is_root = |folder: &Path| is_folder(&folder.join("cluster-scoped-resources"));
    if is_root(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let inside = entries(folder)?;
    Ok(inside.into_iter().filter(|entry| is_folder(entry) && is_root(entry)).collect())
}

/// The files with the objects of a kind: one file for all, or one for each.
fn of_kind(place: &Path, kind: &str) -> Result<Vec<PathBuf>, Failure> {
    let folder = place.join(kind);
    if is_folder(&folder) {
        let files = entries(&folder)?;
        return Ok(files.into_iter().filter(|file| is_yaml(file) && is_file(file)).collect());
    }
    let all = place.join(format!("{kind}.yaml"));
    Ok(Some(all).filter(|file| is_file(file)).into_iter().collect())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        entries.push(entry.map_err(fail)?.path());
        if entries.len() > MOST_FILES {
            return Err(Failure::new(format!(
                "{} has more than {MOST_FILES} files",
                folder.display()
            )));
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

fn is_yaml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yaml")
}

fn is_file(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|it| it.is_file())
}

fn is_folder(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir())
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
