//! Mirrored catalogs: what oc-mirror v2 leaves of a catalog, which installed operators get stuck with
//! it, and the smallest addition that frees them.

mod chain;
mod filter;
mod outlook;
mod package_addition;
mod range;

pub(crate) use outlook::{
    MirroredStage, OperatorStuck, OperatorStuckBecause, StuckOperators, UpdatingCluster,
};
pub(crate) use package_addition::PackageAddition;
