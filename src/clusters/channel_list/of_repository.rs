//! The list of the channels in a repository.

use crate::domain::channel_name::is_servable;
use crate::graph_data::{Channel, GraphData, LoadVerdict};

use super::{ChannelList, Description};

impl ChannelList {
    /// The public channels that the service loads and that clusters can request. If several files
    /// have the same name, the first one with a description counts.
    pub fn of(data: &GraphData) -> Self {
        let mut list = Self::default();
        for channel in data.channels.iter().filter(|channel| is_listed(data, channel)) {
            let declared = channel.description.as_ref();
            let declared = declared.and_then(|text| Description::declared(&text.value));
            let known = list.channels.entry(channel.name().to_owned()).or_default();
            *known = known.take().or(declared);
        }
        for (name, description) in &mut list.channels {
            *description = description.take().or_else(|| Description::by_name(name));
        }
        list
    }
}

fn is_listed(data: &GraphData, channel: &Channel) -> bool {
    let name = channel.name.as_ref().filter(|name| is_servable(&name.value));
    channel.public && name.is_some() && data.file(channel.file).verdict == LoadVerdict::Loads
}
