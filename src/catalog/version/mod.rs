//! Versions of bundles, as the programs that read catalogs understand them.
//!
//! opm and OLM read versions and ranges with the Go library blang/semver. A ClusterExtension states
//! its range for another library, Masterminds/semver. Both differ from Cargo's ranges. Errors have
//! the texts of the libraries, because opm prints them.

mod constraint;
mod identifier;
mod range;
mod release;
mod requested;
mod semver;
mod wildcard;

pub use range::Range;
pub use release::BundleVersion;
pub(crate) use release::Release;
pub use requested::Requested;
pub use semver::Version;
