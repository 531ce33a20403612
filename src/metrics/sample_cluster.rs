//! The clusters that exitpath knows: their series are part of the program.

use crate::domain::Named;

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

    /// Its series, for a query at a time in milliseconds since 1970.
    #[must_use]
    pub fn series(self, time: Option<i64>) -> super::Series {
        SeriesText::read(self.text, time).series
    }
}
