//! `exitpath serve`: the update service, answered from a repository.

mod settled;
mod size;
mod source;
mod watching;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use crate::http::token;
use crate::metrics::now;
use crate::server::{self, Identity, Listener, Log};
use crate::service::{Access, Port, Service, Token};
use crate::session::Note;
use crate::text::Failure;

use super::common_args::CommonArgs;
use super::serve_args::ServeArgs;
use super::{Status, Stop, print};
use source::{Loaded, Source};
use watching::{Served, Watched};

pub(super) fn run(
    args: &ServeArgs,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let source = Source::of(args)?;
    let access = access(args, common, err)?;
    // An address that is taken is found before anything is read.
    let listeners = listeners(args)?;
    let started = Instant::now();
    let watched = Watched::new(source);
    let Loaded { offer, notes, refused, size } = settled::read_first(&watched.source)?;
    print::notes(&notes, common, err)?;
    for line in &refused {
        writeln!(err, "exitpath: {line}")?;
    }
    let service = Arc::new(Service::new(offer, access, started.elapsed(), now() / 1000));
    let cannot_start = |error: io::Error| Failure::new(format!("cannot start: {error}"));
    let log = Log::on_stderr(!common.quiet).map_err(cannot_start)?;
    watching::start(watched, Served { refused, size }, &service, &log).map_err(cannot_start)?;
    for listener in &listeners {
        writeln!(err, "exitpath: {}", listener.in_words().map_err(cannot_start)?)?;
    }
    writeln!(err, "exitpath: ready; Ctrl-C stops the service")?;
    server::run(&service, listeners, &log).map_err(cannot_start)?;
    log.end("exitpath: stopped");
    Ok(Status::Clean)
}

fn access(args: &ServeArgs, common: &CommonArgs, err: &mut dyn Write) -> Result<Access, Stop> {
    let mut notes = Vec::new();
    let token = args.token_file.as_deref().map(|file| token(file, &mut notes)).transpose();
    let token = token?.map(Token::new);
    let is_open = args.tls_cert.is_none() && !args.listen.ip().is_loopback();
    if token.is_some() && is_open {
        let text = "without --tls-cert, everybody in between can read the token";
        notes.push(text.to_owned());
    }
    let notes: Vec<Note> =
        notes.into_iter().map(|text| Note { text, is_important: true }).collect();
    print::notes(&notes, common, err)?;
    Ok(Access { cors: args.cors, token })
}

fn listeners(args: &ServeArgs) -> Result<Vec<Listener>, Failure> {
    let identity = match (&args.tls_cert, &args.tls_key) {
        (Some(certificates), Some(key)) => Some(Identity::read(certificates, key)?),
        _ => None,
    };
    let clients = Port::Clients { has_status: args.status.is_none() };
    let mut listeners = vec![bound(args.listen, clients, identity.clone(), "--listen")?];
    if let Some(address) = args.raw {
        listeners.push(bound(address, Port::Raw, identity, "--raw")?);
    }
    if let Some(address) = args.status {
        listeners.push(bound(address, Port::Status, None, "--status")?);
    }
    Ok(listeners)
}

fn bound(
    address: SocketAddr,
    port: Port,
    identity: Option<Identity>,
    flag: &str,
) -> Result<Listener, Failure> {
    Listener::bind(address, port, identity).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            let what = format!("another process already listens on {address}");
            Failure::new(what).hint(format!("name a free port: `{flag} {}:0`", address.ip()))
        }
        _ => Failure::new(format!("cannot listen on {address}: {error}")),
    })
}
