//! What people and programs see: the command line, reports, pictures, and the update service.

pub(crate) mod cli;
pub(crate) mod draw;
pub(crate) mod report;
#[cfg(feature = "serve")]
pub(crate) mod server;
#[cfg(feature = "serve")]
pub(crate) mod service;
pub(crate) mod session;
