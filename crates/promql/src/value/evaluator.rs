//! Evaluates a query, node by node.

use super::super::syntax::{Call, Expr, NodeId, Query, Subquery};
use super::aggregate;
use super::answer::Value;
use super::binary;
use super::error::EvalError;
use super::functions::{self, Arguments};
use super::labels::LabelsPart;
use super::marks::Marks;
use super::operand::{Matrix, Operand};
use super::plan::{Role, Shift, Steps, milliseconds, plan};
use super::pool::{LabelsId, Pool};
use super::relabeling::{Origins, Relabeling};
use super::selectors::{self, Reading};
use super::series::{Point, Store};
use super::settings::{Limits, Settings};

/// The value of an instant query.
pub fn evaluate(query: &Query, store: &Store, settings: &Settings) -> Result<Value, EvalError> {
    Evaluation::new(query, *settings)?.value(store, |_| Step::Evaluate).0
}

/// The value of an instant query, and the number of samples of each node at the time of the query.
/// After an error, the first node without a count is the one that failed.
pub fn evaluate_counted(
    query: &Query,
    store: &Store,
    settings: &Settings,
) -> (Result<Value, EvalError>, Vec<usize>) {
    match Evaluation::new(query, *settings) {
        Ok(mut evaluation) => evaluation.value(store, |_| Step::Evaluate),
        Err(error) => (Err(error), Vec::new()),
    }
}

/// Evaluates a query over several stores. An evaluation can use what an earlier one found about
/// some nodes.
pub struct Evaluation<'q> {
    query: &'q Query,
    settings: Settings,
    roles: Vec<Role>,
    pool: Pool,
    /// The limits of each evaluation.
    budget: Limits,
    /// How many sets of labels all evaluations share.
    kept: usize,
}

/// What an evaluation does at a node.
pub enum Step<'k> {
    /// Evaluate the node.
    Evaluate,
    /// Use what another evaluation found.
    Use(&'k KnownValues),
    /// Skip the node, because its value is not needed. The node has this many samples.
    Skip(usize),
}

/// The values of a node. Only the [`Evaluation`] that found them can use them.
#[derive(Debug, PartialEq)]
pub struct KnownValues(Operand<'static>);

impl<'q> Evaluation<'q> {
    pub fn new(query: &'q Query, settings: Settings) -> Result<Self, EvalError> {
        let mut pool = Pool::new(settings.limits);
        let roles = plan(query, &settings, &mut pool)?;
        let budget = pool.left();
        Ok(Self { query, settings, roles, pool, budget, kept: 0 })
    }

    /// The value of the query, and the number of samples of each node at the time of the query.
    /// After an error, the first node without a count is the one that failed.
    pub fn value<'k>(
        &mut self,
        store: &Store,
        step: impl Fn(NodeId) -> Step<'k>,
    ) -> (Result<Value, EvalError>, Vec<usize>) {
        let mut counts = Vec::with_capacity(self.roles.len());
        let count = |_, operand: &Operand<'_>| counts.push(operand.len());
        let value = self.evaluated(store, step, count).and_then(Evaluator::value);
        (value, counts)
    }

    /// The values of some nodes, in the order of evaluation, and the number of samples of each
    /// node. To use them after the next evaluation, [`keep`](Self::keep) them. None if the
    /// evaluation fails.
    pub fn nodes<'k>(
        &mut self,
        store: &Store,
        step: impl Fn(NodeId) -> Step<'k>,
        nodes: &[NodeId],
    ) -> Option<(Vec<KnownValues>, Vec<usize>)> {
        let mut counts = Vec::with_capacity(self.roles.len());
        let mut known = Vec::with_capacity(nodes.len());
        let see = |id, operand: &Operand<'_>| {
            counts.push(operand.len());
            if nodes.contains(&id) {
                known.extend(operand.owned().map(KnownValues));
            }
        };
        self.evaluated(store, step, see).ok()?;
        (known.len() == nodes.len()).then_some((known, counts))
    }

    /// Keeps the sets of labels of the last evaluation, so that later ones can use its values.
    /// These sets count toward the limits of each later evaluation.
    pub fn keep(&mut self) {
        self.kept = self.pool.len();
        self.budget.bytes = self.pool.left().bytes;
    }

    fn evaluated<'e, 'k>(
        &'e mut self,
        store: &'e Store,
        step: impl Fn(NodeId) -> Step<'k>,
        mut see: impl FnMut(NodeId, &Operand<'_>),
    ) -> Result<Evaluator<'e>, EvalError> {
        self.pool.renew(self.budget, self.kept);
        let operands = Vec::with_capacity(self.roles.len());
        let (query, settings, pool) = (self.query, &self.settings, &mut self.pool);
        let mut evaluator = Evaluator { query, store, settings, pool, operands };
        for (id, _) in query.nodes() {
            let operand = match step(id) {
                Step::Evaluate => evaluator.operand(id, self.roles[id.index()])?,
                Step::Use(known) => known.0.clone(),
                Step::Skip(count) => Operand::Skipped(count),
            };
            see(id, &operand);
            evaluator.operands.push(operand);
        }
        Ok(evaluator)
    }
}

struct Evaluator<'a> {
    query: &'a Query,
    store: &'a Store,
    settings: &'a Settings,
    pool: &'a mut Pool,
    /// The values of the nodes so far, until their user takes them.
    operands: Vec<Operand<'a>>,
}

impl<'a> Evaluator<'a> {
    /// The value of the query.
    fn value(mut self) -> Result<Value, EvalError> {
        let root = self.take(self.query.root());
        value_of(&root, self.pool, self.settings)
            .ok_or_else(|| EvalError::unsupported("this part of the query has no value"))
    }

    fn take(&mut self, id: NodeId) -> Operand<'a> {
        let operand = self.operands.get_mut(id.index());
        operand.map_or(Operand::Nothing, |operand| std::mem::replace(operand, Operand::Nothing))
    }

    fn operand(&mut self, id: NodeId, role: Role) -> Result<Operand<'a>, EvalError> {
        let (steps, reading) = match role {
            Role::Values(steps) => (steps, Reading::Value),
            Role::Times(steps) => (steps, Reading::Time),
            Role::Nothing => return Ok(Operand::Nothing),
        };
        let query = self.query;
        match &query.node(id).expr {
            Expr::Number(value) => Ok(Operand::Scalars(steps.times().map(|_| *value).collect())),
            Expr::Text(text) => Ok(Operand::Text(text)),
            Expr::Selector(selector) => {
                let (store, settings) = (self.store, self.settings);
                selectors::instant(self.pool, store, settings, selector, steps, reading)
                    .map(Operand::Vectors)
            }
            Expr::Range(of, reach) => {
                let Expr::Selector(selector) = &query.node(*of).expr else {
                    return Ok(Operand::Nothing);
                };
                let reach = milliseconds(reach.value);
                let (store, settings) = (self.store, self.settings);
                selectors::range(self.pool, store, settings, selector, steps, reach)
                    .map(|matrix| Operand::Matrix(Box::new(matrix)))
            }
            Expr::Subquery(subquery) => self.subquery(subquery, steps),
            Expr::Call(call) => self.call(call, steps),
            Expr::Aggregation(aggregation) => {
                let parameter = aggregation.parameter.map(|id| self.take(id));
                let vectors = self.take(aggregation.of).into_vectors();
                let dialect = self.settings.dialect;
                aggregate::aggregate(self.pool, aggregation, parameter.as_ref(), vectors, dialect)
                    .map(Operand::Vectors)
            }
            Expr::Binary(binary) => {
                let (left, right) = (self.take(binary.left), self.take(binary.right));
                binary::calculate(self.pool, binary, left, right, self.settings.dialect)
            }
            Expr::Unary(negative, of) => {
                let operand = self.take(*of);
                if *negative { negated(self.pool, operand) } else { Ok(operand) }
            }
            Expr::Paren(of) => Ok(self.take(*of)),
        }
    }

    fn call(&mut self, call: &Call, steps: Steps) -> Result<Operand<'a>, EvalError> {
        let operands = call.arguments.iter().map(|id| self.take(*id)).collect();
        let (query, settings) = (self.query, self.settings);
        functions::call(self.pool, Arguments { call, query, operands, steps, settings })
    }

    /// Turns the vectors at the steps of a subquery into the samples of a range.
    fn subquery(&mut self, subquery: &Subquery, outer: Steps) -> Result<Operand<'a>, EvalError> {
        let vectors = self.take(subquery.of).into_vectors();
        let inner = super::plan::inner_steps(subquery, outer, self.settings)?;
        let mut places = Marks::default();
        let mut series: Vec<(LabelsId, Vec<Point>)> = Vec::new();
        for (vector, time) in vectors.into_iter().zip(inner.times()) {
            self.pool.charge(vector.len() as u64)?;
            for sample in vector {
                let at = places.place(sample.labels, series.len());
                if at == series.len() {
                    series.push((sample.labels, Vec::new()));
                }
                series[at].1.push(Point { time, value: sample.value });
            }
        }
        if matches!(self.query.node(self.query.bare(subquery.of)).expr, Expr::Selector(_)) {
            // For these, Prometheus goes series by series. Otherwise, series are in the order of
            // time.
            series.sort_by(|(a, _), (b, _)| self.pool.labels(*a).cmp(self.pool.labels(*b)));
        }
        let shift = Shift::new(&subquery.modifiers, self.settings.time);
        let series = series.into_iter().map(|(id, points)| (id, points.into())).collect();
        let (reach, dialect) = (milliseconds(subquery.reach.value), self.settings.dialect);
        Ok(Operand::Matrix(Box::new(Matrix { series, reach, shift, dialect })))
    }
}

fn value_of(operand: &Operand<'_>, pool: &Pool, settings: &Settings) -> Option<Value> {
    let labels = |id| pool.labels(id).clone();
    Some(match operand {
        Operand::Scalars(values) => Value::Scalar(values.first().copied().unwrap_or(f64::NAN)),
        Operand::Text(text) => Value::Text((*text).to_owned()),
        Operand::Vectors(vectors) => {
            let samples = vectors.first().into_iter().flatten();
            Value::Vector(samples.map(|sample| (labels(sample.labels), sample.value)).collect())
        }
        Operand::Matrix(matrix) => {
            let seen = matrix
                .series
                .iter()
                .map(|(id, points)| (labels(*id), matrix.seen(points, settings.time).to_vec()));
            Value::Matrix(seen.filter(|(_, points)| !points.is_empty()).collect())
        }
        Operand::Nothing | Operand::Skipped(_) => return None,
    })
}

fn negated<'s>(pool: &mut Pool, operand: Operand<'s>) -> Result<Operand<'s>, EvalError> {
    match operand {
        Operand::Scalars(values) => {
            Ok(Operand::Scalars(values.into_iter().map(|value| -value).collect()))
        }
        Operand::Vectors(mut vectors) => {
            let mut relabeling =
                Relabeling::new(vectors.len(), |pool, id| pool.part(id, &LabelsPart::Unnamed));
            let mut origins = Origins::default();
            for sample in vectors.iter_mut().flatten() {
                pool.charge(1)?;
                let labels = relabeling.of(pool, sample.labels)?;
                origins.expect_one(labels, sample.labels)?;
                (sample.labels, sample.value) = (labels, -sample.value);
            }
            Ok(Operand::Vectors(vectors))
        }
        other => Ok(other),
    }
}
