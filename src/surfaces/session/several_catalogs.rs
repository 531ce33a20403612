//! Folders that hold several catalogs, such as one for each version of OpenShift.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Loaded, LoadedCatalog};

/// The folders directly below a folder that are catalogs of their own: they declare the same
/// packages, each of them once. Empty if the folder is one catalog. `prefix` is the folder, ending
/// in `/`.
pub(super) fn folders(prefix: &str, catalog: &LoadedCatalog, loaded: &Loaded) -> Vec<String> {
    let below = |source| {
        let path = loaded.sources.path(source).strip_prefix(prefix)?;
        path.split_once('/').map(|(folder, _)| folder)
    };
    let mut by_package: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &catalog.declared.packages {
        let Some(folder) = below(package.span.source) else { return Vec::new() };
        by_package.entry(&package.name.value).or_default().push(folder);
    }
    let is_once =
        |folders: &Vec<&str>| folders.iter().collect::<BTreeSet<_>>().len() == folders.len();
    let is_repeated = by_package.values().any(|folders| folders.len() > 1);
    if !is_repeated || !by_package.values().all(is_once) {
        return Vec::new();
    }
    let folders: Option<BTreeSet<&str>> = catalog.files.iter().map(|file| below(*file)).collect();
    folders.into_iter().flatten().map(str::to_owned).collect()
}
