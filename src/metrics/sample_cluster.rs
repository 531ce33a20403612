//! The clusters that exitpath knows: their series are part of the program.

use std::sync::LazyLock;

use crate::domain::Named;

use super::series::Series;
use super::series_text::{self, SeriesText};

macro_rules! sample_clusters {
    ($($name:literal),* $(,)?) => {
        &[$(SampleCluster {
            name: $name,
            text: include_str!(concat!("../../clusters/", $name, ".series")),
        }),*]
    };
}

/// A cluster that exitpath knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleCluster {
    /// The name that `--sample` takes.
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
    #[must_use]
    pub fn title(self) -> &'static str {
        series_text::title(self.text)
    }

    /// Whether it has series of a metric.
    pub(crate) fn has_metric(self, metric: &str) -> bool {
        let is_of_metric = |line: &str| {
            let rest = line.strip_prefix(metric);
            rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
        };
        self.text.lines().any(is_of_metric)
    }

    /// Whether a capability is off.
    pub(crate) fn has_off(self, capability: &str) -> bool {
        let label = format!("name=\"{capability}\"");
        let is_of_metric = |line: &&str| line.starts_with("cluster_version_capability{");
        let mut lines = self.text.lines().filter(is_of_metric);
        lines.any(|line| line.contains(&label) && line.ends_with(" 0"))
    }

    /// Whether its control plane is hosted by another cluster.
    pub(crate) fn is_hosted(self) -> bool {
        self.read().cluster_id.is_some()
    }

    /// Its series at `FIXED_TIME`, read only once.
    pub(crate) fn read(self) -> &'static Series {
        static ALL: LazyLock<Vec<Series>> = LazyLock::new(|| {
            SampleCluster::ALL.iter().map(|cluster| cluster.series(None)).collect()
        });
        static NONE: LazyLock<Series> = LazyLock::new(Series::default);
        let at = Self::ALL.iter().position(|cluster| *cluster == self);
        at.and_then(|at| ALL.get(at)).unwrap_or(&NONE)
    }

    /// Its series, for a query at a time in milliseconds since 1970.
    #[must_use]
    pub fn series(self, time: Option<i64>) -> Series {
        SeriesText::read(self.text, time).series
    }
}
