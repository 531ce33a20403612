//! Reads a fleet from metrics: `csv_succeeded` and `cluster_version`. If there are several
//! clusters, the label `_id` tells them apart.

use std::collections::BTreeMap;

use crate::catalog::version::BundleVersion;
use crate::go::semver::Version;
use crate::metrics::Series;
use crate::promql::Labels;

use super::cluster::{Cluster, Installed};

/// How long a series counts after its last point, as in Prometheus. In milliseconds.
const LOOKBACK: i64 = 5 * 60 * 1_000;

/// The clusters in the series, sorted by their ids.
pub(crate) fn clusters_of_series(series: &Series) -> Vec<Cluster> {
    let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
    let mut newest: BTreeMap<&str, i64> = BTreeMap::new();
    let mut succeeded: Vec<(&str, i64, Installed)> = Vec::new();
    let mut seen: BTreeMap<&str, i64> = BTreeMap::new();
    for (labels, points) in series.store.iter() {
        let id = labels.get("_id");
        let time = points.iter().map(|point| point.time).max().unwrap_or(i64::MIN);
        match labels.get("__name__") {
            "cluster_version" if labels.get("type") == "current" => {
                let cluster = named(&mut clusters, id);
                // When the cluster-version operator is replaced, an old series may remain.
                if newest.get(id).is_none_or(|known| *known <= time) {
                    newest.insert(id, time);
                    let version = labels.get("version");
                    cluster.version = (!version.is_empty()).then(|| version.to_owned());
                }
            }
            "csv_succeeded" => {
                let last = seen.entry(id).or_insert(time);
                *last = time.max(*last);
                succeeded.push((id, time, installed(labels)));
            }
            _ => {}
        }
    }
    for (id, time, installed) in succeeded {
        let cluster = named(&mut clusters, id);
        // The series of an operator that was updated or removed ends earlier.
        if seen.get(id).is_none_or(|last| last.saturating_sub(time) <= LOOKBACK) {
            cluster.installed.push(installed);
        }
    }
    for cluster in clusters.values_mut() {
        let key = |one: &Installed| (one.name.clone(), one.namespace.clone());
        cluster.installed.sort_by_key(key);
        cluster.installed.dedup_by_key(|one| key(one));
    }
    clusters.into_values().collect()
}

fn named<'c, 's>(clusters: &'c mut BTreeMap<&'s str, Cluster>, id: &'s str) -> &'c mut Cluster {
    clusters.entry(id).or_insert_with(|| Cluster { name: id.to_owned(), ..Cluster::default() })
}

fn installed(labels: &Labels) -> Installed {
    // Prometheus renames a label of the exporter that has the same name as one of its own.
    let namespace = [labels.get("exported_namespace"), labels.get("namespace")];
    let namespace = namespace.into_iter().find(|text| !text.is_empty());
    let version = Version::parse_tolerant(labels.get("version")).ok();
    Installed {
        name: labels.get("name").to_owned(),
        namespace: namespace.map(str::to_owned),
        version: version.map(|version| BundleVersion { version, release: None }),
        ..Installed::default()
    }
}
