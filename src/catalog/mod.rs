//! Catalogs of operators: what their files declare, what opm says of them, and where installed
//! operators move.

mod declared;
mod ignore;
mod image;
mod label;
mod load;
mod opm;
mod package;
mod read;
pub(crate) mod version;

pub use load::{Loaded, load, load_texts};
pub use opm::{objections, verdict};
