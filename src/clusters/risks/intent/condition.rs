//! Conditions on clusters, in terms of their series.

/// A condition on clusters.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Always,
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Has(Has),
}

/// The cluster has a series like this.
#[derive(Clone, Debug)]
pub(super) struct Has {
    /// The metrics that have the information, the usual one first. There is at least one.
    pub(super) sources: Vec<Selection>,
    /// The comparison that the value must fulfill.
    pub(super) value: Option<(Comparison, f64)>,
    /// Groups of series near the bounds of the condition, to be tried one group after the other.
    pub(super) near: Vec<Vec<Selection>>,
}

/// Series of a metric.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    pub(super) metric: String,
    /// The matchers as in a query, without `_id`.
    pub(super) matchers: Vec<String>,
    /// Whether the number of series counts instead of their values.
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

    /// Whether it compares values.
    pub(super) fn compares(&self) -> bool {
        let mut compares = false;
        self.each(&mut |has| compares |= has.value.is_some());
        compares
    }

    /// Whether it uses a metric.
    pub(super) fn is_about(&self, metric: &str) -> bool {
        let mut is_about = false;
        self.each(&mut |has| is_about |= has.sources.iter().any(|one| one.metric == metric));
        is_about
    }

    /// How many groups `with_near` can add.
    pub(super) fn count_near(&self) -> usize {
        let mut count = 0;
        self.each(&mut |has| count = count.max(has.near.len()));
        count
    }

    fn each(&self, look: &mut impl FnMut(&Has)) {
        match self {
            Self::Always => {}
            Self::All(conditions) | Self::Any(conditions) => {
                for one in conditions {
                    one.each(look);
                }
            }
            Self::Not(condition) => condition.each(look),
            Self::Has(has) => look(has),
        }
    }

    /// The condition that the cluster has a series with any value.
    pub(super) fn has(selection: Selection) -> Self {
        Self::near(selection, Vec::new())
    }

    /// The condition that the cluster has a series. `near` are groups of series near its bounds.
    pub(super) fn near(selection: Selection, near: Vec<Vec<Selection>>) -> Self {
        Self::Has(Has { near, ..Has::of(vec![selection], None) })
    }

    /// An equivalent condition. Its query also names the series of one group near its bounds, so
    /// that they are tried.
    pub(super) fn with_near(self, nth: usize) -> Self {
        let mut near = Vec::new();
        self.each(&mut |has| near.extend(has.near.get(nth).into_iter().flatten().cloned()));
        let nothing = near.into_iter().map(|selection| {
            let has = Self::has(selection);
            Self::All(vec![has.clone(), Self::not(has)])
        });
        Self::Any(std::iter::once(self).chain(nothing).collect())
    }
}

impl Has {
    pub(super) fn of(sources: Vec<Selection>, value: Option<(Comparison, f64)>) -> Self {
        Self { sources, value, near: Vec::new() }
    }
}

impl Selection {
    pub(super) fn of(metric: &str, matchers: impl IntoIterator<Item = String>) -> Self {
        let matchers = matchers.into_iter().collect();
        Self { metric: metric.to_owned(), matchers, is_counted: false }
    }
}
