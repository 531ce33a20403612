//! What people and programs see.

pub(crate) mod certificate;
mod cli;
pub(crate) mod draw;
pub(crate) mod explorer;
pub(crate) mod from;
pub(crate) mod graph;
pub(crate) mod guide;
pub(crate) mod hostile;
pub(crate) mod init;
mod known_metrics;
mod language_server;
pub(crate) mod maintenance;
pub(crate) mod not_loaded;
pub(crate) mod okd;
pub(crate) mod path;
pub(crate) mod queries;
pub(crate) mod readme;
pub(crate) mod reports;
pub(crate) mod risk_commands;
pub(crate) mod screens;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod supported;
pub(crate) mod watch;
mod writing;
