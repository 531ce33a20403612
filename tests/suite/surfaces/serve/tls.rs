//! TLS, with a certificate that `openssl` makes.

use std::process::Command;

use super::{Served, text_of};
use crate::shared::skipped;
use crate::{Scratch, exitpath};

#[test]
fn a_client_that_trusts_the_certificate_gets_answers() {
    let scratch = Scratch::new("tls");
    let (certificate, key) = (scratch.path().join("tls.crt"), scratch.path().join("tls.key"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        skipped("there is no openssl");
        return;
    }
    let files = ["--tls-cert", text_of(&certificate), "--tls-key", text_of(&key)];
    let served = Served::start(["fixtures/graph-data"].into_iter().chain(files));
    let url = format!("https://{}", served.clients);
    let run = exitpath(["channels", "--service", &url, "--ca", text_of(&certificate)]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("stable-4.14"), "{}", run.out);
    let run = exitpath(["channels", "--service", &url]);
    assert!(run.err.contains("does not verify"), "{}", run.err);
    served.wait_for("127.0.0.1: TLS failed: ");
}

#[test]
fn files_that_are_no_certificate_are_refused() {
    let scratch = Scratch::new("no-tls");
    let empty = scratch.write("empty.pem", "");
    let missing = scratch.path().join("missing.pem");
    for (certificate, key, expected) in
        [(&missing, &empty, "cannot read"), (&empty, &empty, "has no certificate")]
    {
        let files = ["--tls-cert", text_of(certificate), "--tls-key", text_of(key)];
        let start = ["serve", "fixtures/graph-data", "--listen", "127.0.0.1:0"];
        let run = exitpath(start.into_iter().chain(files));
        assert_eq!(run.status, 2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}
