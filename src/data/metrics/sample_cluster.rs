//! The sample clusters. Their series are part of the program.

use crate::domain::Named;

use super::series::Series;
use super::series_text::{self, SeriesText};

macro_rules! sample_clusters {
    ($($name:literal),* $(,)?) => {
        &[$(SampleCluster {
            name: $name,
            text: include_str!(concat!("../../../clusters/", $name, ".series")),
        }),*]
    };
}

/// A sample cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleCluster {
    /// Its name, which `--sample` takes.
    name: &'static str,
    /// Its `.series` file.
    pub text: &'static str,
}

impl Named for SampleCluster {
    const ALL: &'static [Self] = sample_clusters![
        "aro",
        "aws",
        "azure",
        "bare-metal",
        "disconnected",
        "gcp",
        "hosted",
        "hosted-kubevirt",
        "no-capabilities",
        "none",
        "old",
        "openstack",
        "replaced-pods",
        "single-node",
        "third-party-network",
        "vsphere",
    ];

    fn name(self) -> &'static str {
        self.name
    }
}

impl SampleCluster {
    /// What kind of cluster it is.
    pub fn title(self) -> &'static str {
        series_text::title(self.text)
    }

    /// Whether it has series of a metric.
    pub(crate) fn has_metric(self, metric: &str) -> bool {
        self.text.lines().any(|line| is_of(line, metric))
    }

    /// Whether the cluster has this capability off.
    pub(crate) fn has_off(self, capability: &str) -> bool {
        let label = format!("name=\"{capability}\"");
        let is_of_metric = |line: &&str| line.starts_with("cluster_version_capability{");
        let mut lines = self.text.lines().filter(is_of_metric);
        lines.any(|line| line.contains(&label) && line.ends_with(" 0"))
    }

    /// Whether its control plane is hosted by another cluster.
    pub(crate) fn is_hosted(self) -> bool {
        let mut head = self.text.lines().take_while(|line| line.starts_with('#'));
        head.any(|line| line.starts_with("# cluster-id:"))
    }

    /// Its series of some metrics, at `FIXED_TIME`.
    pub(crate) fn series_of(self, metrics: &[&str]) -> Series {
        let is_wanted =
            |line: &&str| line.starts_with('#') || metrics.iter().any(|metric| is_of(line, metric));
        let lines: Vec<&str> = self.text.lines().filter(is_wanted).collect();
        SeriesText::read(&lines.join("\n"), None).series
    }

    /// Its series, for a query at a time in milliseconds since 1970.
    pub fn series(self, time: Option<i64>) -> Series {
        SeriesText::read(self.text, time).series
    }
}

/// Whether a line has a series of a metric.
fn is_of(line: &str, metric: &str) -> bool {
    line.strip_prefix(metric).is_some_and(|rest| rest.starts_with(['{', ' ']))
}
