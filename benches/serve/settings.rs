//! What to ask, and how often.

use super::address::Address;

pub(crate) struct Settings {
    pub(crate) addresses: Vec<Address>,
    pub(crate) is_compressed: bool,
    pub(crate) clients: usize,
    pub(crate) requests: usize,
    pub(crate) rounds: usize,
    /// How many requests one client alone makes.
    pub(crate) alone: usize,
}

impl Settings {
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut settings = Self {
            addresses: Vec::new(),
            is_compressed: false,
            clients: 2_000,
            requests: 20_000,
            rounds: 5,
            alone: 2_000,
        };
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().unwrap().parse().unwrap();
            match argument.as_str() {
                "--gzip" => settings.is_compressed = true,
                "--quick" => {
                    (settings.clients, settings.requests, settings.rounds) = (200, 2_000, 1);
                }
                "--clients" => settings.clients = number(),
                "--requests" => settings.requests = number(),
                "--rounds" => settings.rounds = number(),
                "--alone" => settings.alone = number(),
                // cargo adds it.
                "--bench" => {}
                address => settings.addresses.push(Address::read(address).unwrap()),
            }
        }
        settings
    }
}
