//! What a cluster must be like so that a query answers 1, as far as matchers show.
//!
//! A cluster has a single series of some metrics, for example of the one about its infrastructure.
//! Two queries that need such a series with different labels never answer 1 on one cluster.

use super::super::syntax::{
    Aggregator, Binary, Expr, MatchOp, Matcher, NodeId, Operator, Query, Selector, Subquery, Type,
};
use super::answer::Shapes;
use super::labels::CLUSTER_ID;
use super::metrics;
use super::values::Values;

/// The alternatives in which a query answers 1, each with the series that it needs. Without
/// alternatives, the query never answers 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs(Vec<Vec<Need>>);

/// A series of a metric that has a single series in a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need {
    metric: String,
    matchers: Vec<Matcher>,
}

/// Two matchers that no cluster satisfies at the same time, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The metric.
    pub metric: String,
    /// The matcher of one query.
    pub one: String,
    /// The matcher of the other query.
    pub other: String,
}

/// A query with more alternatives counts as needing nothing.
const MOST: usize = 4;

impl Needs {
    /// The needs of a query.
    pub fn of(query: &Query) -> Self {
        let (answering, with_one) = (Vec::new(), Vec::new());
        let mut nodes = NeedsOfNodes { query, shapes: Shapes::of(query), answering, with_one };
        for (id, node) in query.nodes() {
            let NodeNeeds { answering, with_one } = nodes.of(&node.expr);
            let lacks_one = nodes.values(id).is_some_and(|values| values.lacks(1.0));
            nodes.answering.push(answering);
            nodes.with_one.push(if lacks_one { Self::impossible() } else { with_one });
        }
        nodes.with_one.pop().unwrap_or_else(Self::nothing)
    }

    /// Needs that every cluster fulfills.
    pub fn nothing() -> Self {
        Self(vec![Vec::new()])
    }

    /// Needs that no cluster fulfills.
    pub fn impossible() -> Self {
        Self(Vec::new())
    }

    /// The needs of one query or the other.
    pub fn or(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self.bounded()
    }

    /// The needs of both queries.
    fn and(&self, other: &Self) -> Self {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Self(pairs.map(|(a, b)| [a.as_slice(), b.as_slice()].concat()).collect()).bounded()
    }

    fn bounded(self) -> Self {
        let is_free = self.0.iter().any(Vec::is_empty);
        if is_free || self.0.len() > MOST { Self::nothing() } else { self }
    }

    /// Why no cluster fulfills both needs. None if one may.
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
        let value_of = |label: &str| {
            let mut matchers = selector.matchers.iter().filter(|m| m.op == MatchOp::Equal);
            matchers.find(|m| m.label.value == label).map(|m| m.value.value.as_str())
        };
        (selector.modifiers.is_empty() && metrics::is_single(metric, value_of))
            .then(|| Self { metric: metric.to_owned(), matchers: selector.matchers.clone() })
    }

    fn conflict(&self, other: &Self) -> Option<Conflict> {
        if self.metric != other.metric {
            return None;
        }
        let pairs = self.matchers.iter().flat_map(|a| other.matchers.iter().map(move |b| (a, b)));
        let mut of_one_label =
            pairs.filter(|(a, b)| a.label.value == b.label.value && a.label.value != CLUSTER_ID);
        let (a, b) = of_one_label.find(|(a, b)| a.contradicts(b))?;
        Some(Conflict { metric: self.metric.clone(), one: a.to_string(), other: b.to_string() })
    }
}

/// The needs of the nodes up to now, operands before their users.
struct NeedsOfNodes<'q> {
    query: &'q Query,
    shapes: Shapes,
    /// What each node needs to answer anything.
    answering: Vec<Needs>,
    /// What each node needs to answer 1.
    with_one: Vec<Needs>,
}

/// The needs of one node.
struct NodeNeeds {
    /// What it needs to answer anything.
    answering: Needs,
    /// What it needs to answer 1.
    with_one: Needs,
}

impl NodeNeeds {
    fn alike(needs: Needs) -> Self {
        Self { answering: needs.clone(), with_one: needs }
    }
}

impl NeedsOfNodes<'_> {
    fn of(&self, expr: &Expr) -> NodeNeeds {
        let alike = NodeNeeds::alike;
        let both =
            |id: NodeId| NodeNeeds { answering: self.answering(id), with_one: self.with_one(id) };
        match expr {
            Expr::Selector(selector) => alike(match Need::of(selector) {
                Some(need) => Needs(vec![vec![need]]),
                None => Needs::nothing(),
            }),
            Expr::Number(_) | Expr::Text(_) => alike(Needs::nothing()),
            // The past does not count: the cluster may have been different.
            Expr::Subquery(of) if !of.modifiers.is_empty() => alike(Needs::nothing()),
            Expr::Subquery(Subquery { of, .. }) | Expr::Range(of, _) | Expr::Unary(_, of) => {
                alike(self.answering(*of))
            }
            Expr::Paren(of) => both(*of),
            Expr::Call(call) => match (call.function.name, call.vector(self.query)) {
                // These functions answer without any series.
                ("absent" | "absent_over_time" | "scalar", _) | (_, None) => {
                    alike(Needs::nothing())
                }
                ("label_replace" | "label_join" | "sort" | "sort_desc", Some(of)) => both(of),
                (_, Some(of)) => alike(self.answering(of)),
            },
            Expr::Aggregation(aggregation) => match aggregation.op.value {
                op if op.picks() || matches!(op, Aggregator::Max | Aggregator::Min) => {
                    both(aggregation.of)
                }
                _ => alike(self.answering(aggregation.of)),
            },
            Expr::Binary(binary) => self.of_binary(binary),
        }
    }

    fn of_binary(&self, binary: &Binary) -> NodeNeeds {
        let (left, right) = (binary.left, binary.right);
        let answering = self.answering(left).and(&self.answering(right));
        let with_one = match binary.op.value {
            Operator::Or => {
                return NodeNeeds {
                    answering: self.answering(left).or(&self.answering(right)),
                    with_one: self.with_one(left).or(&self.with_one(right)),
                };
            }
            Operator::Unless => {
                return NodeNeeds {
                    answering: self.answering(left),
                    with_one: self.with_one(left),
                };
            }
            Operator::And => self.with_one(left).and(&self.answering(right)),
            op if op.is_comparison() && binary.bool.is_none() => {
                // A comparison returns the value of its vector.
                let (vector, other) = match self.query.node(left).kind {
                    Type::Scalar => (right, left),
                    _ => (left, right),
                };
                self.with_one(vector).and(&self.answering(other))
            }
            // A product of zeros and ones is 1 only if both are.
            Operator::Multiply if self.is_yes_or_no(left) && self.is_yes_or_no(right) => {
                self.with_one(left).and(&self.with_one(right))
            }
            _ => return NodeNeeds::alike(answering),
        };
        NodeNeeds { answering, with_one }
    }

    fn values(&self, id: NodeId) -> Option<&Values> {
        self.shapes.get(id).map(|shape| &shape.values)
    }

    fn is_yes_or_no(&self, id: NodeId) -> bool {
        matches!(self.values(id), Some(Values::Only(list)) if list.iter().all(|v| [0.0, 1.0].contains(v)))
    }

    fn answering(&self, id: NodeId) -> Needs {
        self.answering.get(id.index()).cloned().unwrap_or_else(Needs::nothing)
    }

    fn with_one(&self, id: NodeId) -> Needs {
        self.with_one.get(id.index()).cloned().unwrap_or_else(Needs::nothing)
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::super::super::syntax::parse;
    use super::Needs;

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
    fn one_alternative_is_enough() {
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
