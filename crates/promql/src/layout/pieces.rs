//! Assembles each kind of expression from its operands.

use super::super::syntax::{
    Aggregation, Binary, Expr, Located, Matcher, MatchingKind, NodeId, Query, Selector, Subquery,
    TimeModifiers,
};
use super::{Block, INDENT};

/// A query and its text.
#[derive(Clone, Copy)]
pub(super) struct WrittenQuery<'q> {
    pub(super) text: &'q str,
    pub(super) query: &'q Query,
}

impl WrittenQuery<'_> {
    /// The layout of an expression in at most this many columns, from those of its operands.
    pub(super) fn block(
        self,
        id: NodeId,
        operands: &mut dyn Iterator<Item = Block>,
        room: usize,
    ) -> Block {
        let node = self.query.node(id);
        let mut next = || operands.next().unwrap_or_else(|| Block::whole(String::new()));
        match &node.expr {
            Expr::Number(_) | Expr::Text(_) => Block::whole(self.slice(&node.range).to_owned()),
            Expr::Selector(selector) => {
                self.selector(selector, &self.modifiers(&selector.modifiers), room)
            }
            Expr::Range(of, reach) => {
                let Expr::Selector(selector) = &self.query.node(*of).expr else { return next() };
                let modifiers = self.modifiers(&selector.modifiers);
                self.selector(selector, &format!("[{}]{modifiers}", self.slice(&reach.range)), room)
            }
            Expr::Subquery(subquery) => next().ending(&self.steps(subquery)),
            Expr::Unary(negative, _) => next().starting(if *negative { "-" } else { "+" }),
            Expr::Paren(_) => list("(", vec![next()], room),
            Expr::Call(call) => {
                let name = call.function.name;
                list(&format!("{name}("), operands.collect(), room)
            }
            Expr::Aggregation(aggregation) => {
                list(&self.aggregation(aggregation), operands.collect(), room)
            }
            Expr::Binary(binary) => {
                let (left, right) = (next(), next());
                self.binary(binary, left, right, room)
            }
        }
    }

    fn slice(&self, range: &std::ops::Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn selector(self, selector: &Selector, ending: &str, room: usize) -> Block {
        let name = selector.name.as_ref().map_or("", |name| self.slice(&name.range));
        let matchers: Vec<String> = selector.matchers.iter().map(|m| self.matcher(m)).collect();
        if matchers.is_empty() {
            return Block::whole(format!("{name}{ending}"));
        }
        let line = format!("{name}{{{}}}{ending}", matchers.join(","));
        let matchers = matchers.iter().map(|matcher| indented(&format!("{matcher},")));
        let (starts, ends) = (format!("{name}{{"), format!("}}{ending}"));
        let lines = [starts].into_iter().chain(matchers).chain([ends]).collect();
        Block::fitted(Some(line), room, lines)
    }

    fn matcher(self, matcher: &Matcher) -> String {
        let value = self.slice(&matcher.value.range);
        if matcher.label.range == matcher.value.range {
            return value.to_owned();
        }
        format!("{}{}{value}", self.slice(&matcher.label.range), matcher.op.name())
    }

    /// `[1h:5m] offset 1h`
    fn steps(self, subquery: &Subquery) -> String {
        let step = subquery.step.as_ref().map_or("", |step| self.slice(&step.range));
        let modifiers = self.modifiers(&subquery.modifiers);
        format!("[{}:{step}]{modifiers}", self.slice(&subquery.reach.range))
    }

    /// ` @ 1609746000 offset 5m`
    fn modifiers(self, modifiers: &TimeModifiers) -> String {
        let at = modifiers.at.as_ref().map(|at| self.slice(&at.range));
        let offset = modifiers.offset.as_ref().map(|offset| self.slice(&offset.range));
        at.into_iter().chain(offset).flat_map(|part| [" ", part]).collect()
    }

    /// `sum by (label) (`
    fn aggregation(self, aggregation: &Aggregation) -> String {
        let name = aggregation.op.value.name();
        let Some(grouping) = &aggregation.grouping else { return format!("{name}(") };
        let by = if grouping.without { "without" } else { "by" };
        let labels = grouping.labels.iter().map(|label| self.slice(&label.range));
        format!("{name} {by} ({}) (", labels.collect::<Vec<_>>().join(", "))
    }

    fn binary(self, binary: &Binary, left: Block, right: Block, room: usize) -> Block {
        let operator = self.operator(binary);
        let both = left.line.as_ref().zip(right.line.as_ref());
        let line = both.map(|(left, right)| format!("{left} {operator} {right}"));
        if self.is_number(binary.left) {
            let number = left.fewest_lines().concat();
            let right = Block { line: None, lines: right.fewest_lines() };
            let lines = right.starting(&format!("{number} {operator} ")).lines;
            return Block::fitted(line, room, lines);
        }
        if self.is_number(binary.right) {
            let number = right.fewest_lines().concat();
            let left = Block { line: None, lines: left.fewest_lines() };
            let lines = left.ending(&format!(" {operator} {number}")).lines;
            return Block::fitted(line, room, lines);
        }
        // A chain of one operator is broken at each of its operators.
        let is_chain = matches!(
            &self.query.node(binary.left).expr,
            Expr::Binary(inner) if inner.op.value == binary.op.value
        );
        let left = if is_chain { left.lines } else { left.fewest_lines() };
        let lines = left.into_iter().chain([operator]).chain(right.fewest_lines()).collect();
        Block::fitted(line, room, lines)
    }

    fn is_number(self, id: NodeId) -> bool {
        matches!(self.query.node(id).expr, Expr::Number(_))
    }

    /// `== bool on (label) group_left (label)`
    fn operator(self, binary: &Binary) -> String {
        let list = |labels: &[Located<String>]| {
            labels.iter().map(|label| self.slice(&label.range)).collect::<Vec<_>>().join(", ")
        };
        let mut words = binary.op.value.name().to_owned();
        if binary.bool.is_some() {
            words += " bool";
        }
        let Some(matching) = &binary.matching else { return words };
        let kind = match matching.kind {
            MatchingKind::On => "on",
            MatchingKind::Ignoring => "ignoring",
        };
        let words = format!("{words} {kind} ({})", list(&matching.labels));
        let Some(group) = &matching.group else { return words };
        let side = if group.left { "group_left" } else { "group_right" };
        words + &format!(" {side} ({})", list(&group.labels))
    }
}

/// Arguments between parentheses.
fn list(opening: &str, arguments: Vec<Block>, room: usize) -> Block {
    let lines: Option<Vec<&str>> = arguments.iter().map(|block| block.line.as_deref()).collect();
    let line = lines.map(|lines| format!("{opening}{})", lines.join(", ")));
    let count = arguments.len();
    let separated = arguments
        .into_iter()
        .enumerate()
        .map(|(i, block)| if i + 1 < count { block.ending(",") } else { block });
    let inner = separated.flat_map(Block::fewest_lines).map(|line| indented(&line));
    let lines = [opening.to_owned()].into_iter().chain(inner).chain([")".to_owned()]).collect();
    Block::fitted(line, room, lines)
}

fn indented(line: &str) -> String {
    format!("{:INDENT$}{line}", "")
}
