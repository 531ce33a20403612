//! Selectors: a metric's name and the matchers between braces.

use super::ast::{Expr, MatchOp, Matcher, NAME, NodeId, Part, Selector, Shift, Type};
use super::parse::{Parsed, Parser};
use super::token::Kind;
use super::{Error, literal, regex};

const PLACE: &str = " between the braces of a selector";

impl Parser<'_> {
    /// What follows a metric's name, or stands without one.
    pub(super) fn selector(&mut self, name: Option<Part<String>>) -> Parsed<NodeId> {
        let mut range = self.token().range;
        range = name.as_ref().map_or(range, |name| name.range.clone());
        let mut matchers = Vec::new();
        if self.take(Kind::LeftBrace).is_some() {
            range.end = self.matchers(&mut matchers)?;
        }
        let selector = Selector { name, matchers, shift: Shift::default() };
        Ok(self.push(range, Type::Vector, Expr::Selector(selector)))
    }

    /// The matchers up to `}`, and the byte after it.
    fn matchers(&mut self, matchers: &mut Vec<Matcher>) -> Parsed<usize> {
        loop {
            if let Some(close) = self.take(Kind::RightBrace) {
                return Ok(close.range.end);
            }
            matchers.push(self.matcher()?);
            if self.take(Kind::Comma).is_none() && self.kind() != Kind::RightBrace {
                return Err(self.unexpected(PLACE, "`,` or `}`"));
            }
        }
    }

    fn matcher(&mut self) -> Parsed<Matcher> {
        let quoted = self.kind() == Kind::Text;
        if !quoted && self.kind() != Kind::Identifier {
            return Err(self.unexpected(PLACE, "a label or `}`"));
        }
        let label = self.bump().range;
        let written = self.written(&label);
        let value =
            if quoted { literal::text(written).unwrap_or_default() } else { written.to_owned() };
        let label = Part { value, range: label };
        let Kind::Match(op) = self.kind() else {
            if !quoted {
                return Err(self.unexpected(PLACE, "`=`, `!=`, `=~` or `!~`"));
            }
            // A text by itself is the metric's name.
            let name = Part { value: NAME.to_owned(), range: label.range.clone() };
            let range = label.range.clone();
            return Ok(Matcher { range, label: name, op: MatchOp::Equal, value: label });
        };
        self.bump();
        let Some(token) = self.take(Kind::Text) else {
            return Err(self.unexpected(PLACE, "a text in quotes"));
        };
        let value = literal::text(self.written(&token.range)).unwrap_or_default();
        let range = label.range.start..token.range.end;
        if matches!(op, MatchOp::Regex | MatchOp::NotRegex)
            && let Err(error) = regex::anchored(&value)
        {
            let message = format!("invalid regular expression: {}", error.why);
            return Err(Error::at(range, message));
        }
        Ok(Matcher { range, label, op, value: Part { value, range: token.range } })
    }
}
