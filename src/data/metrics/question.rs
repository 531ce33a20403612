//! A query to ask several sources.

use std::sync::OnceLock;

use crate::promql::{self, Dialect, Query};

use super::query_error::QueryError;

/// A query of a risk. It is parsed only once for each version of Prometheus, even if many sources
/// are asked.
#[derive(Debug)]
pub(crate) struct Question<'t> {
    /// The text of the query.
    pub(crate) text: &'t str,
    /// The parsed query for each version of Prometheus. Servers need only the text.
    queries: [OnceLock<Result<Query, QueryError>>; 2],
}

impl<'t> Question<'t> {
    /// The question of a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, queries: Default::default() }
    }

    pub(super) fn query(&self, dialect: Dialect) -> Result<&Query, QueryError> {
        let [two, three] = &self.queries;
        let query = match dialect {
            Dialect::Two => two,
            Dialect::Three => three,
        };
        let parsed = || {
            let parsed = promql::parse_as(self.text, dialect);
            parsed.map_err(|error| QueryError::syntax(error, self.text))
        };
        query.get_or_init(parsed).as_ref().map_err(Clone::clone)
    }
}
