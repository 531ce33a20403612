//! Matches versions with a pattern, as the service does.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;
use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;

use super::{Pattern, Walk, cost};

/// A pattern. It is compiled only for versions that a [`Walk`] cannot answer.
pub(crate) struct Matcher<'p> {
    text: &'p str,
    /// None if the pattern is large or has unusual syntax.
    walk: Option<Cow<'p, Walk>>,
    compiled: OnceLock<Option<Regex>>,
}

impl<'p> Matcher<'p> {
    pub(crate) fn of(text: &'p str) -> Self {
        Self::of_syntax(text, Parser::new().parse(text).ok().as_ref())
    }

    /// A pattern without a syntax tree is invalid.
    pub(super) fn of_syntax(text: &'p str, ast: Option<&Ast>) -> Self {
        let small = ast.filter(|ast| cost::is_small(ast));
        let walk = small.and_then(|ast| Walk::of_syntax(text, ast));
        Self { text, walk: walk.map(Cow::Owned), compiled: OnceLock::new() }
    }

    /// A pattern of the repository, which is parsed already.
    pub(crate) fn of_known(text: &'p str, pattern: &'p Pattern) -> Self {
        let is_small = pattern.syntax.as_deref().is_some_and(cost::is_small);
        let walk = pattern.walk.as_deref().filter(|_| is_small);
        Self { text, walk: walk.map(Cow::Borrowed), compiled: OnceLock::new() }
    }

    /// The walk, which answers for nearly all patterns. None if the compiled pattern has to answer.
    pub(super) fn walk(&self) -> Option<&Walk> {
        self.walk.as_deref()
    }

    pub(super) fn into_walk(self) -> Option<Walk> {
        self.walk.map(Cow::into_owned)
    }

    /// An invalid pattern matches nothing: the service does not load its file.
    pub(crate) fn is_match(&self, version: &str) -> bool {
        let walked = self.walk.as_ref().and_then(|walk| walk.matches(version));
        walked.unwrap_or_else(|| {
            let compiled = self.compiled.get_or_init(|| Regex::new(self.text).ok());
            compiled.as_ref().is_some_and(|regex| regex.is_match(version))
        })
    }
}
