//! A release of an answer, as the operator lists it.

use serde_json::Value as Json;

use super::super::answer::Node;
use super::super::object::Release;
use crate::go::{self, quoted, shown, url};
use crate::graph::CHANNELS_KEY;

const ARCHITECTURE_KEY: &str = "release.openshift.io/architecture";

/// Reads the release of a node. The error is what the operator says about its metadata.
pub(super) fn release(node: &Node) -> Result<Release, go::Error> {
    let mut faults = Vec::new();
    let mut keep = |result: Result<String, go::Error>| {
        result.unwrap_or_else(|error| {
            faults.push(error.to_string());
            String::new()
        })
    };
    let of = |key: &str| node.metadata.get(key);
    let url = of("url").map_or(String::new(), |value| keep(url(value)));
    let architecture =
        of(ARCHITECTURE_KEY).map_or(String::new(), |value| keep(architecture(value)));
    let channels = match of(CHANNELS_KEY).map(channels).transpose() {
        Ok(channels) => channels.unwrap_or_default(),
        Err(error) => {
            faults.push(error.to_string());
            Vec::new()
        }
    };
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    let (version, image) = (node.version.to_string(), node.payload.clone());
    Ok(Release { architecture, version, image, url, channels })
}

fn url(value: &Json) -> Result<String, go::Error> {
    let Json::String(text) = value else {
        return Err(format!("URL is not a string: {}", shown(value)).into());
    };
    url::check(text).map_err(|words| format!("invalid release URL: {words}"))?;
    Ok(text.clone())
}

fn architecture(value: &Json) -> Result<String, go::Error> {
    match value {
        Json::String(text) if text == "multi" => Ok("Multi".into()),
        Json::String(text) => {
            Err(format!("unrecognized {ARCHITECTURE_KEY} value {}", quoted(text)).into())
        }
        other => Err(format!("{ARCHITECTURE_KEY} is not a string: {}", shown(other)).into()),
    }
}

fn channels(value: &Json) -> Result<Vec<String>, go::Error> {
    let Json::String(text) = value else {
        return Err(format!("{CHANNELS_KEY} is not a string: {}", shown(value)).into());
    };
    if text.is_empty() {
        return Err(format!("{CHANNELS_KEY} is an empty string").into());
    }
    let mut channels = Vec::new();
    let mut faults = Vec::new();
    for (place, channel) in text.split(',').enumerate() {
        if channel.is_empty() {
            let text = quoted(text);
            faults.push(format!("{CHANNELS_KEY} entry {place} is an empty string: {text}"));
        } else {
            channels.push(channel.to_owned());
        }
    }
    // The operator checks in reverse order.
    faults.reverse();
    if channels.is_empty() {
        faults.push(format!("no non-empty channels in {CHANNELS_KEY} []"));
    }
    channels.sort_unstable();
    if faults.is_empty() { Ok(channels) } else { Err(faults.join("\n").into()) }
}
