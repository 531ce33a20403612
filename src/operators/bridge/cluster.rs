//! Clusters and what is installed on them.

use crate::catalog::openshift_limit::OpenShiftLimit;
use crate::catalog::version::BundleVersion;

/// What is known about a cluster.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The source of the information: a file, or an id.
    pub name: String,
    /// The version of OpenShift. None if it is not known.
    pub version: Option<String>,
    pub installed: Vec<Installed>,
}

/// An installed operator, which is a ClusterServiceVersion.
#[derive(Clone, Debug, Default)]
pub struct Installed {
    /// The name of its bundle.
    pub name: String,
    /// None if it is not known.
    pub namespace: Option<String>,
    /// The package. None if no Subscription is known: it may be any package with such a bundle.
    pub package: Option<String>,
    /// The channel. None if no Subscription is known: it may be any channel.
    pub channel: Option<String>,
    pub version: Option<BundleVersion>,
    /// The limit that the cluster reports. None if only catalogs have it.
    pub limit: Option<OpenShiftLimit>,
}
