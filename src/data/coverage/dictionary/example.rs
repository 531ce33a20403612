//! An example of a query for a metric.

use crate::go::quoted;

use super::metric::{LabelKind, Metric, ValueKind, Values};
use super::{Absence, Dictionary};

impl Dictionary {
    /// A query for a metric that works on every cluster that the dictionary allows.
    pub(crate) fn example(&self, name: &str) -> Option<String> {
        let metric = self.metric(name)?;
        let matchers =
            metric.example_label().map(|(label, value)| format!(",{label}={}", quoted(value)));
        let selector = format!("{name}{{_id=\"\"{}}}", matchers.unwrap_or_default());
        let own = format!("0 * group({name}{{_id=\"\"}})");
        let mut arms = vec![format!("group({selector}{})", metric.comparison()), own];
        match self.absence(name) {
            None | Some(Absence::NotScraped) => {}
            Some(Absence::Capability { name, .. }) if metric.has_capability_only() => {
                let name = quoted(name);
                arms.push(format!(
                    "0 * group(cluster_version_capability{{_id=\"\",name={name}}} == 0)"
                ));
            }
            Some(_) => arms.push("0 * group(cluster_version{_id=\"\"})".to_owned()),
        }
        Some(arms.join("\nor on ()\n"))
    }
}

impl Metric {
    /// A label that tells series apart, and its usual value.
    fn example_label(&self) -> Option<(&str, &str)> {
        let listed = self.labels.iter().find_map(|(label, kind)| match kind {
            LabelKind::These(values) => Some((label.as_str(), values.first()?.as_str())),
            LabelKind::Any(_) => None,
        });
        // A series that always exists is an example of a condition only with a comparison.
        let has_comparison = !self.comparison().is_empty();
        let always = self.always_there().next().filter(|_| has_comparison);
        let any = |is_optional: bool| {
            let mut labels = self.labels.keys().filter(|label| !label.ends_with('*'));
            let label = labels.find(|label| self.is_optional(label) == is_optional)?;
            Some((label.as_str(), "example"))
        };
        listed.or(always).or_else(|| any(false)).or_else(|| any(true))
    }

    /// The comparison that makes a series answer yes. Empty if the labels, and not the value, have
    /// the information.
    fn comparison(&self) -> &'static str {
        match &self.values {
            Values::Kind(ValueKind::Flag)
                if self.zero_where.is_none() && self.one_where.is_none() =>
            {
                " == 1"
            }
            Values::Kind(ValueKind::One | ValueKind::Flag) => "",
            Values::Kind(_) | Values::These(_) => " > 0",
        }
    }
}
