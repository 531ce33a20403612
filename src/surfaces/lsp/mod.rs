//! The language server: what clients ask and are told, in the words of the protocol. It knows no
//! streams and no threads.

mod capabilities;
mod catalogs;
mod desk;
mod diagnostics;
mod documents;
mod edits;
mod encoding;
mod message;
mod opened_catalogs;
mod outbox;
mod refusal;
mod requests;
mod server;
mod tokens;
mod uri;

pub(crate) use message::write;
pub use message::{Received, read};
pub use server::Server;
