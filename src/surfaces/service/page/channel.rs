//! A page for each channel: its releases, its risks, and a drawing of its graph.

use std::collections::BTreeMap;
use std::fmt::Write;

use petgraph::graph::NodeIndex;

use crate::domain::{Arch, Format, Named};
use crate::draw::{Picture, PictureRequest};
use crate::graph::{RiskId, Served, State};
use crate::text::words::{counted, grouped};

use super::super::offer::Offer;
use super::super::parameters::last;
use super::super::response::Response;
use super::{described, escaped, page};

pub(in super::super) fn channel(offer: &Offer, name: &str, query: &str) -> Response {
    let arch = last(query, "arch").and_then(|arch| Arch::named(&arch)).unwrap_or_default();
    let channel = offer.channel(name);
    let Some((channel, served)) =
        channel.and_then(|channel| Some((channel, channel.served(arch)?)))
    else {
        let body = format!(
            "<h1>Not found</h1>\n<p>There is no channel <code>{}</code>. \
             <a href=\"/\">All channels</a></p>\n",
            escaped(name)
        );
        return page(404, "Not found", &body);
    };
    let mut body = String::new();
    let name = escaped(name);
    let _ = writeln!(body, "<p><a href=\"/\">All channels</a></p>\n<h1>{name} for {arch}</h1>");
    if let Some(description) = &channel.description {
        let _ = writeln!(body, "<p>{}</p>", described(description));
    }
    write_architectures(&name, arch, &mut body);
    let _ = writeln!(
        body,
        "<p>Clusters get it from <code>/api/upgrades_info/v1/graph?channel={name}&amp;arch={arch}</code> \
         with the header <code>Accept: application/json</code>.</p>"
    );
    let drawing = Picture::of(&served, &PictureRequest::default());
    let svg = Picture::writer(Format::Svg).map(|drawn| drawn(&drawing)).unwrap_or_default();
    let _ = writeln!(body, "<h2>Graph</h2>\n<div class=\"drawing\">{svg}</div>");
    write_releases(&served, &mut body);
    write_risks(&served, &mut body);
    page(200, &format!("{name} for {arch}"), &body)
}

fn write_architectures(name: &str, own: Arch, body: &mut String) {
    body.push_str("<nav>");
    for arch in Arch::ALL {
        let _ = if *arch == own {
            write!(body, "<strong>{arch}</strong>")
        } else {
            write!(body, "<a href=\"/channels/{name}?arch={arch}\">{arch}</a>")
        };
    }
    body.push_str("</nav>\n");
}

/// The updates of a release, by kind.
#[derive(Default)]
struct Counts {
    open: usize,
    conditional: usize,
}

fn write_releases(served: &Served<'_>, body: &mut String) {
    let mut counts: BTreeMap<NodeIndex, Counts> = BTreeMap::new();
    for update in served.updates() {
        let counts = counts.entry(update.from).or_default();
        match update.reason.state {
            State::Open => counts.open += 1,
            State::Conditional(_) => counts.conditional += 1,
            State::Blocked => {}
        }
    }
    let _ = writeln!(
        body,
        "<h2>{}</h2>\n<table>\n<tr><th>release</th><th class=\"number\">updates without risks</th>\
         <th class=\"number\">conditional updates</th></tr>",
        counted(served.members.len(), "release")
    );
    for node in served.members.iter().rev() {
        let Counts { open, conditional } = counts.remove(node).unwrap_or_default();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            escaped(&served.version(*node)),
            grouped(open),
            grouped(conditional)
        );
    }
    body.push_str("</table>\n");
}

fn write_risks(served: &Served<'_>, body: &mut String) {
    let mut updates: BTreeMap<RiskId, usize> = BTreeMap::new();
    for update in served.updates() {
        if let State::Conditional(risks) = &update.reason.state {
            for risk in risks {
                *updates.entry(*risk).or_default() += 1;
            }
        }
    }
    if updates.is_empty() {
        return;
    }
    let _ = writeln!(
        body,
        "<h2>{}</h2>\n<table>\n<tr><th>risk</th><th class=\"number\">updates</th><th>message</th></tr>",
        counted(updates.len(), "risk")
    );
    for (id, count) in updates {
        let risk = served.whole.risk(id);
        let queries = risk.matching_rules.iter().filter_map(|rule| rule.promql.as_deref());
        let queries: Vec<String> =
            queries.map(|query| format!("<br><code>{}</code>", escaped(query))).collect();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"number\">{}</td><td>{}{}<br>\
             <span class=\"faint\">{}</span></td></tr>",
            escaped(&risk.name),
            grouped(count),
            escaped(&risk.message),
            queries.concat(),
            escaped(&risk.url)
        );
    }
    body.push_str("</table>\n");
}
