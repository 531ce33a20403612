//! Where the series come from of which a query is asked: files, sample clusters, and servers.

mod query_error;
mod series;
mod source;

pub(crate) use query_error::QueryError;
pub(crate) use series::Series;
pub(crate) use source::Source;
