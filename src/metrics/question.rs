//! A query that several sources are asked.

use std::sync::OnceLock;

use crate::promql::{self, Query};

use super::query_error::QueryError;

/// A query, as a risk has it. It is parsed once, however many sources are asked.
#[derive(Debug)]
pub(crate) struct Question<'t> {
    /// What is asked.
    pub(crate) text: &'t str,
    /// Servers need only the text.
    query: OnceLock<Result<Query, QueryError>>,
}

impl<'t> Question<'t> {
    /// The question of a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, query: OnceLock::new() }
    }

    pub(super) fn query(&self) -> Result<&Query, QueryError> {
        let parsed =
            || promql::parse(self.text).map_err(|error| QueryError::syntax(error, self.text));
        self.query.get_or_init(parsed).as_ref().map_err(Clone::clone)
    }
}
