//! The flags that say how to ask a server. clap prints the doc comments in this file as help.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args as ClapArgs;

use crate::http::TIME_LIMIT;
use crate::metrics::ServerRequest;

/// How to ask a server. The flag that names the server is in the group `server`.
#[derive(Debug, ClapArgs)]
pub(super) struct AccessArgs {
    /// The file with the token to send to the server, such as what `oc whoami --show-token` prints.
    #[arg(long, value_name = "FILE", requires = "server")]
    token_file: Option<PathBuf>,
    /// The file with the certificate authorities (PEM) of the server to trust, and no others.
    #[arg(long, value_name = "FILE", requires = "server")]
    ca: Option<PathBuf>,
    /// How many seconds an answer of the server can take. Default: 30.
    #[arg(long, value_name = "SECONDS", requires = "server", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: Option<u64>,
}

impl AccessArgs {
    pub(super) fn token_file(&self) -> Option<&Path> {
        self.token_file.as_deref()
    }

    pub(super) fn ca(&self) -> Option<&Path> {
        self.ca.as_deref()
    }

    /// How long an answer can take.
    pub(super) fn limit(&self) -> Duration {
        self.timeout.map_or(TIME_LIMIT, Duration::from_secs)
    }

    /// A request to ask a server with series.
    pub(super) fn request<'a>(&'a self, url: &'a str, time: Option<i64>) -> ServerRequest<'a> {
        let (token_file, ca) = (self.token_file(), self.ca());
        ServerRequest { url, token_file, ca, time, limit: self.limit() }
    }
}
