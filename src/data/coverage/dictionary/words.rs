//! What the dictionary says about a metric, in words.

use crate::go::quoted;
use crate::promql::in_decimal;
use crate::text::words::{listed, quoted as in_ticks};

use super::metric::{CountKind, LabelKind, LabelValues, Metric, SeriesCount, ValueKind, Values};
use super::{Dictionary, Without};

impl Metric {
    /// The known facts, each with a name and a text.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("from", self.from.clone())];
        facts.extend(self.source.iter().map(|source| ("source", source.clone())));
        facts.push(("values", self.values_in_words()));
        facts.push(("series", self.series_in_words()));
        let own = self.labels.iter().map(|(label, kind)| self.label_in_words(label, kind));
        facts.extend(own.map(|words| ("label", words)));
        if self.is_open() {
            facts.push(("label", "others, which are not listed here".to_owned()));
        }
        for (what, values) in
            [("always", &self.always), ("usual", &self.usual), ("single", &self.single)]
        {
            facts.extend(Some(pairs(values)).filter(|p| !p.is_empty()).map(|pairs| (what, pairs)));
        }
        facts.push(("clusters", self.clusters_in_words()));
        let (since, until) = self.versions();
        facts.extend(since.map(|since| ("since", since.to_owned())));
        facts.extend(until.map(|until| ("until", until.to_owned())));
        facts
    }

    fn values_in_words(&self) -> String {
        let words = match &self.values {
            Values::Kind(ValueKind::One) => "always 1".to_owned(),
            Values::Kind(ValueKind::Flag) => "0 or 1".to_owned(),
            Values::Kind(ValueKind::Time) => "seconds since 1970, or 0".to_owned(),
            Values::Kind(ValueKind::Count) => "0, 1, 2, …".to_owned(),
            Values::Kind(ValueKind::Number) => "any number".to_owned(),
            Values::These(values) => numbers(values),
        };
        let where_zero = self.zero_where.as_ref().map(|at| format!("; 0 only with {}", pairs(at)));
        let where_one = self.one_where.as_ref().map(|at| format!("; 1 only with {}", pairs(at)));
        let also = (!self.also.is_empty()).then(|| format!(", and also {}", numbers(&self.also)));
        let more = [also, where_zero, where_one].into_iter().flatten();
        more.fold(words, |words, more| words + &more)
    }

    fn series_in_words(&self) -> String {
        let count = match self.series {
            SeriesCount::Kind(CountKind::One) => return "one".to_owned(),
            SeriesCount::Exactly(count) => count.to_string(),
            SeriesCount::Kind(CountKind::Some) => "one or more".to_owned(),
            SeriesCount::Kind(CountKind::Any) => "none, or more".to_owned(),
        };
        format!("{count}, one for each {}", listed(&in_ticks(&self.per), "and"))
    }

    fn label_in_words(&self, label: &str, kind: &LabelKind) -> String {
        let values = match kind {
            LabelKind::These(values) => format!(": {}", values.join(", ")),
            LabelKind::Any(_) => String::new(),
        };
        let is_optional = self.optional.iter().any(|optional| optional == label);
        let missing = if is_optional { " (can be missing)" } else { "" };
        format!("{label}{missing}{values}")
    }

    fn clusters_in_words(&self) -> String {
        if self.is_always_present() {
            return "all".to_owned();
        }
        let (condition, lack) = (
            &self.present,
            match self.without {
                Without::Common => "many",
                Without::Rare => "few",
            },
        );
        format!("only if {condition}; {lack} clusters do not have it")
    }
}

impl Dictionary {
    /// What the dictionary says about a metric, as JSON.
    pub(crate) fn in_json(&self, name: &str) -> Option<serde_json::Value> {
        let mut value = serde_json::to_value(self.metric(name)?).ok()?;
        let object = value.as_object_mut()?;
        object.insert("name".into(), name.into());
        object.insert("example".into(), self.example(name).into());
        Some(value)
    }
}

fn numbers(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| in_decimal(*value)).collect();
    listed(&values, "or")
}

fn pairs(values: &LabelValues) -> String {
    let pairs = values.iter().flat_map(|(label, values)| {
        values.iter().map(move |value| format!("{label}={}", quoted(value)))
    });
    pairs.collect::<Vec<_>>().join(", ")
}
