//! The page `/`: all channels.

use std::cmp::Reverse;
use std::fmt::Write;

use crate::domain::{Arch, ChannelName, channel_name};
use crate::text::words::{counted, grouped};

use super::super::offer::Offer;
use super::super::response::Response;
use super::{described, escaped, page};

pub(in super::super) fn index(offer: &Offer) -> Response {
    let mut channels: Vec<_> = offer.channels().collect();
    // The newest minors first, because most people work on them.
    channels.sort_by_key(|(name, _)| {
        let minor = ChannelName::parse(name).map(|channel| channel.minor);
        (Reverse(minor), channel_name::phase_rank(name), name.as_str())
    });
    let mut body = String::new();
    let _ = writeln!(
        body,
        "<h1>Update service</h1>\n<p>{} from {}. Clusters ask at \
         <code>/api/upgrades_info/v1/graph?channel=…&amp;arch=…</code>.</p>",
        counted(channels.len(), "channel"),
        escaped(&offer.source)
    );
    body.push_str(
        "<table>\n<tr><th>channel</th><th class=\"number\">releases</th><th>description</th></tr>\n",
    );
    for (name, channel) in channels {
        let releases = channel.served(Arch::default()).map_or(0, |served| served.members.len());
        let name = escaped(name);
        let description = channel.description.as_ref().map(described).unwrap_or_default();
        let _ = writeln!(
            body,
            "<tr><td><a href=\"/channels/{name}\">{name}</a></td><td class=\"number\">{}</td>\
             <td>{description}</td></tr>",
            grouped(releases)
        );
    }
    body.push_str("</table>\n");
    page(200, "Update service", &body)
}
