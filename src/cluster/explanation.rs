//! Why a query has its answer: what each of its parts answers, and which arms of an `or` decide.

use std::ops::Range;

use crate::domain::HashMap;
use crate::metrics::{QueryError, Source};
use crate::promql::{self, Expr, Labels, Limits, NodeId, Operator, Query, Type, Value};

/// What each part of a query answers.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    /// The query, perhaps laid out anew.
    pub(crate) text: String,
    /// In the order of the text; parts come before what they are in.
    pub(crate) parts: Vec<Part>,
    /// Whether there are more parts.
    pub(crate) is_cut: bool,
}

/// A part of a query with its answer.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// All of it.
    pub(crate) range: Range<usize>,
    /// The word that stands for it where it has several lines.
    pub(crate) word: Range<usize>,
    pub(crate) answer: Result<Value, QueryError>,
    /// For an arm of an `or`: whether the answer of the query comes from it.
    pub(crate) decides: Option<bool>,
}

/// In a longer line, the words are far from their parts.
const WIDEST: usize = 76;

/// Nobody reads more, and a server is asked for each.
const MOST_PARTS: usize = 60;

impl Explanation {
    /// Asks for all parts of a valid query. It is laid out anew if its lines are longer than this
    /// width, or too long for words under their parts.
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
        // The outer parts come last.
        let shown = shown.split_off(shown.len().saturating_sub(MOST_PARTS));
        let limits = Limits::shared_by(shown.len());
        let ask = |id: NodeId| source.ask_within(&text[query.node(id).range.clone()], limits);
        let answers: Answers = shown.iter().map(|id| (*id, ask(*id))).collect();
        let arms = arms(query, &answers);
        let part = |id: &NodeId| {
            let range = query.node(*id).range.clone();
            let answer = answers.get(id)?.clone();
            let word = word(query, *id, &text);
            Some(Part { range, word, answer, decides: arms.get(id).copied() })
        };
        let telling =
            shown.iter().filter(|id| arms.contains_key(id) || !is_told(query, &answers, **id));
        let mut parts: Vec<Part> = telling.filter_map(part).collect();
        parts.sort_by_key(|part| (part.range.end, std::cmp::Reverse(part.range.start)));
        Self { text, parts, is_cut }
    }
}

type Answers = HashMap<NodeId, Result<Value, QueryError>>;

/// The parts whose answers say something, operands before their users: vectors, and numbers that are
/// calculated. What is in a subquery is asked at many times, so it has no single answer.
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

/// Whether the part around it says the same. Of the parts that fail, only the innermost tells.
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

/// The word of a part that is always in one line.
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

/// A sample that a part of the query must have for the query to have its answer.
type Sample = (Labels, f64);

/// For each arm of an `or` whose answers matter: whether the answer of the query comes from it.
fn arms(query: &Query, answers: &Answers) -> HashMap<NodeId, bool> {
    let mut arms = HashMap::default();
    let mut open: Vec<(NodeId, Option<Sample>)> = vec![(query.bare(query.root()), None)];
    let samples = |id: NodeId| match answers.get(&id) {
        Some(Ok(Value::Vector(samples))) => Some(samples.as_slice()),
        _ => None,
    };
    while let Some((id, wanted)) = open.pop() {
        let operands = |wanted: Option<Sample>| {
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
                    // The arms of an inner `or` say which of them decides.
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
