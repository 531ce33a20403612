//! The clusters that the command line names, and what is installed on them.

use std::io::Write;
use std::path::Path;

use crate::bridge::{Cluster, Installed, cluster_of_objects, clusters_of_series};
use crate::cli::catalog_args::CatalogBridgeArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::file_text::{file_text, named};
use crate::metrics::SeriesFile;
use crate::objects;
use crate::text::{Failure, printable};

use super::super::Stop;

/// The largest file, in bytes. A cluster with a thousand large ClusterServiceVersions fits.
const LARGEST_FILE: u64 = 256 << 20;

/// The clusters that the command line names. Empty if no flag says what is installed.
pub(super) fn named_clusters(
    args: &CatalogBridgeArgs,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<Vec<Cluster>, Stop> {
    let mut clusters = Vec::new();
    for file in &args.operators {
        clusters.push(of_file(file)?);
    }
    if let Some(file) = &args.metrics {
        clusters.append(&mut of_metrics(file, common, err)?);
    }
    if !args.installed.is_empty() {
        clusters.push(of_names(&args.installed));
    }
    let is_fleet = args.metrics.is_some();
    for cluster in clusters.iter_mut().filter(|cluster| cluster.version.is_none() && !is_fleet) {
        let from = args.from.clone().ok_or_else(|| without_version(cluster))?;
        cluster.version = Some(from);
    }
    Ok(clusters)
}

fn without_version(cluster: &Cluster) -> Failure {
    let what = match cluster.name.as_str() {
        "" => "the version of the cluster is not known".to_owned(),
        name => format!("{name} does not say the version of the cluster"),
    };
    Failure::new(what).hint("name it, as in `--from 4.16.20`")
}

fn of_names(installed: &[String]) -> Cluster {
    let installed = installed.iter().map(|text| {
        let (name, channel) = name_and_channel(text);
        let channel = channel.map(str::to_owned);
        Installed { name: name.to_owned(), channel, ..Installed::default() }
    });
    Cluster { installed: installed.collect(), ..Cluster::default() }
}

/// `NAME@CHANNEL`, or only the name.
pub(super) fn name_and_channel(text: &str) -> (&str, Option<&str>) {
    text.split_once('@').map_or((text, None), |(name, channel)| (name, Some(channel)))
}

fn of_file(file: &Path) -> Result<Cluster, Failure> {
    let name = named(file);
    let text = file_text(file, LARGEST_FILE)?;
    let objects = objects::read(&text).map_err(|failure| failure.cannot_use(&name))?;
    let cluster = cluster_of_objects(&name, &objects);
    if cluster.installed.is_empty() {
        return Err(Failure::new(format!("{name} has no ClusterServiceVersion"))
            .hint("`oc get clusterversion,subscriptions,csv -A -o yaml` prints what is needed"));
    }
    Ok(cluster)
}

fn of_metrics(file: &Path, common: &CommonArgs, err: &mut dyn Write) -> Result<Vec<Cluster>, Stop> {
    let read = SeriesFile::read(file, None)?;
    if !common.quiet {
        for note in &read.notes {
            writeln!(err, "exitpath: {}", printable(note))?;
        }
    }
    let clusters = clusters_of_series(&read.series);
    if clusters.iter().all(|cluster| cluster.installed.is_empty()) {
        let what = format!("{} has no series of csv_succeeded", file.display());
        return Err(Failure::new(what).hint("ask for csv_succeeded and cluster_version").into());
    }
    Ok(clusters)
}
