//! Numbers and durations, and the syntax that uses them: ranges, subqueries, `offset`, and `@`.

use super::super::error::Error;
use super::super::literals;
use super::super::messages::DURATION_ARITHMETIC;
use super::super::operators::{Aggregator, Operator};
use super::super::token::TokenKind;
use super::super::tree::{AtTime, Expr, Located, NodeId, Subquery, TimeModifiers};
use super::super::value_type::Type;
use super::cursor::Parser;

impl Parser<'_> {
    /// Reads a number or a duration as seconds.
    pub(super) fn seconds(&mut self) -> Result<Located<f64>, Error> {
        let token = self.advance();
        let written = self.text_of(&token.range);
        let value = match token.kind {
            TokenKind::Number => literals::number(written),
            _ => literals::duration(written),
        };
        match value {
            Ok(value) => Ok(Located { value, range: token.range }),
            Err(why) => Err(Error::at(token.range, why)),
        }
    }

    /// Adds the ranges and time modifiers that follow an expression.
    pub(super) fn modified(&mut self, mut id: NodeId) -> Result<NodeId, Error> {
        loop {
            match self.kind() {
                TokenKind::LeftBracket => id = self.brackets(id)?,
                TokenKind::Offset => self.offset(id)?,
                TokenKind::At => self.at_time(id)?,
                _ => return Ok(id),
            }
        }
    }

    /// `[5m]` or `[1h:5m]`
    fn brackets(&mut self, of: NodeId) -> Result<NodeId, Error> {
        let open = self.advance().range;
        let reach = self.period(" between the brackets", "a duration such as `5m`")?;
        let start = self.node(of).range.start;
        if self.take(TokenKind::Colon).is_some() {
            let step = match self.kind() {
                TokenKind::RightBracket => None,
                _ => Some(self.period(" after the `:`", "a duration or `]`")?),
            };
            let Some(close) = self.take(TokenKind::RightBracket) else {
                return Err(self.unexpected(" after a duration", "`]`"));
            };
            let subquery = Subquery { of, reach, step, modifiers: TimeModifiers::default() };
            let range = start..close.range.end;
            return Ok(self.push(range, Type::Range, Expr::Subquery(subquery)));
        }
        let Some(close) = self.take(TokenKind::RightBracket) else {
            return Err(self.unexpected(" after a duration", "`:` or `]`"));
        };
        let why = match &self.node(of).expr {
            Expr::Selector(selector) => {
                let offset = selector.modifiers.offset.as_ref().is_some_and(|o| o.value != 0.0);
                let at = selector.modifiers.at.is_some();
                match (offset, at) {
                    (true, _) => Some("`offset` must follow the range"),
                    (_, true) => Some("`@` must follow the range"),
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

    /// Reads a duration that is greater than 0. `place` and `expected` are for the error if there
    /// is none.
    fn period(&mut self, place: &str, expected: &str) -> Result<Located<f64>, Error> {
        let Some(part) = self.signed_seconds()? else {
            let token = self.token();
            if matches!(self.text_of(&token.range), "step" | "min" | "max" | "range")
                || matches!(token.kind, TokenKind::LeftParen | TokenKind::Operator(_))
            {
                return Err(Error::at(token.range, DURATION_ARITHMETIC));
            }
            return Err(self.unexpected(place, expected));
        };
        if matches!(self.kind(), TokenKind::Operator(_)) {
            return Err(Error::at(self.token().range, DURATION_ARITHMETIC));
        }
        in_bounds(&part)?;
        if part.value <= 0.0 {
            return Err(Error::at(part.range, "a duration here must be greater than 0"));
        }
        Ok(part)
    }

    /// Reads seconds with an optional sign. None if there are none.
    fn signed_seconds(&mut self) -> Result<Option<Located<f64>>, Error> {
        let negative = match (self.kind(), self.kind_after()) {
            (TokenKind::Number | TokenKind::Duration, _) => return self.seconds().map(Some),
            (TokenKind::Operator(Operator::Subtract), TokenKind::Number | TokenKind::Duration) => {
                true
            }
            (TokenKind::Operator(Operator::Add), TokenKind::Number | TokenKind::Duration) => false,
            _ => return Ok(None),
        };
        let start = self.advance().range.start;
        let part = self.seconds()?;
        let value = if negative { -part.value } else { part.value };
        Ok(Some(Located { value, range: start..part.range.end }))
    }

    fn offset(&mut self, of: NodeId) -> Result<(), Error> {
        let word = self.advance().range;
        let Some(mut part) = self.signed_seconds()? else {
            let token = self.token();
            if token.kind == TokenKind::LeftParen
                || self.text_of(&token.range) == "step"
                || matches!(token.kind, TokenKind::Operator(Operator::Add | Operator::Subtract))
                || matches!(token.kind, TokenKind::Aggregator(Aggregator::Min | Aggregator::Max))
            {
                return Err(Error::at(token.range, DURATION_ARITHMETIC));
            }
            return Err(self.unexpected(" after `offset`", "a duration"));
        };
        in_bounds(&part)?;
        part.range.start = word.start;
        let modifiers = self.time_modifiers(of, "offset")?;
        if modifiers.offset.as_ref().is_some_and(|earlier| earlier.value != 0.0) {
            return Err(self.twice(of, "offset"));
        }
        modifiers.offset = Some(part);
        Ok(())
    }

    fn at_time(&mut self, of: NodeId) -> Result<(), Error> {
        let mut range = self.advance().range;
        let start_or_end = match self.kind() {
            TokenKind::Start => Some(AtTime::Start),
            TokenKind::EndWord => Some(AtTime::End),
            _ => None,
        };
        let value = if let Some(word) = start_or_end {
            self.advance();
            if self.take(TokenKind::LeftParen).is_none() {
                return Err(self.unexpected(" after `@`", "`(`"));
            }
            let Some(close) = self.take(TokenKind::RightParen) else {
                return Err(self.unexpected(" after `@`", "`)`"));
            };
            range.end = close.range.end;
            word
        } else {
            let Some(time) = self.signed_seconds()? else {
                return Err(self.unexpected(" after `@`", "a time in seconds"));
            };
            range.end = time.range.end;
            // Prometheus keeps milliseconds in 64 bits, but applies the limit to the seconds.
            #[allow(clippy::cast_precision_loss, reason = "as Prometheus does")]
            if time.value.is_nan() || time.value.abs() >= i64::MAX as f64 {
                let whole = self.node(of).range.clone();
                return Err(Error::at(whole, "the time after `@` is out of range"));
            }
            AtTime::Seconds(time.value)
        };
        let modifiers = self.time_modifiers(of, "@")?;
        if modifiers.at.is_some() {
            return Err(self.twice(of, "@"));
        }
        modifiers.at = Some(Located { value, range });
        Ok(())
    }

    /// The modifiers of an expression, to which the modifier `word` belongs. Extends the
    /// expression's range by its bytes.
    fn time_modifiers(&mut self, of: NodeId, word: &str) -> Result<&mut TimeModifiers, Error> {
        let end = self.end_of_last();
        let whole = self.node(of).range.clone();
        let inner = match self.node(of).expr {
            Expr::Range(selector, _) => selector,
            _ => of,
        };
        self.node_mut(of).range.end = end;
        match &mut self.node_mut(inner).expr {
            Expr::Selector(selector) => Ok(&mut selector.modifiers),
            Expr::Subquery(subquery) => Ok(&mut subquery.modifiers),
            _ => Err(Error::at(
                whole,
                format!(
                    "`{word}` can follow only a selector, with or without a range, or a subquery"
                ),
            )),
        }
    }

    fn twice(&self, of: NodeId, word: &str) -> Error {
        Error::at(self.node(of).range.clone(), format!("`{word}` occurs twice"))
    }
}

fn in_bounds(part: &Located<f64>) -> Result<(), Error> {
    // Prometheus keeps durations as nanoseconds in 64 bits. NaN passes its check, too.
    if part.value.abs() > 9_223_372_036.0 {
        return Err(Error::at(part.range.clone(), "the duration is out of range"));
    }
    Ok(())
}
