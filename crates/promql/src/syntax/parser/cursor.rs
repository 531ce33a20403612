//! The state of the parser: the tokens ahead of it, and the nodes that it has made.

use std::ops::Range;

use super::super::super::dialect::Dialect;
use super::super::error::Error;
use super::super::lexer::{Tokens, tokens};
use super::super::messages::shortened;
use super::super::token::{Token, TokenKind};
use super::super::tree::{Expr, Node, NodeId, Query};
use super::super::value_type::Type;

/// The deepest nesting. Deeper queries are refused.
pub const DEEPEST: usize = 200;

pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) dialect: Dialect,
    tokens: Vec<Token>,
    at: usize,
    /// Why there are no more tokens. None if the text ends there.
    error: Option<Error>,
    nodes: Vec<Node>,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Self {
        let Tokens { list, error } = tokens(text);
        Self { text, dialect, tokens: list, at: 0, error, nodes: Vec::new(), depth: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.kind() == TokenKind::End && self.error.is_none()
    }

    pub(super) fn into_query(self) -> Query {
        Query::new(self.nodes)
    }

    pub(super) fn token(&self) -> Token {
        let last = self.text.len()..self.text.len();
        self.tokens.get(self.at).cloned().unwrap_or(Token { kind: TokenKind::End, range: last })
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.tokens.get(self.at).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn kind_after(&self) -> TokenKind {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    pub(super) fn take(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    /// The byte after the token that was read last.
    pub(super) fn end_of_last(&self) -> usize {
        self.tokens.get(self.at.wrapping_sub(1)).map_or(0, |token| token.range.end)
    }

    pub(super) fn text_of(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(super) fn push(&mut self, range: Range<usize>, kind: Type, expr: Expr) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node { range, kind, expr });
        id
    }

    /// Enters one more level of nesting, which the caller leaves with [`Self::leave`].
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the query is nested more than {DEEPEST} levels deep");
            return Err(Error::at(self.token().range, message));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The error if the next token is not one of `expected`. `place` says where in the query this
    /// is. Both may be empty.
    pub(super) fn unexpected(&mut self, place: &str, expected: &str) -> Error {
        let token = self.token();
        let expected =
            if expected.is_empty() { String::new() } else { format!(", expected {expected}") };
        if token.kind == TokenKind::End {
            let end = || Error::at(token.range, format!("unexpected end{place}{expected}"));
            return self.error.take().unwrap_or_else(end);
        }
        let written = shortened(self.text_of(&token.range));
        let hint = match token.kind {
            TokenKind::Match(_) if place.is_empty() => ": to compare values, write `==`",
            TokenKind::GroupLeft | TokenKind::GroupRight => {
                ": it follows `on (…)` or `ignoring (…)`"
            }
            _ => "",
        };
        Error::at(token.range, format!("unexpected `{written}`{place}{expected}{hint}"))
    }
}
