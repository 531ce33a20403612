//! When clusters have metrics: under a condition, and from or up to some version of OpenShift.

use std::collections::BTreeSet;

use super::dictionary::Metric;

/// Whether a cluster can lack the metrics with some condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lack {
    Never,
    /// Clusters lack them exactly if this capability is off.
    WithoutCapability(String),
    /// Clusters lack the series if this capability is off, and possibly for other reasons.
    OrWithoutCapability(String),
    Possible,
}

impl Lack {
    pub(super) fn of(metric: &Metric) -> Self {
        if metric.is_always_present() {
            return Self::Never;
        }
        match metric.capability() {
            Some(name) if metric.present == format!("the capability {name} is on") => {
                Self::WithoutCapability(name.to_owned())
            }
            Some(name) => Self::OrWithoutCapability(name.to_owned()),
            None => Self::Possible,
        }
    }
}

/// The combinations in which clusters can have metrics with the same condition.
pub(super) struct States {
    pub(super) lack: Lack,
    members: Vec<[Option<u32>; 2]>,
    /// For each metric, whether it is [absent](Metric::is_absent).
    absent: Vec<bool>,
    /// For each state, which of the metrics exist. If `lack` allows it, the first state has none.
    pub(super) all: Vec<Vec<bool>>,
}

impl States {
    pub(super) fn new(lack: Lack) -> Self {
        Self { lack, members: Vec::new(), absent: Vec::new(), all: Vec::new() }
    }

    /// Adds a metric, and returns its index among the members.
    pub(super) fn add(&mut self, metric: &Metric) -> usize {
        let minor = |version: &Option<String>| version.as_ref()?.rsplit('.').next()?.parse().ok();
        self.members.push([minor(&metric.since), minor(&metric.until)]);
        self.absent.push(metric.is_absent());
        self.members.len() - 1
    }

    /// Computes the states after the last metric was added. Some metrics exist only since or until
    /// a version. A risk that asks for such a metric is about the versions that have it.
    pub(super) fn close(&mut self) {
        let bounds: Vec<u32> = self.members.iter().flatten().flatten().copied().collect();
        let around = bounds.iter().flat_map(|at| [at.saturating_sub(1), *at, at.saturating_add(1)]);
        let minors: Vec<u32> = if bounds.is_empty() { vec![0] } else { around.collect() };
        let exists = |[since, until]: &[Option<u32>; 2], at: u32| {
            since.is_none_or(|since| at >= since) && until.is_none_or(|until| at <= until)
        };
        let all: BTreeSet<Vec<bool>> = minors
            .into_iter()
            .map(|at| self.members.iter().map(|member| exists(member, at)).collect())
            .collect();
        let is_limited = |state: &Vec<bool>| {
            let mut pairs = self.members.iter().zip(state);
            bounds.is_empty() || pairs.any(|(member, exists)| *exists && *member != [None, None])
        };
        let lacking = (self.lack != Lack::Never).then(|| vec![false; self.members.len()]);
        let there = all.into_iter().filter(is_limited);
        let there = there.map(|mut state| {
            for (exists, is_absent) in state.iter_mut().zip(&self.absent) {
                *exists &= !is_absent;
            }
            state
        });
        self.all = lacking.into_iter().chain(there).collect();
    }
}
