//! What is known about one metric on all clusters.

use std::rc::Rc;

use crate::promql::Matcher;

use super::names::LabelSet;
use super::number::Number;
use super::texts::{TextGroup, Texts};
use super::vector::Unnamed;

/// The clusters that a proof is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::data::coverage) enum Clusters {
    /// Each cluster has its own Prometheus, and its series have no `_id`.
    SelfManaged,
    /// Clusters with hosted control planes share a Prometheus. The label `_id` names the cluster of
    /// a series.
    Hosted,
}

/// The `_id` of the hosted cluster that asks. The query must already contain it.
pub(in crate::data::coverage) const HOSTED_ID: &str = "own";

/// A metric.
pub(super) struct KnownMetric {
    pub(super) name: String,
    pub(super) kinds: Vec<SelectedKind>,
    /// The roles of the series that no selector selects.
    pub(super) unseen: Vec<Role>,
    /// For each label that queries name, the texts that it can have.
    pub(super) texts: Vec<Rc<Texts>>,
    /// The least number of series of a cluster with the metric.
    pub(super) least: usize,
    pub(super) most: usize,
    /// The number of demands: series that each cluster with the metric must have, as `always` says.
    pub(super) demands: usize,
    pub(super) limits: usize,
    /// The labels that tell its series apart.
    pub(super) per: LabelSet,
    /// The index of its condition.
    pub(super) condition: usize,
    pub(super) member: usize,
    /// The selectors, in the order of `SelectedKind::selected`.
    pub(super) selectors: Vec<Vec<Matcher>>,
    /// What is known about its labels that no query names.
    pub(super) unnamed: Unnamed,
}

/// A kind of series that at least one selector selects.
pub(super) struct SelectedKind {
    /// For each selector, whether it selects the series.
    pub(super) selected: Vec<bool>,
    /// For each label that queries name, the groups that its text may be in.
    pub(super) groups: Vec<Rc<[TextGroup]>>,
    pub(super) value: Number,
    /// Whether a cluster has at most one such series at a moment.
    pub(super) is_single: bool,
    pub(super) role: Role,
    /// Whether it belongs to another cluster than the one that asks.
    pub(super) is_foreign: bool,
    /// The capability that the series is about, if any.
    pub(super) capability: Option<String>,
}

/// The demands and limits of the dictionary that a series counts for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Role {
    /// The indexes of the demands that the series fulfills.
    pub(super) meets: Vec<usize>,
    /// The indexes of the limits to one series that include it.
    pub(super) limited_by: Vec<usize>,
}

/// Whether a cluster has series of a kind at a moment. None if that is not decided.
pub(super) type There = Option<bool>;

impl KnownMetric {
    /// Whether a cluster with the metric can have just these kinds at one moment.
    pub(super) fn is_possible(&self, there: &[There]) -> bool {
        let is_open = !self.unseen.is_empty() || there.contains(&None);
        let is_there = |at: &usize| there[*at] == Some(true) && !self.kinds[*at].is_foreign;
        let present: Vec<usize> = (0..self.kinds.len()).filter(is_there).collect();
        let has_several = present.iter().any(|at| !self.kinds[*at].is_single);
        if present.len() > self.most || !is_open && !has_several && present.len() < self.least {
            return false;
        }
        let can_meet = |demand: usize| {
            let kinds = self.kinds.iter().zip(there);
            let seen = |(kind, there): (&SelectedKind, &There)| {
                *there != Some(false) && kind.role.meets.contains(&demand)
            };
            kinds.into_iter().any(seen)
                || self.unseen.iter().any(|role| role.meets.contains(&demand))
        };
        let keeps = |limit: usize| {
            let limited = |at: &&usize| self.kinds[**at].role.limited_by.contains(&limit);
            present.iter().filter(limited).count() <= 1
        };
        (0..self.demands).all(can_meet) && (0..self.limits).all(keeps)
    }
}
