//! Channels for people.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::channel_list::{ChannelList, Description};
use crate::domain::channel_name::phase_rank;
use crate::domain::{ChannelName, Minor};
use crate::report::{Style, write_line};
use crate::text::printable;

use super::{NO_TEXT, marked};

/// Lists the channels of the newest minor first, and the usual phases before others.
pub(super) fn list(list: &ChannelList, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut names: Vec<&String> = list.channels.keys().collect();
    names.sort_by_key(|name| (Reverse(minor(name)), phase_rank(name), *name));
    let shown: Vec<_> = names.iter().map(|name| printable(name)).collect();
    let width = shown.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut before = None;
    for (name, shown) in names.iter().zip(&shown) {
        if before.is_some_and(|before| before != minor(name)) {
            writeln!(out)?;
        }
        before = Some(minor(name));
        let text = list.description(name).map_or_else(|| NO_TEXT.to_owned(), summary);
        let is_narrow = style.columns() < width + 42;
        let indent = if is_narrow { 2 } else { width + 2 };
        if is_narrow {
            writeln!(out, "{}", style.bold(shown))?;
            write_line(style, &format!("  {text}"), indent, out)?;
        } else {
            let padding = " ".repeat(indent - shown.chars().count());
            write_line(style, &format!("{}{padding}{text}", style.bold(shown)), indent, out)?;
        }
    }
    if names.is_empty() {
        return writeln!(out, "There are no channels.");
    }
    writeln!(out, "\n`exitpath channels NAME` shows one channel.")
}

/// One channel with its whole text.
pub(super) fn channel(
    name: &str,
    description: Option<&Description>,
    releases: Option<&str>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let releases = releases.map_or(String::new(), |releases| format!(": {releases}"));
    write_line(style, &format!("{}{releases}", style.bold(&printable(name))), 2, out)?;
    let text = |one: &Description| marked(&one.line(), one);
    let text = description.map_or_else(|| NO_TEXT.to_owned(), text);
    write_line(style, &format!("  {text}"), 2, out)
}

fn minor(name: &str) -> Option<Minor> {
    ChannelName::parse(name).map(|name| name.minor)
}

/// A declared text as a whole, or the first sentence of a default text, the rest of which every
/// phase repeats.
fn summary(description: &Description) -> String {
    let text = description.line();
    let end = text.find(". ").filter(|_| description.is_default);
    marked(end.map_or(text.as_str(), |end| &text[..=end]), description)
}
