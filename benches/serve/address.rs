//! Where a service is.

use std::net::SocketAddr;

#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) name: String,
    pub(crate) socket: SocketAddr,
    /// The path and the query.
    pub(crate) path: String,
}

impl Address {
    /// Reads `NAME=http://127.0.0.1:8080/path`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (name, url) = text.split_once('=')?;
        let (host, path) = url.strip_prefix("http://")?.split_once('/')?;
        Some(Self { name: name.into(), socket: host.parse().ok()?, path: format!("/{path}") })
    }

    /// A request that keeps the connection open.
    pub(crate) fn request(&self, is_compressed: bool) -> Vec<u8> {
        let encoding = if is_compressed { "Accept-Encoding: gzip\r\n" } else { "" };
        let Self { socket, path, .. } = self;
        format!(
            "GET {path} HTTP/1.1\r\nHost: {socket}\r\nAccept: application/json\r\n{encoding}\r\n"
        )
        .into_bytes()
    }
}
