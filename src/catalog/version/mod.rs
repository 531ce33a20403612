//! Versions of bundles, as the programs that read catalogs understand them.
//!
//! opm and OLM read versions and ranges with the Go library blang/semver, whose ranges differ from
//! Cargo's. Errors have the texts of the library, because opm prints them.

mod identifier;
mod range;
mod release;
mod semver;
mod wildcard;

pub use range::Range;
pub use release::BundleVersion;
pub(crate) use release::Release;
pub use semver::Version;
