//! Questions to servers over HTTP: one GET, one answer, no redirects.

#[cfg(feature = "live")]
mod access;
#[cfg(feature = "live")]
mod address;
#[cfg(feature = "live")]
mod client;
#[cfg(not(feature = "live"))]
#[path = "no_client.rs"]
mod client;
mod error;
mod request;
#[cfg(any(feature = "live", feature = "serve"))]
mod token;
mod update_service;
#[cfg(feature = "live")]
mod words;

pub(crate) use client::Client;
pub(crate) use error::GetError;
pub(crate) use request::{ClientRequest, HttpAnswer, ServerKind, TIME_LIMIT};
#[cfg(feature = "serve")]
pub(crate) use token::token;
#[cfg(feature = "serve")]
pub(crate) use update_service::API;
pub(crate) use update_service::api_url;
