//! Operands, operators, calls, and aggregations.

use super::super::error::Error;
use super::super::functions::Function;
use super::super::literals;
use super::super::messages::{counted, experimental, shortened};
use super::super::operators::{Aggregator, Operator};
use super::super::token::TokenKind;
use super::super::tree::{Aggregation, Binary, Call, Expr, Located, NodeId};
use super::super::value_type::Type;
use super::cursor::Parser;

/// The lowest precedence that binds more strongly than a sign: `-a ^ b` is `-(a ^ b)`, but `-a * b`
/// is `(-a) * b`.
const UNARY: u8 = 6;

impl Parser<'_> {
    /// Reads an expression whose operators have at least the precedence `least`.
    pub(super) fn expression(&mut self, least: u8) -> Result<NodeId, Error> {
        self.enter()?;
        let mut left = self.operand()?;
        while let TokenKind::Operator(op) = self.kind() {
            let precedence = op.precedence();
            if precedence < least {
                break;
            }
            // `a ^ b ^ c` is `a ^ (b ^ c)`; all others group to the left.
            let least_on_the_right =
                if op == Operator::Power { precedence } else { precedence + 1 };
            left = self.binary(left, op, least_on_the_right)?;
        }
        self.leave();
        Ok(left)
    }

    fn binary(&mut self, left: NodeId, op: Operator, least: u8) -> Result<NodeId, Error> {
        let op = Located { value: op, range: self.advance().range };
        let bool = self.take(TokenKind::Bool).map(|token| token.range);
        let matching = self.matching()?;
        let right = self.expression(least)?;
        let range = self.node(left).range.start..self.node(right).range.end;
        let scalar = self.node(left).kind == Type::Scalar && self.node(right).kind == Type::Scalar;
        let kind = if scalar { Type::Scalar } else { Type::Vector };
        Ok(self.push(range, kind, Expr::Binary(Binary { op, bool, matching, left, right })))
    }

    /// Reads a primary expression with its sign and its modifiers.
    fn operand(&mut self) -> Result<NodeId, Error> {
        let negative = match self.kind() {
            TokenKind::Operator(Operator::Subtract) => true,
            TokenKind::Operator(Operator::Add) => false,
            _ => {
                let primary = self.primary()?;
                return self.modified(primary);
            }
        };
        let start = self.advance().range.start;
        let of = self.expression(UNARY)?;
        let node = self.node_mut(of);
        if let Expr::Number(value) = &mut node.expr {
            // A sign before a number is a part of the number.
            *value = if negative { -*value } else { *value };
            node.range.start = start;
            return Ok(of);
        }
        let (range, kind) = (start..node.range.end, node.kind);
        Ok(self.push(range, kind, Expr::Unary(negative, of)))
    }

    fn primary(&mut self) -> Result<NodeId, Error> {
        let token = self.token();
        let after = self.kind_after();
        match token.kind {
            TokenKind::Number | TokenKind::Duration => {
                let value = self.seconds()?;
                Ok(self.push(value.range, Type::Scalar, Expr::Number(value.value)))
            }
            TokenKind::Text => {
                self.advance();
                let text = literals::string(self.text_of(&token.range)).unwrap_or_default();
                Ok(self.push(token.range, Type::Text, Expr::Text(text)))
            }
            TokenKind::LeftParen => {
                self.advance();
                let inner = self.expression(0)?;
                let close = self.take(TokenKind::RightParen);
                let close = close.ok_or_else(|| self.unexpected("", ""))?;
                let kind = self.node(inner).kind;
                Ok(self.push(token.range.start..close.range.end, kind, Expr::Paren(inner)))
            }
            TokenKind::Aggregator(op) if !is_metric(after) => self.aggregation(op),
            TokenKind::Identifier if after == TokenKind::LeftParen => self.call(),
            TokenKind::LeftBrace => self.selector(None),
            TokenKind::Identifier
            | TokenKind::MetricName
            | TokenKind::Aggregator(_)
            | TokenKind::By
            | TokenKind::Without
            | TokenKind::Offset
            | TokenKind::Start
            | TokenKind::EndWord
            | TokenKind::Operator(Operator::And | Operator::Or | Operator::Unless) => {
                self.advance();
                let value = self.text_of(&token.range).to_owned();
                self.selector(Some(Located { value, range: token.range }))
            }
            _ => Err(self.unexpected("", "")),
        }
    }

    fn aggregation(&mut self, op: Aggregator) -> Result<NodeId, Error> {
        let op = Located { value: op, range: self.advance().range };
        let start = op.range.start;
        let mut grouping = self.grouping()?;
        if self.kind() != TokenKind::LeftParen {
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
            return Err(Error::at(start..end, format!("`{name}` has nothing to aggregate")));
        };
        let parameter = arguments.pop();
        let wanted = 1 + usize::from(op.value.parameter().is_some());
        if given != wanted {
            let message = format!("`{name}` takes {}, not {given}", counted(wanted, "argument"));
            return Err(Error::at(start..end, message));
        }
        let aggregation = Aggregation { op, grouping, parameter, of };
        Ok(self.push(start..end, Type::Vector, Expr::Aggregation(aggregation)))
    }

    /// `(expression, …)`, and the byte after it.
    fn arguments(&mut self) -> Result<(Vec<NodeId>, usize), Error> {
        let mut arguments = Vec::new();
        self.advance();
        if let Some(close) = self.take(TokenKind::RightParen) {
            return Ok((arguments, close.range.end));
        }
        loop {
            arguments.push(self.expression(0)?);
            if let Some(close) = self.take(TokenKind::RightParen) {
                return Ok((arguments, close.range.end));
            }
            let Some(comma) = self.take(TokenKind::Comma) else {
                return Err(self.unexpected("", ""));
            };
            if self.kind() == TokenKind::RightParen {
                return Err(Error::at(comma.range, "a `,` must not follow the last argument"));
            }
        }
    }

    fn call(&mut self) -> Result<NodeId, Error> {
        let name = self.advance().range;
        let (arguments, end) = self.arguments()?;
        let word = self.text_of(&name);
        let Some(function) = Function::find(word) else {
            let near = Function::nearest(word, self.dialect);
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let message = format!("there is no function `{}`{hint}", shortened(word));
            return Err(Error::at(name, message));
        };
        if let Some(why) = function.refusal(self.dialect) {
            return Err(Error::at(name, why));
        }
        let range = name.start..end;
        Ok(self.push(range, function.returns, Expr::Call(Call { function, name, arguments })))
    }
}

/// Whether the name of an aggregation before this token is the name of a metric.
fn is_metric(after: TokenKind) -> bool {
    !matches!(
        after,
        TokenKind::LeftParen
            | TokenKind::By
            | TokenKind::Without
            | TokenKind::Identifier
            | TokenKind::MetricName
            | TokenKind::Number
            | TokenKind::Duration
            | TokenKind::Text
    )
}
