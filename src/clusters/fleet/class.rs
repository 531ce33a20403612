//! What is known of a cluster, and of all that are like it.

use std::collections::BTreeMap;

use crate::domain::Arch;
use crate::metrics::{Series, SeriesText};

use super::platform::Platform;
use super::query_answers::QueryAnswers;
use super::risk_answer::RiskAnswer;

/// A cluster, or several that are alike.
#[derive(Clone, Debug)]
pub struct ClusterRow {
    pub name: Option<String>,
    pub count: u64,
    /// How many recommended updates it has by its own account.
    pub available: Option<u64>,
    /// Whether it refuses updates to another minor version, by its own account.
    pub refusal: Option<MinorRefusal>,
    pub class: ClusterClass,
}

/// A refusal of updates to another minor version (`Upgradeable=False`).
#[derive(Clone, Debug)]
pub struct MinorRefusal {
    /// None if the cluster does not say why.
    pub why: Option<String>,
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
    /// What the cluster answers to queries. If there are some, it has no answer to others.
    pub(crate) queries: QueryAnswers,
}

impl Facts {
    /// The series of the cluster.
    pub(super) fn series(&self) -> Series {
        let platform = self.platform.map(Platform::series).unwrap_or_default();
        SeriesText::read(&format!("{platform}\n{}", self.series), None).series
    }
}
