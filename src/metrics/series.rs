//! The series of a cluster at the time of a query.

use crate::promql::Store;

/// The series of a cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    pub(crate) store: Store,
    /// When the query is asked, in milliseconds since 1970.
    pub(crate) time: i64,
    /// The id of the cluster that asks, if it is a hosted one: it replaces `_id=""` in queries.
    pub(crate) cluster_id: Option<String>,
}
