//! Catalogs of operators: what their files declare, what opm says about them, and where installed
//! operators move.

mod assemble;
mod bundles;
pub(crate) mod declared;
mod default_catalogs;
mod ignore;
mod image;
mod label;
mod load;
pub(crate) mod next;
pub(crate) mod openshift_limit;
mod opm;
pub(crate) mod package;
mod places;
mod read;
mod rendered;
pub(crate) mod resolver;
pub(crate) mod simulation;
pub mod substitution;
pub(crate) mod version;

pub use assemble::packages;
pub(crate) use bundles::{annotated_bundle, bundle_folder};
pub(crate) use default_catalogs::default_provider;
pub use load::Loaded;
pub(crate) use load::{LoadedCatalog, Loading, is_ignore_file, wanted};
pub use opm::{Objection, ObjectionKind, Owner, objections, verdict};
pub(crate) use package::{CatalogChannel, Package};
pub(crate) use places::Places;
pub use read::first_schema;
pub(crate) use read::{Commented, NEEDLES, document_as_json, guessed_bundle};
#[cfg(feature = "lsp")]
pub(crate) use read::{SEMVER_TEMPLATE_KEYS, is_template, may_be_of_catalog};
