//! When clusters have metrics: under a condition, and from or up to some version of OpenShift.

use std::collections::BTreeSet;

use crate::domain::Minor;

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
    /// For each metric, the first and the last minor version that has it.
    members: Vec<[Option<Minor>; 2]>,
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
        let minor = |version: &Option<String>| Minor::parse(version.as_ref()?);
        self.members.push([minor(&metric.since), minor(&metric.until)]);
        self.absent.push(metric.is_absent());
        self.members.len() - 1
    }

    /// Computes the states after the last metric was added. Some metrics exist only since or until
    /// a version. A risk that asks for such a metric is about the versions that have it.
    pub(super) fn close(&mut self) {
        let bounds: Vec<Minor> = self.members.iter().flatten().flatten().copied().collect();
        // The first minor of a major has no fixed one before it.
        let around = bounds.iter().flat_map(|at| {
            let near = [at.minor.saturating_sub(1), at.minor, at.minor.saturating_add(1)];
            near.map(|minor| Minor { minor, ..*at })
        });
        let any = Minor { major: 0, minor: 0 };
        let minors: Vec<Minor> = if bounds.is_empty() { vec![any] } else { around.collect() };
        let exists = |[since, until]: &[Option<Minor>; 2], at: Minor| {
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

#[cfg(test)]
mod tests {
    use super::super::dictionary::Metric;
    use super::{Lack, States};

    fn states(bounds: &[[Option<&str>; 2]]) -> Vec<Vec<bool>> {
        let mut states = States::new(Lack::Never);
        for [since, until] in bounds {
            let mut metric = Metric::unknown(std::iter::empty());
            metric.since = since.map(str::to_owned);
            metric.until = until.map(str::to_owned);
            states.add(&metric);
        }
        states.close();
        states.all
    }

    #[test]
    fn metrics_exist_together_in_the_versions_that_have_both() {
        let (old, new) = ([None, Some("4.20")], [Some("4.21"), None]);
        assert_eq!(states(&[old, new]), [[false, true], [true, false]]);
        let long = [Some("4.19"), Some("5.0")];
        assert_eq!(states(&[long]), [[true]]);
        assert_eq!(states(&[old, long]), [[false, true], [true, false], [true, true]]);
        // 5.0 comes after 4.21.
        let next = [Some("5.0"), None];
        assert_eq!(states(&[new, next]), [[true, false], [true, true]]);
        assert_eq!(states(&[old, next]), [[false, true], [true, false]]);
    }
}
