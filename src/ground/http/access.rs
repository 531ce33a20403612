//! The certificates that the client trusts.

use std::path::Path;

use ureq::tls::{Certificate, PemItem, parse_pem};

use crate::text::Failure;

use super::token::read;

/// The certificates in a file.
pub(super) fn authorities(path: &Path) -> Result<Vec<Certificate<'static>>, Failure> {
    let bytes = read(path)?;
    let certificates = parse_pem(&bytes).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<_> = certificates.collect();
    if certificates.is_empty() {
        let what = format!("{} has no certificate", path.display());
        return Err(Failure::new(what).hint("it has to have certificates in PEM"));
    }
    Ok(certificates)
}
