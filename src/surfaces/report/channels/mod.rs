//! The report of `channels`: what each channel is for.

mod human;
mod objects;

use std::io::{self, Write};

use crate::channel_list::{ChannelList, Description};
use crate::domain::Format;
use crate::report::printed::{Printed, Writer};

use super::Style;
pub(crate) use objects::{
    is_object_name, known_objects, write_channel_definition, write_channel_objects, write_condition,
};

/// Channels, and what each is for.
#[derive(Debug)]
pub(crate) struct ChannelsReport<'a> {
    pub list: &'a ChannelList,
    /// The requested channel, if only one is, with its releases in words, if they are known.
    pub only: Option<(&'a str, Option<String>)>,
}

impl Printed for ChannelsReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => Self::write_human,
            Format::Json => |report, _, out| writeln!(out, "{}", report.list.body()),
            _ => return None,
        };
        Some(writer)
    }
}

impl ChannelsReport<'_> {
    fn write_human(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let Some((name, releases)) = &self.only else {
            return human::list(self.list, style, out);
        };
        human::channel(name, self.list.description(name), releases.as_deref(), style, out)
    }
}

const NO_TEXT: &str = "(no description)";
const DEFAULT: &str = "(default text)";

/// A description, with a mark if it is a default.
fn marked(text: &str, description: &Description) -> String {
    if description.is_default { format!("{text} {DEFAULT}") } else { text.to_owned() }
}
