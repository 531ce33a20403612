//! The form in which Red Hat publishes the life cycles of its products.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::Minor;
use crate::domain::time::parse_time;
use crate::text::Failure;

use super::{Phase, PhaseEnd, Phases};

#[derive(Deserialize)]
struct Published {
    data: Vec<Product>,
}

#[derive(Deserialize)]
struct Product {
    name: String,
    versions: Vec<PublishedVersion>,
}

#[derive(Deserialize)]
struct PublishedVersion {
    name: String,
    phases: Vec<PublishedPhase>,
}

#[derive(Deserialize)]
struct PublishedPhase {
    name: String,
    end_date: Option<String>,
    /// The end in older versions of the form.
    date: Option<String>,
}

pub(super) fn minors(text: &str) -> Result<BTreeMap<Minor, Phases>, Failure> {
    let published: Published =
        serde_json::from_str(text).map_err(|error| Failure::new(what_is_wrong(text, &error)))?;
    let mut minors: BTreeMap<Minor, Phases> = BTreeMap::new();
    let is_openshift = |product: &&Product| product.name.contains("OpenShift Container Platform");
    for version in published.data.iter().filter(is_openshift).flat_map(|one| &one.versions) {
        // `4.6 EUS` has the extended phases of 4.6.
        let name = version.name.split_whitespace().next().unwrap_or_default();
        let Some(minor) = Minor::parse(name) else { continue };
        let own = minors.entry(minor).or_default();
        for PublishedPhase { name, end_date, date } in &version.phases {
            let Some(end) = end_date.as_ref().or(date.as_ref()).and_then(|text| end(text)) else {
                continue;
            };
            match end {
                PhaseEnd::Day(day) if name == "General availability" => own.available = Some(day),
                end if name.to_lowercase().contains("support") => {
                    own.support.push(Phase { name: name.clone(), end });
                }
                _ => {}
            }
        }
    }
    minors.retain(|_, phases| !phases.support.is_empty());
    if minors.is_empty() {
        return Err(Failure::new("it has no phase of a minor version of OpenShift"));
    }
    Ok(minors)
}

fn what_is_wrong(text: &str, error: &serde_json::Error) -> String {
    match serde_json::from_str::<serde_json::Value>(text) {
        Err(_) => format!("it is not JSON: {error}"),
        Ok(value) if value.get("data").is_none() => "it has no `data`".to_owned(),
        Ok(_) => format!("it does not have the form of the product life cycle: {error}"),
    }
}

/// None if the phase does not exist.
pub(super) fn end(text: &str) -> Option<PhaseEnd> {
    let day = text.get(..10).filter(|day| parse_time(&format!("{day}T00:00:00Z")).is_some());
    match (day, text.trim()) {
        (Some(day), _) => Some(PhaseEnd::Day(day.to_owned())),
        (None, "" | "N/A") => None,
        (None, event) => Some(PhaseEnd::Event(event.to_owned())),
    }
}
