//! Pages for people: the channels, and the graph of each. They have no scripts and load nothing.

mod channel;
mod index;
mod style;

pub(super) use channel::channel;
pub(super) use index::index;

use style::STYLE;

use crate::channel_list::Description;
use crate::text::{printable, xml};

use super::response::Response;

/// A page with this title and HTML body.
fn page(status: u16, title: &str, body: &str) -> Response {
    let title = escaped(title);
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    );
    Response::text(status, "text/html; charset=utf-8", html)
        .with(
            "content-security-policy",
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        )
        .with("x-content-type-options", "nosniff")
}

/// The purpose of a channel. A text that does not come from the data is marked.
fn described(description: &Description) -> String {
    let mark =
        if description.is_default { " <span class=\"faint\">(default text)</span>" } else { "" };
    format!("{}{mark}", escaped(&description.line()))
}

/// Escapes one line of text for HTML.
fn escaped(text: &str) -> String {
    xml(&printable(text))
}
