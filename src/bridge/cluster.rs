//! Clusters and what is installed on them.

use crate::catalog::openshift_limit::Limit;
use crate::catalog::version::BundleVersion;

/// A cluster, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Where it is from: a file, or an id.
    pub name: String,
    /// The version of OpenShift. Empty if it is not known.
    pub version: String,
    pub installed: Vec<Installed>,
}

/// An installed operator: a ClusterServiceVersion.
#[derive(Clone, Debug, Default)]
pub struct Installed {
    /// The name of its bundle.
    pub name: String,
    /// Empty if it is not known.
    pub namespace: String,
    /// None if no Subscription is known: any package of a catalog with such a bundle.
    pub package: Option<String>,
    /// None if no Subscription is known: any channel.
    pub channel: Option<String>,
    pub version: Option<BundleVersion>,
    /// What the cluster says. None if only catalogs say it.
    pub limit: Option<Limit>,
}
