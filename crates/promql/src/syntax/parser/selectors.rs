//! Selectors: a metric's name and the matchers between braces.

use super::super::super::regex;
use super::super::error::Error;
use super::super::literals;
use super::super::operators::MatchOp;
use super::super::token::TokenKind;
use super::super::tree::{Expr, Located, METRIC_NAME, Matcher, NodeId, Selector, TimeModifiers};
use super::super::value_type::Type;
use super::cursor::Parser;

const PLACE: &str = " between the braces of a selector";

impl Parser<'_> {
    /// Reads the rest of a selector. Its name, if it has one, is already read.
    pub(super) fn selector(&mut self, name: Option<Located<String>>) -> Result<NodeId, Error> {
        let mut range = self.token().range;
        range = name.as_ref().map_or(range, |name| name.range.clone());
        let mut matchers = Vec::new();
        if self.take(TokenKind::LeftBrace).is_some() {
            range.end = self.matchers(&mut matchers)?;
        }
        let selector = Selector { name, matchers, modifiers: TimeModifiers::default() };
        Ok(self.push(range, Type::Vector, Expr::Selector(selector)))
    }

    /// Reads the matchers up to `}`. Returns the byte after it.
    fn matchers(&mut self, matchers: &mut Vec<Matcher>) -> Result<usize, Error> {
        loop {
            if let Some(close) = self.take(TokenKind::RightBrace) {
                return Ok(close.range.end);
            }
            matchers.push(self.matcher()?);
            if self.take(TokenKind::Comma).is_none() && self.kind() != TokenKind::RightBrace {
                return Err(self.unexpected(PLACE, "`,` or `}`"));
            }
        }
    }

    fn matcher(&mut self) -> Result<Matcher, Error> {
        let quoted = self.kind() == TokenKind::Text;
        if !quoted && self.kind() != TokenKind::Identifier {
            return Err(self.unexpected(PLACE, "a label or `}`"));
        }
        let label = self.advance().range;
        let written = self.text_of(&label);
        let value =
            if quoted { literals::string(written).unwrap_or_default() } else { written.to_owned() };
        let label = Located { value, range: label };
        let TokenKind::Match(op) = self.kind() else {
            if !quoted {
                return Err(self.unexpected(PLACE, "`=`, `!=`, `=~`, or `!~`"));
            }
            // A string without an operator is the metric's name.
            let name = Located { value: METRIC_NAME.to_owned(), range: label.range.clone() };
            let range = label.range.clone();
            return Ok(Matcher {
                range,
                label: name,
                op: MatchOp::Equal,
                value: label,
                pattern: None,
            });
        };
        self.advance();
        let Some(token) = self.take(TokenKind::Text) else {
            return Err(self.unexpected(PLACE, "a text in quotes"));
        };
        let value = literals::string(self.text_of(&token.range)).unwrap_or_default();
        let range = label.range.start..token.range.end;
        let mut pattern = None;
        if matches!(op, MatchOp::Regex | MatchOp::NotRegex) {
            let ready = regex::ready(&value).map_err(|error| {
                let message = format!("invalid regular expression: {}", error.why);
                Error::at(range.clone(), message)
            })?;
            pattern = Some(ready);
        }
        Ok(Matcher { range, label, op, value: Located { value, range: token.range }, pattern })
    }
}
