//! The functions, and the arguments that they take.

use super::super::dialect::Dialect;
use super::messages::experimental;
use super::value_type::Type::{self, Range, Scalar, Text, Vector};

/// A function.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The types of its arguments. Further arguments have the type of the last one.
    pub takes: &'static [Type],
    /// The minimum number of arguments.
    pub least: usize,
    /// The maximum number of arguments.
    pub most: usize,
    /// The type of its result.
    pub returns: Type,
    /// Whether Prometheus has it only with a feature flag, which clusters do not set.
    pub is_experimental: bool,
    /// The other dialect, and its name there, if that dialect does not know this name.
    other_name: Option<(Dialect, &'static str)>,
}

impl Function {
    const fn new(name: &'static str, takes: &'static [Type], returns: Type) -> Self {
        let count = takes.len();
        Self {
            name,
            takes,
            least: count,
            most: count,
            returns,
            is_experimental: false,
            other_name: None,
        }
    }

    /// A function whose last argument is optional. It has at most `most` arguments.
    const fn with_optional(name: &'static str, takes: &'static [Type], most: usize) -> Self {
        let mut function = Self::new(name, takes, Vector);
        function.least = takes.len() - 1;
        function.most = most;
        function
    }

    const fn experimental(mut self) -> Self {
        self.is_experimental = true;
        self
    }

    /// Says that the function has another name in a dialect.
    const fn renamed(mut self, dialect: Dialect, name: &'static str) -> Self {
        self.other_name = Some((dialect, name));
        self
    }

    /// Why clusters with this dialect do not have the function. None if they have it.
    pub(super) fn refusal(&self, dialect: Dialect) -> Option<String> {
        let name = self.name;
        match self.other_name {
            Some((Dialect::Two, other)) if dialect == Dialect::Two => Some(format!(
                "there is no function `{name}` in Prometheus 2, which calls it `{other}`"
            )),
            Some((Dialect::Three, other)) if dialect == Dialect::Three => Some(format!(
                "there is no function `{name}` in Prometheus 3: it became `{other}`, which is \
                 experimental; clusters do not enable it"
            )),
            _ => self.is_experimental.then(|| experimental(name)),
        }
    }

    /// The function of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|function| function.name == name)
    }

    /// The functions that clusters with Prometheus 3 have.
    pub(super) fn usual() -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(|function| function.refusal(Dialect::Three).is_none())
    }

    /// What is between the parentheses of a call: `(vector, scalar)`.
    pub fn signature(&self) -> String {
        let names: Vec<String> = (0..self.most.min(self.takes.len()))
            .map(|at| {
                let name = self.takes[at].short_name();
                if at < self.least { name.to_owned() } else { format!("[{name}]") }
            })
            .collect();
        format!("({})", names.join(", "))
    }

    /// The function whose name an unknown name may be a typo of.
    pub(super) fn nearest(name: &str, dialect: Dialect) -> Option<&'static str> {
        let known = ALL.iter().filter(|function| function.refusal(dialect).is_none());
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

/// A date function. Without an argument, it uses the current time.
const fn of_date(name: &'static str) -> Function {
    Function::with_optional(name, &[Vector], 1)
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
    Function::new("double_exponential_smoothing", &[Range, Scalar, Scalar], Vector)
        .experimental()
        .renamed(Dialect::Two, "holt_winters"),
    plain("exp"),
    over_time("first_over_time").experimental(),
    plain("floor"),
    plain("histogram_avg"),
    plain("histogram_count"),
    Function::new("histogram_fraction", &[Scalar, Scalar, Vector], Vector),
    Function::new("histogram_quantile", &[Scalar, Vector], Vector),
    plain("histogram_stddev"),
    plain("histogram_stdvar"),
    plain("histogram_sum"),
    Function::new("holt_winters", &[Range, Scalar, Scalar], Vector)
        .renamed(Dialect::Three, "double_exponential_smoothing"),
    of_date("hour"),
    over_time("idelta"),
    over_time("increase"),
    Function::with_optional("info", &[Vector, Vector], 2).experimental(),
    over_time("irate"),
    Function::with_optional("label_join", &[Vector, Text, Text, Text], usize::MAX),
    Function::new("label_replace", &[Vector, Text, Text, Text, Text], Vector),
    over_time("last_over_time"),
    plain("ln"),
    plain("log10"),
    plain("log2"),
    over_time("mad_over_time").experimental(),
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
    Function::with_optional("round", &[Vector, Scalar], 2),
    Function::new("scalar", &[Vector], Scalar),
    plain("sgn"),
    plain("sin"),
    plain("sinh"),
    plain("sort"),
    Function::with_optional("sort_by_label", &[Vector, Text], usize::MAX).experimental(),
    Function::with_optional("sort_by_label_desc", &[Vector, Text], usize::MAX).experimental(),
    plain("sort_desc"),
    plain("sqrt"),
    over_time("stddev_over_time"),
    over_time("stdvar_over_time"),
    over_time("sum_over_time"),
    plain("tan"),
    plain("tanh"),
    Function::new("time", &[], Scalar),
    plain("timestamp"),
    over_time("ts_of_first_over_time").experimental(),
    over_time("ts_of_last_over_time").experimental(),
    over_time("ts_of_max_over_time").experimental(),
    over_time("ts_of_min_over_time").experimental(),
    Function::new("vector", &[Scalar], Vector),
    of_date("year"),
];
