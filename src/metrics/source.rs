//! What answers a query.

use crate::promql::{self, Dialect, Limits, Query, Settings, Value};

use super::query_error::QueryError;
use super::question::Question;
use super::series::Series;
use super::server::Server;

/// What answers a query.
#[derive(Debug)]
pub enum Source {
    /// The series of a cluster, evaluated here as this version of Prometheus does.
    Series(Series, Dialect),
    /// A running Prometheus.
    Server(Server),
}

impl Source {
    /// The answer to a query. The text is that of a risk: what a hosted cluster replaces is replaced.
    pub fn ask(&self, text: &str) -> Result<Value, QueryError> {
        self.ask_within(text, Limits::default())
    }

    /// The answer to a query, if exitpath can evaluate it within limits.
    pub(crate) fn ask_within(&self, text: &str, limits: Limits) -> Result<Value, QueryError> {
        self.answer(&Question::new(text), limits)
    }

    /// The answer to a question, if exitpath can evaluate it within limits.
    pub(crate) fn answer(&self, question: &Question, limits: Limits) -> Result<Value, QueryError> {
        match self {
            Self::Series(series, dialect) => {
                let settings = Settings { limits, ..Settings::at(series.time, *dialect) };
                let text = series.as_asked(question.text);
                let own = Question::new(&text);
                let question = if text == question.text { question } else { &own };
                Ok(promql::evaluate(question.query(*dialect)?, &series.store, &settings)?)
            }
            Self::Server(server) => server.ask(question.text),
        }
    }

    /// Reads a query as what answers it does. Which version a server has is not known.
    pub(crate) fn parse(&self, text: &str) -> Result<Query, promql::Error> {
        match self {
            Self::Series(_, dialect) => promql::parse_as(text, *dialect),
            Self::Server(_) => promql::parse(text)
                .or_else(|error| promql::parse_as(text, Dialect::Two).map_err(|_| error)),
        }
    }

    /// When the query is asked, in milliseconds since 1970.
    pub fn time(&self) -> i64 {
        match self {
            Self::Series(series, _) => series.time,
            Self::Server(server) => server.time,
        }
    }
}
