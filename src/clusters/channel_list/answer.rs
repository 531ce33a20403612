//! Reads the list that an update service answers. Unknown keys are ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::text::Failure;

use super::{ChannelList, Description};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    channels: BTreeMap<String, Entry>,
    /// Which texts are not from the repository. Only exitpath's own service says this.
    #[serde(default)]
    default_descriptions: serde_json::Value,
}

#[derive(Deserialize)]
struct Entry {
    description: Option<String>,
}

impl ChannelList {
    /// The list in a body. The error says why it is not one.
    pub(crate) fn parse(body: &str) -> Result<Self, Failure> {
        let body: Body = serde_json::from_str(body).map_err(|error| error.to_string())?;
        let defaults = body.default_descriptions.as_array().map_or(&[][..], Vec::as_slice);
        let defaults: BTreeSet<&str> =
            defaults.iter().filter_map(serde_json::Value::as_str).collect();
        let channels = body.channels.into_iter().map(|(name, entry)| {
            let text = entry.description.filter(|text| !text.is_empty());
            let is_default = defaults.contains(name.as_str());
            (name, text.map(|text| Description { text, is_default }))
        });
        Ok(Self { channels: channels.collect() })
    }
}
