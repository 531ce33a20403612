//! A service of our own, for a bench without addresses.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

use super::address::Address;

pub(crate) struct Fixture {
    pub(crate) address: Address,
    process: Child,
    /// Open until the end: the service stops when it cannot write to it.
    _stderr: BufReader<ChildStderr>,
}

impl Fixture {
    pub(crate) fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_exitpath"))
            .args(["serve", "fixtures/graph-data", "--quiet", "--listen", "127.0.0.1:0"])
            .args(["--releases", "fixtures/graphs/releases.json"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let url = stderr.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let (_, rest) = line.split_once("clusters ask at ")?;
            Some(rest.split(',').next()?.to_owned())
        });
        let url = url.unwrap();
        let address = Address::read(&format!("exitpath={url}?channel=stable-4.15")).unwrap();
        Self { address, process, _stderr: stderr }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
