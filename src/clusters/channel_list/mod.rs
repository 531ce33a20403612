//! What an update service says about its channels: the list that it serves at
//! `/api/upgrades_info/channels`.

mod answer;
mod of_repository;
mod retrieval;

pub(crate) use retrieval::{ServiceRequest, fetch};

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::domain::ChannelName;
use crate::text::{printable, printable_json};

/// The media type of the list.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.redhat.cincinnati.channels.v1+json";

/// The channels that an update service declares, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelList {
    /// The channels with their descriptions. None if a channel has no description.
    pub channels: BTreeMap<String, Option<Description>>,
}

/// What a channel is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The text, one paragraph.
    pub text: String,
    /// Whether it is derived from the channel's name, because the repository has no text.
    pub is_default: bool,
}

impl Description {
    /// None if the text has only white space.
    fn declared(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self { text: text.to_owned(), is_default: false })
    }

    /// The description that follows from the name.
    fn by_name(name: &str) -> Option<Self> {
        let text = ChannelName::parse(name)?.meaning()?;
        Some(Self { text, is_default: true })
    }

    /// The description in one line, without unprintable characters.
    pub(crate) fn line(&self) -> String {
        printable(&self.text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
    }
}

impl ChannelList {
    /// Channels of which only the names are known.
    pub(crate) fn by_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let entry = |name: &str| (name.to_owned(), Description::by_name(name));
        Self { channels: names.into_iter().map(entry).collect() }
    }

    /// Channels that are declared elsewhere than in a repository, with their texts.
    #[cfg(feature = "serve")]
    pub(crate) fn declared<'n>(
        channels: impl IntoIterator<Item = (&'n str, Option<&'n str>)>,
    ) -> Self {
        let entry = |(name, text): (&str, Option<&str>)| {
            let declared = text.and_then(Description::declared);
            (name.to_owned(), declared.or_else(|| Description::by_name(name)))
        };
        Self { channels: channels.into_iter().map(entry).collect() }
    }

    /// The description of a channel, if it is listed and has one.
    pub fn description(&self, name: &str) -> Option<&Description> {
        self.channels.get(name)?.as_ref()
    }

    /// The body that the service answers. Keys are sorted.
    pub fn body(&self) -> String {
        let entry = |(name, description): (&String, &Option<Description>)| {
            let text = description.as_ref().map(|description| &description.text);
            let entry = text.map_or_else(|| json!({}), |text| json!({ "description": text }));
            (name.clone(), entry)
        };
        let channels: Map<String, Value> = self.channels.iter().map(entry).collect();
        let defaults = self.channels.iter().filter(|(_, description)| {
            description.as_ref().is_some_and(|description| description.is_default)
        });
        let defaults: Vec<&String> = defaults.map(|(name, _)| name).collect();
        let body = json!({ "channels": channels, "defaultDescriptions": defaults });
        printable_json(&body.to_string()).into_owned()
    }
}
