//! What a cluster must be like for a query to answer 1, as far as matchers show.
//!
//! Of some metrics a cluster has one series only, such as that of its infrastructure. Two
//! queries that ask such a series for different things never answer 1 in one cluster.

use super::answer::shapes;
use super::ast::{
    Aggregator, Binary, Expr, MatchOp, Matcher, NodeId, Operator, Query, Selector, Subquery,
};
use super::shape::{ID, Shape};
use super::{Type, Values, metrics};

/// The ways in which a query can answer 1: for each, the series that it asks for. Without any
/// way, it never does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs(Vec<Vec<Need>>);

/// A series of a metric of which a cluster has one only.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need {
    metric: String,
    /// What is asked of its labels.
    matchers: Vec<Matcher>,
}

/// Two demands that no cluster meets together, as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The metric.
    pub metric: String,
    /// What one asks of its label.
    pub one: String,
    /// What the other asks of it.
    pub other: String,
}

/// More ways are not told apart.
const MOST: usize = 4;

impl Needs {
    /// What a query asks for.
    #[must_use]
    pub fn of(query: &Query) -> Self {
        let (answering, with_one) = (Vec::new(), Vec::new());
        let mut walk = Walk { query, shapes: shapes(query), answering, with_one };
        for (id, node) in query.nodes() {
            let (answering, with_one) = walk.of(&node.expr);
            let lacks_one = walk.values(id).is_some_and(|values| values.lacks(1.0));
            walk.answering.push(answering);
            walk.with_one.push(if lacks_one { Self::impossible() } else { with_one });
        }
        walk.with_one.pop().unwrap_or_else(Self::nothing)
    }

    /// No demand at all.
    #[must_use]
    pub fn nothing() -> Self {
        Self(vec![Vec::new()])
    }

    /// What no cluster meets.
    #[must_use]
    pub fn impossible() -> Self {
        Self(Vec::new())
    }

    /// What one or the other asks for.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self.bounded()
    }

    /// What both ask for.
    fn and(&self, other: &Self) -> Self {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Self(pairs.map(|(a, b)| [a.as_slice(), b.as_slice()].concat()).collect()).bounded()
    }

    fn bounded(self) -> Self {
        let is_free = self.0.iter().any(Vec::is_empty);
        if is_free || self.0.len() > MOST { Self::nothing() } else { self }
    }

    /// Why no cluster meets these and others, if none does.
    #[must_use]
    pub fn conflict(&self, other: &Self) -> Option<Conflict> {
        let mut first = None;
        for one in &self.0 {
            for two in &other.0 {
                let found = one.iter().find_map(|a| two.iter().find_map(|b| a.conflict(b)))?;
                first.get_or_insert(found);
            }
        }
        first
    }
}

impl Need {
    fn of(selector: &Selector) -> Option<Self> {
        let metric = selector.metric()?;
        let asked = |label: &str| {
            let mut matchers = selector.matchers.iter().filter(|m| m.op == MatchOp::Equal);
            matchers.find(|m| m.label.value == label).map(|m| m.value.value.as_str())
        };
        let is_of_now = selector.shift.offset.is_none() && selector.shift.at.is_none();
        (is_of_now && metrics::is_single(metric, asked))
            .then(|| Self { metric: metric.to_owned(), matchers: selector.matchers.clone() })
    }

    fn conflict(&self, other: &Self) -> Option<Conflict> {
        if self.metric != other.metric {
            return None;
        }
        let pairs = self.matchers.iter().flat_map(|a| other.matchers.iter().map(move |b| (a, b)));
        let mut of_one_label =
            pairs.filter(|(a, b)| a.label.value == b.label.value && a.label.value != ID);
        let (a, b) = of_one_label.find(|(a, b)| a.contradicts(b))?;
        Some(Conflict { metric: self.metric.clone(), one: a.to_string(), other: b.to_string() })
    }
}

/// The way from operands to what uses them.
struct Walk<'q> {
    query: &'q Query,
    shapes: Vec<Option<Shape>>,
    /// For each node so far, what it needs to answer anything.
    answering: Vec<Needs>,
    /// And to answer 1.
    with_one: Vec<Needs>,
}

impl Walk<'_> {
    /// What an expression needs to answer anything, and to answer 1.
    fn of(&self, expr: &Expr) -> (Needs, Needs) {
        let alike = |needs: Needs| (needs.clone(), needs);
        let both = |id: NodeId| (self.answering(id), self.with_one(id));
        match expr {
            Expr::Selector(selector) => alike(match Need::of(selector) {
                Some(need) => Needs(vec![vec![need]]),
                None => Needs::nothing(),
            }),
            Expr::Number(_) | Expr::Text(_) => alike(Needs::nothing()),
            // What was is not what is.
            Expr::Subquery(of) if of.shift.offset.is_some() || of.shift.at.is_some() => {
                alike(Needs::nothing())
            }
            Expr::Subquery(Subquery { of, .. }) | Expr::Range(of, _) | Expr::Unary(_, of) => {
                alike(self.answering(*of))
            }
            Expr::Paren(of) => both(*of),
            Expr::Call(call) => {
                let is_vector =
                    |id: &&NodeId| matches!(self.query.node(**id).kind, Type::Vector | Type::Range);
                let operand = call.arguments.iter().find(is_vector);
                match (call.function.name, operand) {
                    // They answer where there is nothing.
                    ("absent" | "absent_over_time" | "scalar", _) | (_, None) => {
                        alike(Needs::nothing())
                    }
                    ("label_replace" | "label_join" | "sort" | "sort_desc", Some(of)) => both(*of),
                    (_, Some(of)) => alike(self.answering(*of)),
                }
            }
            Expr::Aggregation(aggregation) => match aggregation.op.value {
                op if op.picks() || matches!(op, Aggregator::Max | Aggregator::Min) => {
                    both(aggregation.of)
                }
                _ => alike(self.answering(aggregation.of)),
            },
            Expr::Binary(binary) => self.of_binary(binary),
        }
    }

    fn of_binary(&self, binary: &Binary) -> (Needs, Needs) {
        let (left, right) = (binary.left, binary.right);
        let answering = self.answering(left).and(&self.answering(right));
        match binary.op.value {
            Operator::Or => (
                self.answering(left).or(&self.answering(right)),
                self.with_one(left).or(&self.with_one(right)),
            ),
            Operator::Unless => (self.answering(left), self.with_one(left)),
            Operator::And => (answering, self.with_one(left).and(&self.answering(right))),
            op if op.compares() && binary.bool.is_none() => {
                // A comparison passes on the value of its vector.
                let (vector, other) = match self.query.node(left).kind {
                    Type::Scalar => (right, left),
                    _ => (left, right),
                };
                (answering, self.with_one(vector).and(&self.answering(other)))
            }
            // A product of zeros and ones is 1 where both are.
            Operator::Multiply if self.is_yes_or_no(left) && self.is_yes_or_no(right) => {
                (answering, self.with_one(left).and(&self.with_one(right)))
            }
            _ => (answering.clone(), answering),
        }
    }

    fn values(&self, id: NodeId) -> Option<&Values> {
        let shape: Option<&Shape> = self.shapes.get(id.0 as usize)?.as_ref();
        shape.map(|shape| &shape.values)
    }

    fn is_yes_or_no(&self, id: NodeId) -> bool {
        matches!(self.values(id), Some(Values::Only(list)) if list.iter().all(|v| [0.0, 1.0].contains(v)))
    }

    fn answering(&self, id: NodeId) -> Needs {
        self.answering.get(id.0 as usize).cloned().unwrap_or_else(Needs::nothing)
    }

    fn with_one(&self, id: NodeId) -> Needs {
        self.with_one.get(id.0 as usize).cloned().unwrap_or_else(Needs::nothing)
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::Needs;
    use crate::promql::parse;

    fn conflict(a: &str, b: &str) -> Option<String> {
        let needs = |text: &str| Needs::of(&parse(text).unwrap_or_else(|e| panic!("{e:?}")));
        let conflict = needs(a).conflict(&needs(b))?;
        Some(format!("{} and {}", conflict.one, conflict.other))
    }

    fn on(kind: &str) -> String {
        format!(
            "topk(1, group by (type) (cluster_infrastructure_provider{{_id=\"\",{kind}}}) \
             or 0 * group by (type) (cluster_infrastructure_provider{{_id=\"\"}}))"
        )
    }

    #[test]
    fn two_infrastructures_are_never_one_cluster() {
        let (aws, azure) = (on("type=\"AWS\""), on("type=\"Azure\""));
        assert_eq!(conflict(&aws, &azure).as_deref(), Some("type=\"AWS\" and type=\"Azure\""));
        assert_eq!(conflict(&aws, &aws), None);
        assert_eq!(conflict(&aws, &on("type=~\"AWS|GCP\"")), None);
        assert!(conflict(&azure, &on("type=~\"AWS|GCP\"")).is_some());
        assert!(conflict(&azure, &on("type!=\"Azure\"")).is_some());
        assert!(conflict(&azure, &on("type=~\"(?i:azure|gcp)\"")).is_none());
    }

    #[test]
    fn one_way_out_is_enough() {
        let aws_or_old = format!("({}) or group(other)", on("type=\"AWS\""));
        assert_eq!(conflict(&aws_or_old, &on("type=\"Azure\"")), None);
        let both = format!("({}) * on () (group(other))", on("type=\"AWS\""));
        assert!(conflict(&both, &on("type=\"Azure\"")).is_some());
        let unless = format!("group(other) unless on () {}", on("type=\"AWS\""));
        assert_eq!(conflict(&unless, &on("type=\"Azure\"")), None);
    }

    #[test]
    fn of_most_metrics_a_cluster_has_several_series() {
        let of = |name: &str| format!("group(cluster_operator_conditions{{name=\"{name}\"}})");
        assert_eq!(conflict(&of("aro"), &of("etcd")), None);
        let version = |kind: &str, v: &str| {
            format!("group(cluster_version{{type=\"{kind}\",version=~\"{v}\"}})")
        };
        assert!(
            conflict(&version("initial", "4[.]9[.]1"), &version("initial", "4[.]8[.].*")).is_some()
        );
        assert_eq!(
            conflict(&version("completed", "4[.]9[.]1"), &version("completed", "4[.]8[.]1")),
            None
        );
    }
}
