//! The report of `channels`: what each channel is for.

mod human;
mod objects;

use std::io::{self, Write};

use crate::channel_list::{ChannelList, Description};
use crate::domain::Named;

use super::Style;
pub(crate) use objects::{
    is_object_name, known_objects, write_channel_definition, write_channel_objects, write_condition,
};

/// Channels, and what each is for.
#[derive(Debug)]
pub(crate) struct ChannelsReport<'a> {
    pub list: &'a ChannelList,
    /// The one channel that is asked for, with its releases in words, if they are known.
    pub only: Option<(&'a str, Option<String>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChannelsFormat {
    Human,
    Json,
}

impl Named for ChannelsFormat {
    const ALL: &'static [Self] = &[Self::Human, Self::Json];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }
}

impl ChannelsReport<'_> {
    pub(crate) fn write(
        &self,
        format: ChannelsFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match (format, &self.only) {
            (ChannelsFormat::Json, _) => writeln!(out, "{}", self.list.body()),
            (ChannelsFormat::Human, None) => human::list(self.list, style, out),
            (ChannelsFormat::Human, Some((name, releases))) => {
                let description = self.list.description(name);
                human::channel(name, description, releases.as_deref(), style, out)
            }
        }
    }
}

const NO_TEXT: &str = "(no description)";
const DEFAULT: &str = "(default text)";

/// A text with a mark if it is a default.
fn marked(text: &str, description: &Description) -> String {
    if description.is_default { format!("{text} {DEFAULT}") } else { text.to_owned() }
}
