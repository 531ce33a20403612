//! What people and programs see: the command line, reports, pictures, and the update service.

pub(crate) mod cli;
pub(crate) mod draw;
#[cfg(feature = "lsp")]
pub(crate) mod editor;
pub(crate) mod explorer;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod report;
#[cfg(feature = "serve")]
pub(crate) mod server;
#[cfg(feature = "serve")]
pub(crate) mod service;
pub(crate) mod session;
#[cfg(feature = "lsp")]
pub(crate) mod workspace;
