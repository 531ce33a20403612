//! Mirrored catalogs: what oc-mirror v2 leaves of a catalog, which installed operators get stuck
//! with it, and the smallest addition that unblocks them.

mod chain;
mod filter;
mod outlook;
mod package_addition;
mod range;
mod stages;

pub(crate) use outlook::{OperatorStuck, StuckOperators};
pub(crate) use package_addition::PackageAddition;
pub(crate) use stages::{MirroredStage, OperatorStuckBecause, UpdatingCluster};
