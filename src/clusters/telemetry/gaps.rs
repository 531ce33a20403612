//! What a store does not say.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::words::{counted, list_all, listed};

/// What a store does not say.
#[derive(Debug, Default)]
pub(crate) struct StoreGaps {
    /// Clusters that are not counted, in words.
    pub not_counted: Vec<String>,
    /// The clusters whose answer about some risks is missing, and the reason.
    pub unanswered: BTreeMap<(String, String), Vec<String>>,
    /// Risks about which the store cannot be asked, and the reason.
    pub not_asked: BTreeMap<String, String>,
    /// Metrics of which no cluster has a series, and the risks that need them.
    pub no_series: BTreeMap<String, BTreeSet<String>>,
    pub without_channel: u64,
}

/// How many clusters are named.
const MOST_NAMES: usize = 3;

impl StoreGaps {
    /// Whether the counts are incomplete.
    pub(crate) fn is_bad(&self) -> bool {
        !(self.not_counted.is_empty() && self.unanswered.is_empty() && self.not_asked.is_empty())
    }

    /// What is missing, a line each.
    pub(crate) fn missing(&self) -> Vec<String> {
        let mut lines = self.not_counted.clone();
        for ((risks, why), ids) in &self.unanswered {
            let names: Vec<&str> = ids.iter().map(String::as_str).take(MOST_NAMES).collect();
            let others = ids.len() - names.len();
            let more = if others > 0 { format!(" and {others} more") } else { String::new() };
            let counts = if ids.len() == 1 { "counts" } else { "count" };
            lines.push(format!(
                "{} ({}{more}) {counts} as unable to tell about {risks}: {why}",
                counted(ids.len(), "cluster"),
                names.join(", ")
            ));
        }
        lines.extend(self.not_asked.iter().map(|(risk, why)| {
            format!(
                "the store is not asked about {risk}, and clusters count as unable to tell: {why}"
            )
        }));
        lines
    }

    /// What may be wrong although the store answers, a line each.
    pub(crate) fn doubts(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        if self.without_channel > 0 {
            let clusters = usize::try_from(self.without_channel).unwrap_or(usize::MAX);
            let (say, are) = if clusters == 1 { ("says", "is") } else { ("say", "are") };
            lines.push(format!(
                "{} {say} no channel, and {are} not counted; `--channel` names one for them",
                counted(clusters, "cluster")
            ));
        }
        for (metric, risks) in &self.no_series {
            let risks: Vec<&str> = risks.iter().map(String::as_str).collect();
            lines.push(format!(
                "the store has no series of `{metric}`. If it does not collect them, the answers \
                 about {} say nothing about clusters",
                listed(&risks, "and")
            ));
        }
        lines
    }

    /// Adds clusters whose answer about risks is missing.
    pub(super) fn add_unanswered(&mut self, risks: &[String], why: &str, ids: &[&str]) {
        let risks: Vec<&str> = risks.iter().map(String::as_str).collect();
        let key = (list_all(&risks, "and"), why.to_owned());
        let known = self.unanswered.entry(key).or_default();
        known.extend(ids.iter().map(|id| (*id).to_owned()));
    }
}
