//! Random queries over the series of `values_series`. Most have the right types.

use crate::data::values_series::Random;

const METRICS: &[&str] = &[
    "cluster_infrastructure_provider",
    "cluster_version",
    "cluster_installer",
    "cluster_operator_conditions",
    "ovnkube_controller_ipsec_enabled",
    "kube_node_labels",
    "csv_succeeded",
    "apiserver_storage_objects",
    "requests_total",
    "errors_total",
    "temperature",
    "odd",
    "ties",
    "latency_bucket",
    "nothing",
];

const LABELS: &[&str] = &[
    "type",
    "version",
    "name",
    "condition",
    "node",
    "job",
    "instance",
    "zone",
    "x",
    "y",
    "le",
    "_id",
    "resource",
    "namespace",
    "__name__",
    "none",
];

const MATCHERS: &[&str] = &[
    r#"type="AWS""#,
    r#"type=~"AWS|None""#,
    r#"type!="current""#,
    r#"version=~"4[.].*""#,
    r#"version!~"4[.](9|1[0-8])[.].*""#,
    r#"name="aro""#,
    r#"name=~"odf[.].*""#,
    r#"condition="Degraded""#,
    r#"node=~"n[12]""#,
    r#"node!="n1""#,
    r#"job="api""#,
    r#"job!~"w.b""#,
    r#"instance="i1""#,
    r#"x="1""#,
    r#"x!="""#,
    r#"y="""#,
    r#"_id="""#,
    r#"zone=~"(?i)A""#,
    r#"x=~"[1-3]",x!="2""#,
];

const DURATIONS: &[&str] = &["15s", "1m", "59s", "90s", "5m", "299s", "301s", "10m", "17m", "1ms"];

const OFFSETS: &[&str] = &["1m", "5m", "-1m", "-30s", "20m", "7123ms"];

const NUMBERS: &[&str] =
    &["0", "1", "-1", "2", "0.5", "3.7", "1e3", "-0", "1e-9", "Inf", "-Inf", "NaN", "1755890000"];

const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "^", "atan2"];

const AGGREGATORS: &[&str] = &["sum", "avg", "min", "max", "count", "group", "stddev", "stdvar"];

const ELEMENTWISE: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "deg",
    "exp",
    "floor",
    "ln",
    "log10",
    "log2",
    "rad",
    "round",
    "sgn",
    "sin",
    "sinh",
    "sort",
    "sort_desc",
    "sqrt",
    "tan",
    "tanh",
    "timestamp",
    "absent",
    "day_of_month",
    "day_of_week",
    "day_of_year",
    "days_in_month",
    "hour",
    "minute",
    "month",
    "year",
    "histogram_count",
    "histogram_sum",
];

const OVER_RANGES: &[&str] = &[
    "absent_over_time",
    "avg_over_time",
    "changes",
    "count_over_time",
    "delta",
    "deriv",
    "idelta",
    "increase",
    "irate",
    "last_over_time",
    "max_over_time",
    "min_over_time",
    "present_over_time",
    "rate",
    "resets",
    "stddev_over_time",
    "stdvar_over_time",
    "sum_over_time",
];

/// Makes queries.
pub(crate) struct Queries(Random);

impl Queries {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub(crate) fn query(&mut self) -> String {
        let depth = self.0.below(5);
        match self.0.below(30) {
            0 => self.scalar(depth),
            1 => self.range(depth.min(1)),
            2 => "\"a text\"".into(),
            // A mistake in the types.
            3 => format!("rate({})", self.vector(0)),
            _ => self.vector(depth),
        }
    }

    fn metric(&mut self) -> &'static str {
        // Most operators need two sides that have something to do with each other.
        let metrics = if self.chance(2) { METRICS } else { &["temperature", "requests_total"] };
        self.one(metrics)
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        self.0.one(of)
    }

    fn chance(&mut self, of: usize) -> bool {
        self.0.below(of) == 0
    }

    fn selector(&mut self) -> String {
        let mut selector = match self.0.below(12) {
            0 | 1 => format!("{{__name__=~\"{}|{}\"}}", self.one(METRICS), self.one(METRICS)),
            2 => format!("{{{},__name__!=\"nothing\",job!=\"\"}}", self.one(MATCHERS)),
            _ => self.metric().to_owned(),
        };
        if !selector.contains('{') && self.chance(5) {
            let matcher = self.one(MATCHERS);
            selector = format!("{selector}{{{matcher}}}");
        }
        selector
    }

    fn modifiers(&mut self) -> String {
        let offset = format!(" offset {}", self.one(OFFSETS));
        let at = self.one(&[" @ 1755896400", " @ 1755896100.5", " @ end()", " @ start()"]);
        match self.0.below(16) {
            0 => offset,
            1 => at.to_owned(),
            2 => format!("{at}{offset}"),
            _ => String::new(),
        }
    }

    fn scalar(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.0.below(8) {
                0 => "time()".into(),
                1 => "pi()".into(),
                _ => self.one(NUMBERS).to_owned(),
            };
        }
        match self.0.below(4) {
            0 => format!("scalar({})", self.vector(depth - 1)),
            1 => format!(
                "({} {} {})",
                self.scalar(depth - 1),
                self.one(ARITHMETIC),
                self.scalar(depth - 1)
            ),
            2 => format!(
                "({} {} bool {})",
                self.scalar(depth - 1),
                self.one(COMPARISONS),
                self.scalar(depth - 1)
            ),
            _ => format!("-{}", self.scalar(0)),
        }
    }

    fn range(&mut self, depth: usize) -> String {
        let reach = self.one(DURATIONS);
        let of = if depth == 0 || self.chance(2) {
            format!("{}[{reach}]", self.selector())
        } else {
            // Shorter ones may hold no step at all. Then Prometheus still evaluates what `@` makes
            // the same at each step, and we do not.
            let reach = self.one(&["2m", "150s", "299s", "5m", "10m", "17m"]);
            let step = self.one(&["", "1m", "30s", "17s", "45s", "2m"]);
            format!("({})[{reach}:{step}]", self.vector(depth - 1))
        };
        format!("{of}{}", self.modifiers())
    }

    pub(crate) fn vector(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.0.below(20) {
                0 => format!("vector({})", self.scalar(0)),
                1 => format!(
                    "{}()",
                    self.one(&["hour", "minute", "year", "day_of_week", "days_in_month"])
                ),
                _ => format!("{}{}", self.selector(), self.modifiers()),
            };
        }
        match self.0.below(20) {
            0..=4 => self.aggregation(depth - 1),
            5..=8 => self.binary(depth - 1),
            9..=10 => self.with_scalar(depth - 1),
            11..=12 => {
                let function = self.one(ELEMENTWISE);
                format!("{function}({})", self.vector(depth - 1))
            }
            13..=16 => {
                let function = self.one(OVER_RANGES);
                format!("{function}({})", self.range(depth))
            }
            17 => format!("-({})", self.vector(depth - 1)),
            _ => self.call(depth - 1),
        }
    }

    fn aggregation(&mut self, depth: usize) -> String {
        let grouping = match self.0.below(5) {
            0 | 1 => String::new(),
            2 => format!(" without ({})", self.labels()),
            _ => format!(" by ({})", self.labels()),
        };
        let of = self.vector(depth);
        match self.0.below(12) {
            0..=1 => {
                let k = self.one(&["1", "2", "3", "0", "-1", "1.9", "NaN", "Inf", "100"]);
                let op = self.one(&["topk", "bottomk"]);
                format!("{op}{grouping} ({k}, {of})")
            }
            2 => {
                let q = self.one(&["0.5", "0", "1", "0.9", "-1", "2", "NaN"]);
                format!("quantile{grouping} ({q}, {of})")
            }
            3 => {
                let label = self.one(&["v", "x", "node", "9", "job"]);
                format!("count_values{grouping} (\"{label}\", {of})")
            }
            _ => format!("{}{grouping} ({of})", self.one(AGGREGATORS)),
        }
    }

    fn labels(&mut self) -> String {
        let count = self.0.below(3);
        (0..count).map(|_| self.one(LABELS)).collect::<Vec<_>>().join(", ")
    }

    fn binary(&mut self, depth: usize) -> String {
        let left = self.vector(depth);
        // Unrelated series rarely match.
        let right = match self.0.below(3) {
            0 => left.clone(),
            _ => self.vector(depth),
        };
        let set = self.chance(3);
        let op = match self.0.below(3) {
            _ if set => self.one(&["and", "or", "unless"]).to_owned(),
            0 => self.one(COMPARISONS).to_owned(),
            1 => format!("{} bool", self.one(COMPARISONS)),
            _ => self.one(ARITHMETIC).to_owned(),
        };
        let matching = match self.0.below(3) {
            0 => format!(" on ({})", self.labels()),
            1 => format!(" ignoring ({})", self.labels()),
            _ => String::new(),
        };
        let group = match self.0.below(3) {
            _ if set || matching.is_empty() => String::new(),
            0 => format!(" group_left ({})", self.labels()),
            1 => format!(" group_right ({})", self.labels()),
            _ => String::new(),
        };
        format!("({left}) {op}{matching}{group} ({right})")
    }

    fn with_scalar(&mut self, depth: usize) -> String {
        let (vector, scalar) = (self.vector(depth), self.scalar(depth.min(1)));
        let op = match self.0.below(3) {
            0 => self.one(COMPARISONS).to_owned(),
            1 => format!("{} bool", self.one(COMPARISONS)),
            _ => self.one(ARITHMETIC).to_owned(),
        };
        if self.chance(2) {
            format!("({vector}) {op} {scalar}")
        } else {
            format!("{scalar} {op} ({vector})")
        }
    }

    /// A function with more than one argument.
    fn call(&mut self, depth: usize) -> String {
        let of = self.vector(depth);
        let number = self.scalar(0);
        match self.0.below(11) {
            0 | 1 => {
                let target = self.one(&["x", "new", "node", "__name__", "9"]);
                let text = self.one(&["", "same", "$1", "a-$1-b", "${1}x", "$1x", "$$", "${n}"]);
                let source = self.one(LABELS);
                let pattern =
                    self.one(&["", "(.*)", "(n)(.)", "i(?P<n>[0-9])", "(", "[^a]+", "4[.](.*)"]);
                format!(
                    "label_replace({of}, \"{target}\", \"{text}\", \"{source}\", \"{pattern}\")"
                )
            }
            2 => {
                let (a, b) = (self.one(LABELS), self.one(LABELS));
                let target = self.one(&["x", "new", "__name__", "-"]);
                format!("label_join({of}, \"{target}\", \"-\", \"{a}\", \"{b}\")")
            }
            3 => format!("clamp({of}, {number}, {})", self.scalar(0)),
            4 => format!("clamp_{}({of}, {number})", self.one(&["min", "max"])),
            5 => format!("round({of}, {number})"),
            6 => {
                let of = if self.chance(2) { of } else { "latency_bucket".into() };
                format!("histogram_quantile({number}, {of})")
            }
            7 => format!("predict_linear({}, {number})", self.range(depth)),
            8 => format!("quantile_over_time({number}, {})", self.range(depth)),
            9 => {
                let factors = ["0.1", "0.5", "0.9", "1", "-0.5"];
                let (smoothing, trend) = (self.one(&factors), self.one(&factors));
                format!("holt_winters({}, {smoothing}, {trend})", self.range(depth))
            }
            _ => format!("vector({})", self.scalar(depth)),
        }
    }
}
