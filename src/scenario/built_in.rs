//! The scenarios that come with exitpath.

use super::Scenario;

/// The file with all built-in cases.
const BUILT_IN: &str = include_str!("built_in.yaml");

/// All built-in cases, or the one with this name. The error is a list of all names.
pub(crate) fn built_in(name: &str, seed: Option<u64>) -> Result<Scenario, Vec<String>> {
    let mut scenario = Scenario::read(BUILT_IN, seed).map_err(|why| vec![why])?;
    if name == "all" {
        return Ok(scenario);
    }
    let names = || scenario.channels.iter().map(|channel| channel.name.clone());
    if !names().any(|known| known == name) {
        return Err(["all".to_owned()].into_iter().chain(names()).collect());
    }
    scenario.channels.retain(|channel| channel.name == name);
    Ok(scenario)
}
