//! What holds for some clusters, in terms of the series that they have.

/// What holds for some clusters.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Always,
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Has(Has),
}

/// A cluster has a series like this.
#[derive(Clone, Debug)]
pub(super) struct Has {
    /// The metrics that know it, the usual one first. There is at least one.
    pub(super) sources: Vec<Selection>,
    /// What holds for the value.
    pub(super) value: Option<(Comparison, f64)>,
}

/// Series of a metric.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    pub(super) metric: String,
    /// As in a query, without `_id`.
    pub(super) matchers: Vec<String>,
    /// Whether the number of the series counts, and not their values.
    pub(super) is_counted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
}

impl Comparison {
    pub(super) fn operator(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::AtLeast => ">=",
            Self::MoreThan => ">",
            Self::AtMost => "<=",
            Self::LessThan => "<",
        }
    }
}

impl Condition {
    pub(super) fn not(condition: Self) -> Self {
        Self::Not(Box::new(condition))
    }

    /// Whether it is about values.
    pub(super) fn compares(&self) -> bool {
        self.some(&|has| has.value.is_some())
    }

    /// Whether it is about a metric.
    pub(super) fn is_about(&self, metric: &str) -> bool {
        self.some(&|has| has.sources.iter().any(|one| one.metric == metric))
    }

    fn some(&self, is_it: &impl Fn(&Has) -> bool) -> bool {
        match self {
            Self::Always => false,
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter().any(|one| one.some(is_it))
            }
            Self::Not(condition) => condition.some(is_it),
            Self::Has(has) => is_it(has),
        }
    }

    /// The cluster has a series, whatever its value is.
    pub(super) fn has(selection: Selection) -> Self {
        Self::Has(Has { sources: vec![selection], value: None })
    }
}

impl Selection {
    pub(super) fn of(metric: &str, matchers: impl IntoIterator<Item = String>) -> Self {
        let matchers = matchers.into_iter().collect();
        Self { metric: metric.to_owned(), matchers, is_counted: false }
    }
}
