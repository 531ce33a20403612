//! The scenarios that come with exitpath.

use std::iter;

use crate::text::Failure;

use super::Scenario;

/// The file with all built-in cases.
const BUILT_IN: &str = include_str!("built_in.yaml");

/// All built-in cases, or the one with this name.
pub(crate) fn built_in(name: &str, seed: Option<u64>) -> Result<Scenario, Failure> {
    let mut scenario = Scenario::read(BUILT_IN, seed)?;
    if name == "all" {
        return Ok(scenario);
    }
    let channels = scenario.channels.iter().map(|channel| channel.name.as_str());
    let names: Vec<&str> = iter::once("all").chain(channels).collect();
    if !names.contains(&name) {
        return Err(Failure::unknown("scenario", name, names.iter().copied())
            .or_hint(format!("there are {}; a file has an extension", names.join(", "))));
    }
    scenario.channels.retain(|channel| channel.name == name);
    Ok(scenario)
}
