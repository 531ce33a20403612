//! The file of the page: its script, its styles, and its data, with a policy that allows nothing
//! else.

use sha2::{Digest, Sha256};

use crate::text::xml;

use super::document::{DocumentJson, document};
use super::{Exploration, packed};

const FRAME: &str = include_str!("page/page.html");
const STYLES: &str = include_str!("page/styles.css");

/// The parts of the script, each with one idea, in the order of their use.
const SCRIPT: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/channel.js"),
    include_str!("page/simulation.js"),
    include_str!("page/sets.js"),
    include_str!("page/paths.js"),
    include_str!("page/layout.js"),
    include_str!("page/address.js"),
    include_str!("page/elements.js"),
    include_str!("page/changes.js"),
    include_str!("page/view.js"),
    include_str!("page/drawing.js"),
    include_str!("page/panels.js"),
    include_str!("page/frame.js"),
    include_str!("page/main.js"),
];

/// The whole page.
pub(crate) fn page(exploration: &Exploration<'_>) -> String {
    of_document(&document(exploration))
}

pub(super) fn of_document(document: &DocumentJson) -> String {
    let parts = [
        ("POLICY", policy(document.live)),
        ("TITLE", xml(&document.title)),
        ("STYLES", STYLES.to_owned()),
        ("DATA", document.packed()),
        ("SCRIPT", script()),
    ];
    let mut page = String::new();
    let mut rest = FRAME;
    for (name, text) in parts {
        let mark = format!("{{{{{name}}}}}");
        let Some((before, after)) = rest.split_once(&mark) else { continue };
        page.push_str(before);
        page.push_str(&text);
        rest = after;
    }
    page + rest
}

/// What the page may do: run its own script and use its own styles. Only a page that a service
/// serves may ask for something, and only that service.
pub(crate) fn policy(is_live: bool) -> String {
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; {}base-uri 'none'; \
         form-action 'none'",
        digest(&script()),
        digest(STYLES),
        if is_live { "connect-src 'self'; " } else { "" },
    )
}

fn script() -> String {
    format!("'use strict';\n(() => {{\n{}}})();\n", SCRIPT.concat())
}

/// A digest as policies write it.
fn digest(text: &str) -> String {
    packed::base64(&Sha256::digest(text))
}
