//! A simulation, in words and for programs.

mod human;
mod json;
mod markdown;

use std::io::{self, Write};

use crate::analysis::{Cause, Goal, Removal, Simulated, Simulation, Stranded};

use super::{Severity, Style};

/// What a simulation has to say.
#[derive(Debug)]
pub struct SimulationReport<'a> {
    /// What was found.
    pub simulation: &'a Simulation<'a>,
    /// Which risks were taken to affect a cluster.
    pub removal: &'a Removal,
    /// Where the updates come from.
    pub source: &'a str,
    /// What is to be known of that.
    pub notes: &'a [String],
    /// How many updates are uncertain.
    pub uncertain: usize,
    /// Which releases were judged, in words.
    pub judged: String,
}

/// The formats of a simulation's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulationFormat {
    /// For a terminal.
    Human,
    /// For programs; `exitpath schema simulation` describes it.
    Json,
    /// For a pull request.
    Markdown,
}

impl SimulationReport<'_> {
    /// Writes the report in one format.
    pub fn write(
        &self,
        format: SimulationFormat,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            SimulationFormat::Human => human::write(self, style, out),
            SimulationFormat::Json => json::write(self, out),
            SimulationFormat::Markdown => markdown::write(self, out),
        }
    }

    /// How bad the worst of it is.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        let found = self.simulation.channels.iter().flat_map(|channel| &channel.stranded);
        found.map(|stranded| self.severity(stranded)).max()
    }

    /// How bad it is that a release is stranded: no cluster escapes what is so by the graph, or by
    /// risks that affect every cluster; the rest is so for clusters that all risks affect.
    fn severity(&self, stranded: &Stranded) -> Severity {
        let is_always =
            |set: &Vec<u32>| set.iter().all(|risk| self.simulation.names.is_always(*risk));
        let is_for_all = stranded.cause == Cause::Graph || stranded.sets.iter().any(is_always);
        if stranded.is_certain && is_for_all { Severity::Error } else { Severity::Warning }
    }

    /// The channels in which somebody is stranded.
    fn affected(&self) -> impl Iterator<Item = &Simulated> {
        self.simulation.channels.iter().filter(|channel| !channel.stranded.is_empty())
    }

    fn names(&self, ids: &[u32]) -> Vec<&str> {
        ids.iter().map(|id| self.simulation.names.name(*id)).collect()
    }
}

/// What one or several releases cannot reach, in words.
fn goal_in_words(goal: Goal, minor: Option<&str>, several: bool) -> String {
    match (goal, minor) {
        (Goal::Any, _) if several => "have no exit at all".to_owned(),
        (Goal::Any, _) => "has no exit at all".to_owned(),
        (Goal::Patch, _) if several => "cannot reach the newest patch of their minor".to_owned(),
        (Goal::Patch, _) => "cannot reach the newest patch of its minor".to_owned(),
        (Goal::Minor, Some(minor)) => format!("cannot reach {minor}"),
        (Goal::Minor, None) => "cannot reach the channel's minor".to_owned(),
    }
}

/// The minor in a channel's name.
fn minor_of(channel: &str) -> Option<&str> {
    channel.split_once('-').map(|(_, minor)| minor)
}
