//! From tokens to expressions.

use std::ops::Range;

use super::ast::{
    Aggregation, Anchor, Binary, Call, Expr, Grouping, Include, Join, Matching, Node, NodeId,
    Operator, Part, Query, Shift, Subquery, Type,
};
use super::token::{Kind, Token, Tokens, tokens};
use super::{Aggregator, DEEPEST, Error, Function, literal};

pub(super) type Parsed<T> = Result<T, Error>;

/// Reads a query; its types are not checked yet.
pub(super) fn query(text: &str) -> Parsed<Query> {
    let Tokens { list, error } = tokens(text);
    let mut parser = Parser { text, tokens: list, at: 0, error, nodes: Vec::new(), depth: 0 };
    if parser.kind() == Kind::End && parser.error.is_none() {
        return Err(Error::at(0..0, "there is no expression here"));
    }
    parser.expression(0)?;
    if parser.kind() != Kind::End || parser.error.is_some() {
        return Err(parser.unexpected("", ""));
    }
    Ok(Query { nodes: parser.nodes })
}

/// Unary operators bind like `*`: `-a ^ b` is `-(a ^ b)`, `-a * b` is `(-a) * b`.
const UNARY: u8 = 6;

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    error: Option<Error>,
    pub(super) nodes: Vec<Node>,
    depth: usize,
}

impl Parser<'_> {
    pub(super) fn token(&self) -> Token {
        let last = self.text.len()..self.text.len();
        self.tokens.get(self.at).cloned().unwrap_or(Token { kind: Kind::End, range: last })
    }

    pub(super) fn kind(&self) -> Kind {
        self.tokens.get(self.at).map_or(Kind::End, |token| token.kind)
    }

    fn kind_after(&self) -> Kind {
        self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    pub(super) fn take(&mut self, kind: Kind) -> Option<Token> {
        (self.kind() == kind).then(|| self.bump())
    }

    pub(super) fn written(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn push(&mut self, range: Range<usize>, kind: Type, expr: Expr) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { range, kind, expr });
        id
    }

    /// What is wrong with the next token.
    pub(super) fn unexpected(&mut self, place: &str, expected: &str) -> Error {
        let token = self.token();
        let expected =
            if expected.is_empty() { String::new() } else { format!(", expected {expected}") };
        if token.kind == Kind::End {
            let end = || Error::at(token.range, format!("unexpected end{place}{expected}"));
            return self.error.take().unwrap_or_else(end);
        }
        let written = literal::shown(self.written(&token.range));
        let hint = match token.kind {
            Kind::Match(_) if place.is_empty() => ": to compare values, write `==`",
            Kind::GroupLeft | Kind::GroupRight => ": it follows `on (…)` or `ignoring (…)`",
            _ => "",
        };
        Error::at(token.range, format!("unexpected `{written}`{place}{expected}{hint}"))
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the query is nested more than {DEEPEST} deep");
            return Err(Error::at(self.token().range, message));
        }
        Ok(())
    }

    /// An expression of operators that bind at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Parsed<NodeId> {
        self.deeper()?;
        let mut left = self.operand()?;
        while let Kind::Operator(op) = self.kind() {
            let binding = op.binding();
            if binding < least {
                break;
            }
            left = self.binary(left, op, if op == Operator::Power { 6 } else { binding + 1 })?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn binary(&mut self, left: NodeId, op: Operator, least: u8) -> Parsed<NodeId> {
        let op = Part { value: op, range: self.bump().range };
        let bool = self.take(Kind::Bool).map(|token| token.range);
        let matching = self.matching()?;
        let right = self.expression(least)?;
        let range = self.node(left).range.start..self.node(right).range.end;
        let scalar = self.node(left).kind == Type::Scalar && self.node(right).kind == Type::Scalar;
        let kind = if scalar { Type::Scalar } else { Type::Vector };
        Ok(self.push(range, kind, Expr::Binary(Binary { op, bool, matching, left, right })))
    }

    fn matching(&mut self) -> Parsed<Option<Matching>> {
        let join = match self.kind() {
            Kind::On => Join::On,
            Kind::Ignoring => Join::Ignoring,
            _ => return Ok(None),
        };
        let start = self.bump().range.start;
        let (labels, mut end) = self.labels()?;
        let left = match self.kind() {
            Kind::GroupLeft => true,
            Kind::GroupRight => false,
            _ => return Ok(Some(Matching { range: start..end, join, labels, include: None })),
        };
        let token = self.bump();
        let mut include = Include { range: token.range, left, labels: Vec::new() };
        if self.kind() == Kind::LeftParen {
            (include.labels, include.range.end) = self.labels()?;
        }
        end = include.range.end;
        Ok(Some(Matching { range: start..end, join, labels, include: Some(include) }))
    }

    /// `(label, …)`, and the byte after it.
    fn labels(&mut self) -> Parsed<(Vec<Part<String>>, usize)> {
        const PLACE: &str = " in a list of labels";
        let mut labels = Vec::new();
        if self.take(Kind::LeftParen).is_none() {
            return Err(self.unexpected(PLACE, "`(`"));
        }
        loop {
            if let Some(close) = self.take(Kind::RightParen) {
                return Ok((labels, close.range.end));
            }
            labels.push(self.label().ok_or_else(|| self.unexpected(PLACE, "a label"))?);
            if self.take(Kind::Comma).is_none() && self.kind() != Kind::RightParen {
                return Err(self.unexpected(PLACE, "`,` or `)`"));
            }
        }
    }

    fn label(&mut self) -> Option<Part<String>> {
        let token = self.token();
        let value = match token.kind {
            Kind::Identifier
            | Kind::Aggregator(_)
            | Kind::Bool
            | Kind::By
            | Kind::On
            | Kind::Ignoring
            | Kind::GroupLeft
            | Kind::GroupRight
            | Kind::Offset
            | Kind::Start
            | Kind::EndWord
            | Kind::Operator(Operator::And | Operator::Or | Operator::Unless | Operator::Atan2) => {
                self.written(&token.range).to_owned()
            }
            Kind::Text => {
                literal::text(self.written(&token.range)).ok().filter(|l| !l.is_empty())?
            }
            _ => return None,
        };
        self.at += 1;
        Some(Part { value, range: token.range })
    }

    /// A primary expression with what stands before and after it.
    fn operand(&mut self) -> Parsed<NodeId> {
        let negative = match self.kind() {
            Kind::Operator(Operator::Subtract) => true,
            Kind::Operator(Operator::Add) => false,
            _ => {
                let primary = self.primary()?;
                return self.modified(primary);
            }
        };
        let start = self.bump().range.start;
        let of = self.expression(UNARY)?;
        let node = &mut self.nodes[of.0 as usize];
        if let Expr::Number(value) = &mut node.expr {
            // A sign before a number belongs to the number.
            *value = if negative { -*value } else { *value };
            node.range.start = start;
            return Ok(of);
        }
        let (range, kind) = (start..node.range.end, node.kind);
        Ok(self.push(range, kind, Expr::Unary(negative, of)))
    }

    fn primary(&mut self) -> Parsed<NodeId> {
        let token = self.token();
        let after = self.kind_after();
        match token.kind {
            Kind::Number | Kind::Duration => {
                let value = self.seconds()?;
                Ok(self.push(value.range, Type::Scalar, Expr::Number(value.value)))
            }
            Kind::Text => {
                self.at += 1;
                let text = literal::text(self.written(&token.range)).unwrap_or_default();
                Ok(self.push(token.range, Type::Text, Expr::Text(text)))
            }
            Kind::LeftParen => {
                self.at += 1;
                let inner = self.expression(0)?;
                let close = self.take(Kind::RightParen);
                let close = close.ok_or_else(|| self.unexpected("", ""))?;
                let kind = self.node(inner).kind;
                Ok(self.push(token.range.start..close.range.end, kind, Expr::Paren(inner)))
            }
            Kind::Aggregator(op) if !is_metric(after) => self.aggregation(op),
            Kind::Identifier if after == Kind::LeftParen => self.call(),
            Kind::LeftBrace => self.selector(None),
            Kind::Identifier
            | Kind::MetricName
            | Kind::Aggregator(_)
            | Kind::By
            | Kind::Without
            | Kind::Offset
            | Kind::Start
            | Kind::EndWord
            | Kind::Operator(Operator::And | Operator::Or | Operator::Unless) => {
                self.at += 1;
                let value = self.written(&token.range).to_owned();
                self.selector(Some(Part { value, range: token.range }))
            }
            _ => Err(self.unexpected("", "")),
        }
    }

    fn aggregation(&mut self, op: Aggregator) -> Parsed<NodeId> {
        let op = Part { value: op, range: self.bump().range };
        let start = op.range.start;
        let mut grouping = self.grouping()?;
        if self.kind() != Kind::LeftParen {
            return Err(self.unexpected("", ""));
        }
        let (mut arguments, mut end) = self.arguments()?;
        if grouping.is_none() {
            grouping = self.grouping()?;
            end = grouping.as_ref().map_or(end, |grouping| grouping.range.end);
        }
        let name = op.value.name();
        if op.value.is_experimental() {
            return Err(Error::at(start..end, experimental(name)));
        }
        let given = arguments.len();
        let Some(of) = arguments.pop() else {
            return Err(Error::at(start..end, format!("`{name}` is given nothing to aggregate")));
        };
        let parameter = arguments.pop();
        let wanted = 1 + usize::from(op.value.parameter().is_some());
        if given != wanted {
            let message = format!("`{name}` takes {}, not {given}", count(wanted, "argument"));
            return Err(Error::at(start..end, message));
        }
        let aggregation = Aggregation { op, grouping, parameter, of };
        Ok(self.push(start..end, Type::Vector, Expr::Aggregation(aggregation)))
    }

    fn grouping(&mut self) -> Parsed<Option<Grouping>> {
        let without = match self.kind() {
            Kind::By => false,
            Kind::Without => true,
            _ => return Ok(None),
        };
        let start = self.bump().range.start;
        let (labels, end) = self.labels()?;
        Ok(Some(Grouping { range: start..end, without, labels }))
    }

    /// `(expression, …)`, and the byte after it.
    fn arguments(&mut self) -> Parsed<(Vec<NodeId>, usize)> {
        let mut arguments = Vec::new();
        self.at += 1;
        if let Some(close) = self.take(Kind::RightParen) {
            return Ok((arguments, close.range.end));
        }
        loop {
            arguments.push(self.expression(0)?);
            if let Some(close) = self.take(Kind::RightParen) {
                return Ok((arguments, close.range.end));
            }
            let Some(comma) = self.take(Kind::Comma) else {
                return Err(self.unexpected("", ""));
            };
            if self.kind() == Kind::RightParen {
                return Err(Error::at(comma.range, "no `,` may follow the last argument"));
            }
        }
    }

    fn call(&mut self) -> Parsed<NodeId> {
        let name = self.bump().range;
        let (arguments, end) = self.arguments()?;
        let word = self.written(&name);
        let Some(function) = Function::find(word) else {
            let near = Function::nearest(word);
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let message = format!("there is no function `{}`{hint}", literal::shown(word));
            return Err(Error::at(name, message));
        };
        if function.is_experimental {
            return Err(Error::at(name, experimental(function.name)));
        }
        let range = name.start..end;
        Ok(self.push(range, function.makes, Expr::Call(Call { function, name, arguments })))
    }

    /// The number or duration that comes next, in seconds.
    fn seconds(&mut self) -> Parsed<Part<f64>> {
        let token = self.bump();
        let written = self.written(&token.range);
        let value = match token.kind {
            Kind::Number => literal::number(written),
            _ => literal::duration(written),
        };
        match value {
            Ok(value) => Ok(Part { value, range: token.range }),
            Err(why) => Err(Error::at(token.range, why)),
        }
    }

    /// The same with a sign before it, if one stands there.
    fn signed_seconds(&mut self) -> Parsed<Option<Part<f64>>> {
        let negative = match (self.kind(), self.kind_after()) {
            (Kind::Number | Kind::Duration, _) => return self.seconds().map(Some),
            (Kind::Operator(Operator::Subtract), Kind::Number | Kind::Duration) => true,
            (Kind::Operator(Operator::Add), Kind::Number | Kind::Duration) => false,
            _ => return Ok(None),
        };
        let start = self.bump().range.start;
        let part = self.seconds()?;
        let value = if negative { -part.value } else { part.value };
        Ok(Some(Part { value, range: start..part.range.end }))
    }

    /// An expression with the ranges, offsets and times that follow it.
    fn modified(&mut self, mut id: NodeId) -> Parsed<NodeId> {
        loop {
            match self.kind() {
                Kind::LeftBracket => id = self.brackets(id)?,
                Kind::Offset => self.offset(id)?,
                Kind::At => self.anchor(id)?,
                _ => return Ok(id),
            }
        }
    }

    /// `[5m]` or `[1h:5m]`
    fn brackets(&mut self, of: NodeId) -> Parsed<NodeId> {
        let open = self.bump().range;
        let reach = self.period(" between the brackets", "a duration such as `5m`")?;
        let start = self.node(of).range.start;
        if self.take(Kind::Colon).is_some() {
            let step = match self.kind() {
                Kind::RightBracket => None,
                _ => Some(self.period(" after the `:`", "a duration or `]`")?),
            };
            let Some(close) = self.take(Kind::RightBracket) else {
                return Err(self.unexpected(" after a duration", "`]`"));
            };
            let subquery = Subquery { of, reach, step, shift: Shift::default() };
            let range = start..close.range.end;
            return Ok(self.push(range, Type::Range, Expr::Subquery(subquery)));
        }
        let Some(close) = self.take(Kind::RightBracket) else {
            return Err(self.unexpected(" after a duration", "`:` or `]`"));
        };
        let why = match &self.node(of).expr {
            Expr::Selector(selector) => {
                let offset = selector.shift.offset.as_ref().is_some_and(|o| o.value != 0.0);
                let at = selector.shift.at.is_some();
                match (offset, at) {
                    (true, _) => Some("`offset` stands after the range, not before it"),
                    (_, true) => Some("`@` stands after the range, not before it"),
                    _ => None,
                }
            }
            _ => Some(
                "only a selector has a range; for other expressions write a subquery, such as `[5m:]`",
            ),
        };
        if let Some(why) = why {
            return Err(Error::at(open.start..close.range.end, why));
        }
        Ok(self.push(start..close.range.end, Type::Range, Expr::Range(of, reach)))
    }

    /// A duration that is more than nothing.
    fn period(&mut self, place: &str, expected: &str) -> Parsed<Part<f64>> {
        let Some(part) = self.signed_seconds()? else {
            let token = self.token();
            if matches!(self.written(&token.range), "step" | "min" | "max" | "range")
                || matches!(token.kind, Kind::LeftParen | Kind::Operator(_))
            {
                return Err(Error::at(token.range, arithmetic()));
            }
            return Err(self.unexpected(place, expected));
        };
        self.no_arithmetic(&part)?;
        if part.value <= 0.0 {
            return Err(Error::at(part.range, "a duration here must be greater than 0"));
        }
        Ok(part)
    }

    fn no_arithmetic(&self, part: &Part<f64>) -> Parsed<()> {
        let token = self.token();
        if matches!(token.kind, Kind::Operator(_)) {
            return Err(Error::at(token.range, arithmetic()));
        }
        in_bounds(part)
    }

    fn offset(&mut self, of: NodeId) -> Parsed<()> {
        let word = self.bump().range;
        let Some(mut part) = self.signed_seconds()? else {
            let token = self.token();
            if token.kind == Kind::LeftParen
                || self.written(&token.range) == "step"
                || matches!(token.kind, Kind::Operator(Operator::Add | Operator::Subtract))
                || matches!(token.kind, Kind::Aggregator(Aggregator::Min | Aggregator::Max))
            {
                return Err(Error::at(token.range, arithmetic()));
            }
            return Err(self.unexpected(" after `offset`", "a duration"));
        };
        in_bounds(&part)?;
        part.range.start = word.start;
        let shift = self.shift(of, "offset")?;
        if shift.offset.as_ref().is_some_and(|earlier| earlier.value != 0.0) {
            return Err(self.twice(of, "offset"));
        }
        shift.offset = Some(part);
        Ok(())
    }

    fn anchor(&mut self, of: NodeId) -> Parsed<()> {
        let mut range = self.bump().range;
        let start_or_end = match self.kind() {
            Kind::Start => Some(Anchor::Start),
            Kind::EndWord => Some(Anchor::End),
            _ => None,
        };
        let value = if let Some(word) = start_or_end {
            self.at += 1;
            if self.take(Kind::LeftParen).is_none() {
                return Err(self.unexpected(" after `@`", "`(`"));
            }
            let Some(close) = self.take(Kind::RightParen) else {
                return Err(self.unexpected(" after `@`", "`)`"));
            };
            range.end = close.range.end;
            word
        } else {
            let Some(time) = self.signed_seconds()? else {
                return Err(self.unexpected(" after `@`", "a time in seconds"));
            };
            range.end = time.range.end;
            // The milliseconds are kept in 64 bits, and Prometheus asks it of the seconds.
            #[allow(clippy::cast_precision_loss, reason = "as Prometheus does")]
            if time.value.is_nan() || time.value.abs() >= i64::MAX as f64 {
                let whole = self.node(of).range.clone();
                return Err(Error::at(whole, "the time after `@` is out of range"));
            }
            Anchor::Time(time.value)
        };
        let shift = self.shift(of, "@")?;
        if shift.at.is_some() {
            return Err(self.twice(of, "@"));
        }
        shift.at = Some(Part { value, range });
        Ok(())
    }

    /// Where the modifier of an expression is kept; the expression's bytes reach to here now.
    fn shift(&mut self, of: NodeId, word: &str) -> Parsed<&mut Shift> {
        let end = self.tokens.get(self.at.wrapping_sub(1)).map_or(0, |token| token.range.end);
        let whole = self.node(of).range.clone();
        let inner = match self.node(of).expr {
            Expr::Range(selector, _) => selector,
            _ => of,
        };
        self.nodes[of.0 as usize].range.end = end;
        match &mut self.nodes[inner.0 as usize].expr {
            Expr::Selector(selector) => Ok(&mut selector.shift),
            Expr::Subquery(subquery) => Ok(&mut subquery.shift),
            _ => Err(Error::at(
                whole,
                format!(
                    "`{word}` can follow only a selector, with or without a range, or a subquery"
                ),
            )),
        }
    }

    fn twice(&self, of: NodeId, word: &str) -> Error {
        Error::at(self.node(of).range.clone(), format!("`{word}` is given twice"))
    }
}

/// Whether an aggregator's word is a metric's name here, by what follows it.
fn is_metric(after: Kind) -> bool {
    !matches!(
        after,
        Kind::LeftParen
            | Kind::By
            | Kind::Without
            | Kind::Identifier
            | Kind::MetricName
            | Kind::Number
            | Kind::Duration
            | Kind::Text
    )
}

fn in_bounds(part: &Part<f64>) -> Parsed<()> {
    // As nanoseconds in 64 bits.
    if part.value.abs() <= 9_223_372_036.0 {
        return Ok(());
    }
    Err(Error::at(part.range.clone(), "the duration is out of range"))
}

pub(super) fn experimental(name: &str) -> String {
    format!("`{name}` is experimental; clusters do not enable it")
}

fn arithmetic() -> &'static str {
    "calculating with durations is experimental; clusters do not enable it"
}

pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}
