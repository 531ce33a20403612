//! The functions and what they take.

use super::Type;
use super::Type::{Range, Scalar, Text, Vector};

/// A function.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The types of its arguments; the last one's also counts for those that may follow.
    pub takes: &'static [Type],
    /// How many of those must be given.
    pub least: usize,
    /// How many may be given at most.
    pub most: usize,
    /// What it makes.
    pub makes: Type,
    /// Whether Prometheus knows it only where experiments are switched on; clusters do not.
    pub is_experimental: bool,
}

impl Function {
    const fn new(name: &'static str, takes: &'static [Type], makes: Type) -> Self {
        let count = takes.len();
        Self { name, takes, least: count, most: count, makes, is_experimental: false }
    }

    /// The last argument may be left out, or come up to `most` times in all.
    const fn or_less(name: &'static str, takes: &'static [Type], most: usize) -> Self {
        let mut function = Self::new(name, takes, Vector);
        function.least = takes.len() - 1;
        function.most = most;
        function
    }

    const fn experiment(mut self) -> Self {
        self.is_experimental = true;
        self
    }

    /// The function of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|function| function.name == name)
    }

    /// The name most like one that no function has.
    pub(super) fn nearest(name: &str) -> Option<&'static str> {
        let known = ALL.iter().filter(|function| !function.is_experimental);
        let near = known.map(|f| (strsim::damerau_levenshtein(f.name, name), f.name));
        near.min().filter(|(distance, _)| *distance <= 2).map(|(_, name)| name)
    }
}

const fn plain(name: &'static str) -> Function {
    Function::new(name, &[Vector], Vector)
}

const fn over_time(name: &'static str) -> Function {
    Function::new(name, &[Range], Vector)
}

/// Of a time, or of now.
const fn of_date(name: &'static str) -> Function {
    Function::or_less(name, &[Vector], 1)
}

static ALL: &[Function] = &[
    plain("abs"),
    plain("absent"),
    over_time("absent_over_time"),
    plain("acos"),
    plain("acosh"),
    plain("asin"),
    plain("asinh"),
    plain("atan"),
    plain("atanh"),
    over_time("avg_over_time"),
    plain("ceil"),
    over_time("changes"),
    Function::new("clamp", &[Vector, Scalar, Scalar], Vector),
    Function::new("clamp_max", &[Vector, Scalar], Vector),
    Function::new("clamp_min", &[Vector, Scalar], Vector),
    plain("cos"),
    plain("cosh"),
    over_time("count_over_time"),
    of_date("day_of_month"),
    of_date("day_of_week"),
    of_date("day_of_year"),
    of_date("days_in_month"),
    plain("deg"),
    over_time("delta"),
    over_time("deriv"),
    Function::new("double_exponential_smoothing", &[Range, Scalar, Scalar], Vector).experiment(),
    plain("exp"),
    over_time("first_over_time").experiment(),
    plain("floor"),
    plain("histogram_avg"),
    plain("histogram_count"),
    Function::new("histogram_fraction", &[Scalar, Scalar, Vector], Vector),
    Function::new("histogram_quantile", &[Scalar, Vector], Vector),
    plain("histogram_stddev"),
    plain("histogram_stdvar"),
    plain("histogram_sum"),
    of_date("hour"),
    over_time("idelta"),
    over_time("increase"),
    Function::or_less("info", &[Vector, Vector], 2).experiment(),
    over_time("irate"),
    Function::or_less("label_join", &[Vector, Text, Text, Text], usize::MAX),
    Function::new("label_replace", &[Vector, Text, Text, Text, Text], Vector),
    over_time("last_over_time"),
    plain("ln"),
    plain("log10"),
    plain("log2"),
    over_time("mad_over_time").experiment(),
    over_time("max_over_time"),
    over_time("min_over_time"),
    of_date("minute"),
    of_date("month"),
    Function::new("pi", &[], Scalar),
    Function::new("predict_linear", &[Range, Scalar], Vector),
    over_time("present_over_time"),
    Function::new("quantile_over_time", &[Scalar, Range], Vector),
    plain("rad"),
    over_time("rate"),
    over_time("resets"),
    Function::or_less("round", &[Vector, Scalar], 2),
    Function::new("scalar", &[Vector], Scalar),
    plain("sgn"),
    plain("sin"),
    plain("sinh"),
    plain("sort"),
    Function::or_less("sort_by_label", &[Vector, Text], usize::MAX).experiment(),
    Function::or_less("sort_by_label_desc", &[Vector, Text], usize::MAX).experiment(),
    plain("sort_desc"),
    plain("sqrt"),
    over_time("stddev_over_time"),
    over_time("stdvar_over_time"),
    over_time("sum_over_time"),
    plain("tan"),
    plain("tanh"),
    Function::new("time", &[], Scalar),
    plain("timestamp"),
    over_time("ts_of_first_over_time").experiment(),
    over_time("ts_of_last_over_time").experiment(),
    over_time("ts_of_max_over_time").experiment(),
    over_time("ts_of_min_over_time").experiment(),
    Function::new("vector", &[Scalar], Vector),
    of_date("year"),
];
