//! The flags of `serve`. clap prints the doc comments in this file as help.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::service::Cors;
use crate::text::Failure;

use super::choice::choice;
use super::source_args::GraphSourceArgs;
use super::values::expected;

#[derive(Clone, Debug, ClapArgs)]
pub(super) struct ServeArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(value_name = "REPO", conflicts_with_all = ["repo", "graph"])]
    pub(super) path: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    /// The architecture that served graphs in --releases and --graph are for. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// Serve made-up channels to test clients with: the ones in FILE, or a built-in one by its
    /// name. `all` serves all built-in ones.
    #[arg(
        long,
        value_name = "FILE|NAME",
        conflicts_with_all = ["path", "repo", "rev", "graph", "releases", "add", "without", "with", "arch", "raw"]
    )]
    pub(super) scenario: Option<String>,
    /// The seed of what is random in a scenario. Default: the one in the file.
    #[arg(long, value_name = "NUMBER", requires = "scenario")]
    pub(super) seed: Option<u64>,
    /// Where clients ask. Port 0 takes any free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    pub(super) listen: SocketAddr,
    /// Serve the whole graph here, as the graph builder serves it to the policy engine.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(super) raw: Option<SocketAddr>,
    /// Serve /livez, /readyz, and /metrics here instead of at --listen.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(super) status: Option<SocketAddr>,
    /// Which web pages may read the answers in a browser: any, as at the real service, or none.
    #[arg(long, value_name = "PAGES", value_parser = choice::<Cors>(), default_value = "any", hide_default_value = true, hide_possible_values = true)]
    pub(super) cors: Cors,
    /// Answer only clients that send the token in FILE, as in `Authorization: Bearer TOKEN`.
    /// /livez, /readyz, and /metrics need none.
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Use TLS at --listen and --raw, with this chain of certificates in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(super) tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(super) tls_key: Option<PathBuf>,
}

/// An address and a port. Without an address, it is this machine.
fn address(text: &str) -> Result<SocketAddr, Failure> {
    let whole = if text.starts_with(':') { format!("127.0.0.1{text}") } else { text.to_owned() };
    let found = whole.to_socket_addrs().ok().and_then(|mut found| found.next());
    expected(found, "an address", "an address and a port, such as 127.0.0.1:8080")
}
