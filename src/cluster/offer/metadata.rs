//! A release of an answer, as the operator lists it.

use serde_json::Value as Json;

use super::super::answer::Node;
use super::super::go_url;
use super::super::object::Release;
use crate::graph::CHANNELS_KEY;
use crate::promql::quoted;

const ARCHITECTURE_KEY: &str = "release.openshift.io/architecture";

/// The release of a node, or what the operator says is wrong with its metadata.
pub(super) fn release(node: &Node) -> Result<Release, String> {
    let mut faults = Vec::new();
    let mut keep = |result: Result<String, String>| {
        result.unwrap_or_else(|words| {
            faults.push(words);
            String::new()
        })
    };
    let of = |key: &str| node.metadata.get(key);
    let url = of("url").map_or(String::new(), |value| keep(url(value)));
    let architecture =
        of(ARCHITECTURE_KEY).map_or(String::new(), |value| keep(architecture(value)));
    let channels = match of(CHANNELS_KEY).map(channels).transpose() {
        Ok(channels) => channels.unwrap_or_default(),
        Err(words) => {
            faults.push(words);
            Vec::new()
        }
    };
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let (version, image) = (node.version.to_string(), node.payload.clone());
    Ok(Release { architecture, version, image, url, channels })
}

fn url(value: &Json) -> Result<String, String> {
    let Json::String(text) = value else {
        return Err(format!("URL is not a string: {}", go_value(value)));
    };
    go_url::check(text).map_err(|words| format!("invalid release URL: {words}"))?;
    Ok(text.clone())
}

fn architecture(value: &Json) -> Result<String, String> {
    match value {
        Json::String(text) if text == "multi" => Ok("Multi".into()),
        Json::String(text) => {
            Err(format!("unrecognized {ARCHITECTURE_KEY} value {}", quoted(text)))
        }
        other => Err(format!("{ARCHITECTURE_KEY} is not a string: {}", go_value(other))),
    }
}

fn channels(value: &Json) -> Result<Vec<String>, String> {
    let Json::String(text) = value else {
        return Err(format!("{CHANNELS_KEY} is not a string: {}", go_value(value)));
    };
    if text.is_empty() {
        return Err(format!("{CHANNELS_KEY} is an empty string"));
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
    // The operator looks from the end.
    faults.reverse();
    if channels.is_empty() {
        faults.push(format!("no non-empty channels in {CHANNELS_KEY} []"));
    }
    channels.sort_unstable();
    if faults.is_empty() { Ok(channels) } else { Err(faults.join("\n")) }
}

/// A value as Go's `%v` writes it.
fn go_value(value: &Json) -> String {
    match value {
        Json::Null => "<nil>".into(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => number.as_f64().map_or_else(|| number.to_string(), go_number),
        Json::String(text) => text.clone(),
        Json::Array(items) => {
            format!("[{}]", items.iter().map(go_value).collect::<Vec<_>>().join(" "))
        }
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key}:{}", go_value(value)));
            format!("map[{}]", fields.collect::<Vec<_>>().join(" "))
        }
    }
}

/// A number as Go's `%v` writes it: with an exponent from 10²¹ on and below 10⁻⁴.
fn go_number(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) =
            exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    number.to_string()
}
