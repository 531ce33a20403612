//! The certificate of the service.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::text::Failure;

/// A certificate and its key.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(super) acceptor: TlsAcceptor,
}

// The key must not appear in messages.
impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

/// The size of the largest file with a certificate.
const LARGEST: u64 = 4 << 20;

impl Identity {
    /// Reads a chain of certificates and a key in PEM format.
    pub(crate) fn read(certificates: &Path, key: &Path) -> Result<Self, Failure> {
        let pem = read(certificates)?;
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&pem)
            .collect::<Result<_, _>>()
            .map_err(|_| format!("{} is not in PEM", certificates.display()))?;
        if chain.is_empty() {
            return Err(Failure::new(format!("{} has no certificate", certificates.display())));
        }
        let private = PrivateKeyDer::from_pem_slice(&read(key)?)
            .map_err(|_| format!("{} has no private key in PEM", key.display()))?;
        let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let config = builder
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private));
        let mut config = config.map_err(|why| {
            let (certificates, key) = (certificates.display(), key.display());
            format!("{certificates} and {key} cannot be used together: {why}")
        })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)) })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let unreadable = |error| Failure::unreadable(&name, &error);
    let meta = path.metadata().map_err(unreadable)?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(Failure::new(format!("cannot read {name}: it is not a small file")));
    }
    fs::read(path).map_err(unreadable)
}
