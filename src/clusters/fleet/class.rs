//! What is known of a cluster, and of all that are like it.

use std::collections::BTreeMap;

use crate::domain::{Arch, Named};
use crate::metrics::{Series, SeriesText};

use super::platform::Platform;

/// A cluster, or several that are alike.
#[derive(Clone, Debug)]
pub struct ClusterRow {
    /// Empty if it has none.
    pub name: String,
    pub count: u64,
    /// How many recommended updates it has by its own account.
    pub available: Option<u64>,
    pub class: ClusterClass,
}

/// What decides about the updates of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClusterClass {
    pub version: String,
    pub channel: String,
    pub arch: Arch,
    pub facts: Facts,
}

/// What is known of a cluster besides its release. If nothing is known, no query has an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facts {
    pub platform: Option<Platform>,
    /// Its series, as in a `.series` file.
    pub series: String,
    /// Whether risks affect it, by name. These answers count more than series.
    pub answers: BTreeMap<String, RiskAnswer>,
}

/// Whether a risk affects a cluster, according to somebody who knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RiskAnswer {
    Yes,
    No,
    /// The cluster cannot tell.
    Unknown,
}

impl Named for RiskAnswer {
    const ALL: &'static [Self] = &[Self::Yes, Self::No, Self::Unknown];

    fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl RiskAnswer {
    /// A query that has this answer on every cluster.
    pub(super) fn query(self) -> &'static str {
        match self {
            Self::Yes => "vector(1)",
            Self::No => "vector(0)",
            Self::Unknown => "vector(0) > 1",
        }
    }
}

impl Facts {
    /// The series of the cluster.
    pub(super) fn series(&self) -> Series {
        let platform = self.platform.map(Platform::series).unwrap_or_default();
        SeriesText::read(&format!("{platform}\n{}", self.series), None).series
    }
}
