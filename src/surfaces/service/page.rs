//! The page for people: all channels, to explore. It updates itself when the data changes.

use std::sync::OnceLock;

use crate::domain::{Arch, Named};
use crate::explorer::{self, Exploration};

use super::parameters::last;
use super::rendered::Rendered;
use super::request::Request;
use super::response::Response;

/// The page of an offer, and its data. Each is made on its first request.
#[derive(Debug, Default)]
pub(super) struct Page {
    whole: OnceLock<Rendered>,
    data: OnceLock<Rendered>,
}

impl Page {
    pub(super) fn whole<'e>(
        &self,
        exploration: impl FnOnce() -> Exploration<'e>,
        request: &Request<'_>,
    ) -> Response {
        let make = || Rendered::new(explorer::page(&exploration()).into_bytes());
        let response = self.whole.get_or_init(make).response(request, "text/html; charset=utf-8");
        let policy = format!("{}; frame-ancestors 'none'", explorer::policy(true));
        response.with("content-security-policy", policy).with("x-content-type-options", "nosniff")
    }

    /// What the page asks for again and again.
    pub(super) fn data<'e>(
        &self,
        exploration: impl FnOnce() -> Exploration<'e>,
        request: &Request<'_>,
    ) -> Response {
        let make = || Rendered::new(explorer::data(&exploration()).into_bytes());
        self.data.get_or_init(make).response(request, "text/plain; charset=utf-8")
    }
}

/// The address of a channel on the page.
pub(super) fn channel(name: &str, is_offered: bool, query: &str) -> Response {
    if !is_offered {
        let text = "there is no such channel; `/` shows all\n";
        return Response::text(404, "text/plain; charset=utf-8", text);
    }
    let arch = last(query, "arch").and_then(|arch| Arch::named(&arch)).unwrap_or_default();
    // A name of a channel has no character with a meaning in addresses.
    Response::empty(302).with("location", format!("/#channel={name}&arch={}", arch.name()))
}
