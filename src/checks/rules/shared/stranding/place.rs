//! The place of a finding about stranded releases.

use crate::analysis::StrandedBy;
use crate::change::Effect;
use crate::graph::Declaration;
use crate::graph_data::{Channel, GraphData};
use crate::rules::Place;
use crate::text::SourceId;

use super::Stranding;

impl Stranding<'_> {
    /// The place of a declaration that closes an update of the releases, preferably in a file that
    /// `is_new`. If there is none, the newest release's line in its channel.
    pub(in crate::checks::rules) fn place(
        &self,
        data: &GraphData,
        is_new: impl Fn(SourceId) -> bool,
    ) -> Place {
        // If a release joins a channel, its line in the channel is the cause.
        if matches!(self.effect, Some(Effect::DeadEnd | Effect::ConditionalOnly)) {
            return self.place_in_channel(data);
        }
        let declarations = &self.simulation.graph.declarations;
        let risk = self.risk();
        let is_blamed =
            |declaration: &&Declaration| risk.is_none() || declaration.name.as_deref() == risk;
        let own: Vec<&Declaration> =
            self.declarations().iter().map(|id| &declarations[*id]).collect();
        let own = || own.iter().copied().filter(is_blamed);
        let all = || declarations.iter().rev().filter(is_blamed).filter(|_| risk.is_some());
        let is_new = |declaration: &&Declaration| is_new(declaration.to.source);
        // A new block of another release may have closed the only path.
        let new_blocks = || declarations.iter().filter(|one| one.is_block() && risk.is_none());
        let found = own().find(is_new).or_else(|| all().find(is_new));
        let found = found.or_else(|| new_blocks().find(is_new));
        let found = found.or_else(|| own().next()).or_else(|| all().next());
        found
            .filter(|_| self.by != StrandedBy::ManyRisks)
            .map_or_else(|| self.place_in_channel(data), |declaration| Place::Text(declaration.to))
    }

    fn place_in_channel(&self, data: &GraphData) -> Place {
        let (channels, versions) = (self.channels(), self.versions());
        let Some((name, version)) = channels.first().zip(versions.last()) else {
            return Place::Absent("channels".to_owned());
        };
        let is_it = |channel: &&Channel| channel.public && channel.name() == *name;
        let Some(channel) = data.channels.iter().find(is_it) else {
            return Place::Absent(format!("channels/{name}.yaml"));
        };
        let mut members = channel.versions.iter();
        let member = members.find(|member| member.text.value == **version);
        member.map_or(Place::File(channel.file), |member| Place::Text(member.text.span))
    }
}
