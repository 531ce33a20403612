//! Explains the answer of a query: what each part answers, and which arms of an `or` decide.

use std::ops::Range;

use crate::domain::HashMap;
use crate::metrics::{QueryError, Source};
use crate::promql::{self, Expr, Labels, Limits, NodeId, Operator, Query, Type, Value};

/// The answers of a query's parts.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    /// The query, possibly with other line breaks.
    pub(crate) text: String,
    /// In the order of the text. Inner parts come before the parts that contain them.
    pub(crate) parts: Vec<ExplainedPart>,
    /// Whether some parts are omitted.
    pub(crate) is_cut: bool,
}

/// A part of a query with its answer.
#[derive(Clone, Debug)]
pub(crate) struct ExplainedPart {
    /// The bytes of the whole part.
    pub(crate) range: Range<usize>,
    /// The bytes of the word that represents it if it has several lines.
    pub(crate) word: Range<usize>,
    pub(crate) answer: Result<Value, QueryError>,
    /// For an arm of an `or`, whether the answer of the query comes from it.
    pub(crate) decides: Option<bool>,
}

/// In wider lines, the explanations would be far from their parts.
const WIDEST: usize = 76;

/// The most parts to explain. More would be hard to read, and each is a question to the server.
const MOST_PARTS: usize = 60;

impl Explanation {
    /// Evaluates all parts of a valid query. The query is laid out again if its lines are longer
    /// than `width`, or too long for explanations below their parts.
    pub(crate) fn of(text: &str, source: &Source, width: usize) -> Option<Self> {
        let query = source.parse(text).ok()?;
        let width = width.min(WIDEST);
        let is_readable = |c: char| c == '\n' || !c.is_control();
        let fits = text.lines().all(|line| line.chars().count() <= width);
        if fits && text.chars().all(is_readable) {
            return Some(Self::of_parsed(text.trim_end().to_owned(), &query, source));
        }
        let text = promql::laid_out(text, &query, width);
        let query = source.parse(&text).ok()?;
        Some(Self::of_parsed(text, &query, source))
    }

    fn of_parsed(text: String, query: &Query, source: &Source) -> Self {
        let mut shown = shown(query);
        let is_cut = shown.len() > MOST_PARTS;
        // The outer parts come last, so the inner ones are omitted.
        let shown = shown.split_off(shown.len().saturating_sub(MOST_PARTS));
        let limits = Limits::shared_by(shown.len());
        let ask = |id: NodeId| source.ask_within(&text[query.node(id).range.clone()], limits);
        let answers: Answers = shown.iter().map(|id| (*id, ask(*id))).collect();
        let arms = arms(query, &answers);
        let part = |id: &NodeId| {
            let range = query.node(*id).range.clone();
            let answer = answers.get(id)?.clone();
            let word = word(query, *id, &text);
            Some(ExplainedPart { range, word, answer, decides: arms.get(id).copied() })
        };
        let telling =
            shown.iter().filter(|id| arms.contains_key(id) || !is_told(query, &answers, **id));
        let mut parts: Vec<ExplainedPart> = telling.filter_map(part).collect();
        parts.sort_by_key(|part| (part.range.end, std::cmp::Reverse(part.range.start)));
        Self { text, parts, is_cut }
    }
}

type Answers = HashMap<NodeId, Result<Value, QueryError>>;

/// The parts whose answers are worth explaining, operands before their users: vectors, and numbers
/// that are calculated. A part of a subquery is evaluated at many times, so it has no single
/// answer.
fn shown(query: &Query) -> Vec<NodeId> {
    let mut is_hidden = vec![false; query.root().index() + 1];
    let mut shown = Vec::new();
    for (id, node) in query.nodes().collect::<Vec<_>>().into_iter().rev() {
        let hides =
            is_hidden[id.index()] || matches!(node.expr, Expr::Range(..) | Expr::Subquery(_));
        for operand in node.expr.operands() {
            is_hidden[operand.index()] |= hides;
        }
        let is_calculated = !matches!(node.expr, Expr::Number(_) | Expr::Text(_) | Expr::Paren(_));
        let is_single = matches!(node.kind, Type::Vector | Type::Scalar);
        if !is_hidden[id.index()] && is_calculated && is_single {
            shown.push(id);
        }
    }
    shown.reverse();
    shown
}

/// Whether another part already shows the answer of this part: the part around has the same answer.
/// If this part failed: an inner part failed, too.
fn is_told(query: &Query, answers: &Answers, id: NodeId) -> bool {
    let Some(answer) = answers.get(&id) else { return false };
    if answer.is_err() {
        let inner = query.node(id).expr.operands().into_iter().map(|of| query.bare(of));
        return inner.filter_map(|of| answers.get(&of)).any(Result::is_err);
    }
    let user = query.nodes().find(|(_, node)| {
        let mut operands = node.expr.operands().into_iter().map(|of| query.bare(of));
        !matches!(node.expr, Expr::Paren(_)) && operands.any(|of| of == id)
    });
    user.is_some_and(|(user, _)| answers.get(&user) == Some(answer))
}

/// The word that represents a part, which is always on one line.
fn word(query: &Query, id: NodeId, text: &str) -> Range<usize> {
    let range = query.node(id).range.clone();
    match &query.node(id).expr {
        Expr::Binary(binary) => binary.op.range.clone(),
        Expr::Call(call) => call.name.clone(),
        Expr::Aggregation(aggregation) => aggregation.op.range.clone(),
        Expr::Selector(selector) => match &selector.name {
            Some(name) => name.range.clone(),
            None => first_line(range, text),
        },
        _ => first_line(range, text),
    }
}

fn first_line(range: Range<usize>, text: &str) -> Range<usize> {
    let length = text[range.clone()].lines().next().map_or(0, str::len);
    range.start..range.start + length
}

/// A sample of a part from which the answer of the query comes.
type ReturnedSample = (Labels, f64);

/// For each relevant arm of an `or`, whether the answer of the query comes from it.
fn arms(query: &Query, answers: &Answers) -> HashMap<NodeId, bool> {
    let mut arms = HashMap::default();
    let mut open: Vec<(NodeId, Option<ReturnedSample>)> = vec![(query.bare(query.root()), None)];
    let samples = |id: NodeId| match answers.get(&id) {
        Some(Ok(Value::Vector(samples))) => Some(samples.as_slice()),
        _ => None,
    };
    while let Some((id, wanted)) = open.pop() {
        let operands = |wanted: Option<ReturnedSample>| {
            let operands = query.node(id).expr.operands();
            operands.into_iter().map(move |of| (query.bare(of), wanted.clone()))
        };
        match &query.node(id).expr {
            Expr::Binary(binary) if binary.op.value == Operator::Or => {
                let (left, right) = (query.bare(binary.left), query.bare(binary.right));
                let (Some(all), Some(of_left), Some(of_right)) =
                    (samples(id), samples(left), samples(right))
                else {
                    continue;
                };
                let (from_left, from_right) = match &wanted {
                    Some(sample) => {
                        let from_left = of_left.contains(sample);
                        (from_left, !from_left && of_right.contains(sample))
                    }
                    None => (!of_left.is_empty(), all.len() > of_left.len()),
                };
                for (arm, decides) in [(left, from_left), (right, from_right)] {
                    // If the arm is itself an `or`, its own arms tell which one decides.
                    if !query.node(arm).expr.is_or() {
                        arms.insert(arm, decides);
                    }
                    if decides {
                        open.push((arm, wanted.clone()));
                    }
                }
            }
            Expr::Binary(binary) if binary.op.value.is_set_operator() => {
                open.push((query.bare(binary.left), wanted));
                open.push((query.bare(binary.right), None));
            }
            Expr::Aggregation(aggregation) if aggregation.op.value.picks() => {
                let only = samples(id).filter(|samples| samples.len() == 1);
                let picked = only.and_then(|samples| samples.first().cloned());
                open.push((query.bare(aggregation.of), picked));
            }
            Expr::Subquery(_) | Expr::Range(..) => {}
            _ => open.extend(operands(None)),
        }
    }
    arms
}
