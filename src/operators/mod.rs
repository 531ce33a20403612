//! The operators that are installed on clusters, and the catalogs that they come from.

pub(crate) mod bridge;
pub(crate) mod catalog;
pub(crate) mod mirrored;
pub(crate) mod olm;
