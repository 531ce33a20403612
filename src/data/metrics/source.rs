//! A source that answers queries.

use crate::promql::{self, Dialect, Limits, Query, Settings, Value};

use super::query_error::QueryError;
use super::question::Question;
use super::series::Series;
use super::server::Server;

/// A source that answers queries.
#[derive(Debug)]
pub enum Source {
    /// The series of a cluster, evaluated here as this version of Prometheus does.
    Series(Series, Dialect),
    /// A running Prometheus.
    Server(Server),
}

impl Source {
    /// The answer to a query of a risk. If the cluster is a hosted one, its id is put into the
    /// query.
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

    /// Parses a query for this source. The version of a server is unknown.
    pub(crate) fn parse(&self, text: &str) -> Result<Query, promql::Error> {
        match self {
            Self::Series(_, dialect) => promql::parse_as(text, *dialect),
            Self::Server(_) => promql::parse(text)
                .or_else(|error| promql::parse_as(text, Dialect::Two).map_err(|_| error)),
        }
    }

    /// The time of the query, in milliseconds since 1970.
    pub fn time(&self) -> i64 {
        match self {
            Self::Series(series, _) => series.time,
            Self::Server(server) => server.time,
        }
    }
}
