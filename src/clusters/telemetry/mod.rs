//! A fleet in a telemetry store: one Prometheus or Thanos with the series of many clusters.
//!
//! `per_cluster` rewrites a query about one cluster for such a store, `count` makes queries of it
//! that people can run themselves, and `store` asks the store, `slice` by slice.

mod asked_risk;
mod count;
mod edits;
mod gaps;
mod per_cluster;
mod slice;
mod store;

pub(crate) use asked_risk::AskedRisk;
pub(crate) use count::{counting_own_words, counting_query};
pub(crate) use gaps::StoreGaps;
pub use per_cluster::ClusterIds;
#[cfg(feature = "testing")]
pub use per_cluster::query_for_many;
pub(crate) use store::{StoreRequest, rows_of_store};
