//! Catalogs of operators: what their files declare, what opm says of them, and where installed
//! operators move.

mod declared;
mod ignore;
mod image;
mod label;
mod opm;
mod package;
mod read;
mod version;
