//! Lists of labels, as in `by (…)` and `on (…)`.

use super::super::error::Error;
use super::super::literals;
use super::super::operators::Operator;
use super::super::token::TokenKind;
use super::super::tree::{GroupModifier, Grouping, Located, Matching, MatchingKind};
use super::cursor::Parser;

impl Parser<'_> {
    pub(super) fn grouping(&mut self) -> Result<Option<Grouping>, Error> {
        let without = match self.kind() {
            TokenKind::By => false,
            TokenKind::Without => true,
            _ => return Ok(None),
        };
        let start = self.advance().range.start;
        let (labels, end) = self.labels()?;
        Ok(Some(Grouping { range: start..end, without, labels }))
    }

    pub(super) fn matching(&mut self) -> Result<Option<Matching>, Error> {
        let kind = match self.kind() {
            TokenKind::On => MatchingKind::On,
            TokenKind::Ignoring => MatchingKind::Ignoring,
            _ => return Ok(None),
        };
        let start = self.advance().range.start;
        let (labels, mut end) = self.labels()?;
        let left = match self.kind() {
            TokenKind::GroupLeft => true,
            TokenKind::GroupRight => false,
            _ => return Ok(Some(Matching { range: start..end, kind, labels, group: None })),
        };
        let token = self.advance();
        let mut group = GroupModifier { range: token.range, left, labels: Vec::new() };
        if self.kind() == TokenKind::LeftParen {
            (group.labels, group.range.end) = self.labels()?;
        }
        end = group.range.end;
        Ok(Some(Matching { range: start..end, kind, labels, group: Some(group) }))
    }

    /// `(label, …)`, and the byte after it.
    fn labels(&mut self) -> Result<(Vec<Located<String>>, usize), Error> {
        const PLACE: &str = " in a list of labels";
        let mut labels = Vec::new();
        if self.take(TokenKind::LeftParen).is_none() {
            return Err(self.unexpected(PLACE, "`(`"));
        }
        loop {
            if let Some(close) = self.take(TokenKind::RightParen) {
                return Ok((labels, close.range.end));
            }
            labels.push(self.label().ok_or_else(|| self.unexpected(PLACE, "a label"))?);
            if self.take(TokenKind::Comma).is_none() && self.kind() != TokenKind::RightParen {
                return Err(self.unexpected(PLACE, "`,` or `)`"));
            }
        }
    }

    fn label(&mut self) -> Option<Located<String>> {
        let token = self.token();
        let value = match token.kind {
            TokenKind::Identifier
            | TokenKind::MetricName
            | TokenKind::Aggregator(_)
            | TokenKind::Bool
            | TokenKind::By
            | TokenKind::On
            | TokenKind::Ignoring
            | TokenKind::GroupLeft
            | TokenKind::GroupRight
            | TokenKind::Offset
            | TokenKind::Start
            | TokenKind::EndWord
            | TokenKind::Operator(
                Operator::And | Operator::Or | Operator::Unless | Operator::Atan2,
            ) => self.text_of(&token.range).to_owned(),
            TokenKind::Text => {
                literals::string(self.text_of(&token.range)).ok().filter(|l| !l.is_empty())?
            }
            _ => return None,
        };
        self.advance();
        Some(Located { value, range: token.range })
    }
}
