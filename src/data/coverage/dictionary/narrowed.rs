//! Narrows the dictionary to some minor versions of OpenShift.

use std::collections::BTreeSet;

use crate::domain::Minor;

use super::metric::Metric;
use super::{ALWAYS, Dictionary};

/// The profile with which Prometheus does not collect all metrics.
const MINIMAL: &str = "minimal";

impl Dictionary {
    /// The dictionary for clusters of these minor versions: a metric that none of them has is
    /// absent, and a capability that is younger than all of them cannot be off. Without minor
    /// versions, nothing changes.
    pub(crate) fn on(&self, minors: &BTreeSet<Minor>) -> Self {
        let mut narrowed = self.clone();
        let (Some(oldest), Some(newest)) = (minors.first(), minors.last()) else {
            return narrowed;
        };
        let is_younger = |since: Option<&String>| {
            since.and_then(|since| Minor::parse(since)).is_some_and(|since| *newest < since)
        };
        let has_no_profiles = is_younger(self.profiles.get(MINIMAL));
        for metric in narrowed.metrics.values_mut() {
            metric.narrow(minors, *oldest, *newest);
            let capability = metric.capability.as_ref();
            if capability.is_some_and(|name| is_younger(self.capabilities.get(name))) {
                metric.always_has_capability();
            }
            if has_no_profiles && metric.needs_profile() {
                metric.be_always_present();
            }
        }
        narrowed
    }
}

impl Metric {
    fn narrow(&mut self, minors: &BTreeSet<Minor>, oldest: Minor, newest: Minor) {
        let bound = |text: &Option<String>| text.as_deref().and_then(Minor::parse);
        let (since, until) = (bound(&self.since), bound(&self.until));
        let has = |minor: &Minor| {
            since.is_none_or(|since| *minor >= since) && until.is_none_or(|until| *minor <= until)
        };
        self.is_absent = !minors.iter().any(has);
        // A bound outside these versions does not matter.
        if self.is_absent || since.is_some_and(|since| oldest >= since) {
            self.since = None;
        }
        if self.is_absent || until.is_some_and(|until| newest <= until) {
            self.until = None;
        }
    }

    /// Marks the metric as always present if it depends only on a capability that cannot be off.
    fn always_has_capability(&mut self) {
        if self.has_capability_only() {
            self.be_always_present();
        }
        self.capability = None;
    }

    fn be_always_present(&mut self) {
        ALWAYS.clone_into(&mut self.present);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Absence;

    fn on(minors: &[&str]) -> Dictionary {
        Dictionary::built_in().on(&minors.iter().filter_map(|m| Minor::parse(m)).collect())
    }

    #[test]
    fn capabilities_of_later_versions_cannot_be_off() {
        let name = "cco_credentials_mode";
        assert!(matches!(on(&[]).absence(name), Some(Absence::Capability { .. })));
        assert_eq!(on(&["4.13", "4.14"]).absence(name), None);
        assert!(matches!(on(&["4.14", "4.15"]).absence(name), Some(Absence::Capability { .. })));
        // The registry can be removed, even if its capability cannot be off.
        let registry = "imageregistry_http_request_duration_seconds_count";
        assert_eq!(on(&["4.13"]).absence(registry), Some(Absence::NotInstalled));
    }

    #[test]
    fn profiles_of_later_versions_cannot_be_chosen() {
        assert_eq!(on(&["4.18"]).absence("kube_secret_info"), None);
        assert_eq!(on(&["4.19"]).absence("kube_secret_info"), Some(Absence::NotScraped));
    }

    #[test]
    fn metrics_of_other_versions_are_absent() {
        let is_absent =
            |minors: &[&str], name: &str| on(minors).metric(name).is_some_and(Metric::is_absent);
        assert!(is_absent(&["4.12", "4.13"], "ovnkube_controller_ipsec_enabled"));
        assert!(!is_absent(&["4.13", "4.14"], "ovnkube_controller_ipsec_enabled"));
        assert!(is_absent(&["4.14"], "ovnkube_master_ipsec_enabled"));
        let metric = on(&["4.14"]);
        let metric = metric.metric("ovnkube_controller_ipsec_enabled");
        assert_eq!(metric.map(Metric::versions), Some((None, None)));
    }
}
