//! Limits of Kubernetes that prevent storing the object.

use std::collections::BTreeSet;

use super::super::object::ConditionalUpdate;
use super::Stored;
use crate::text::words::counted;

const MOST_UPDATES: usize = 500;
const MOST_RISKS: usize = 200;
const MOST_NAMES: usize = 1_000;

impl Stored {
    /// Why Kubernetes refuses the object. If it does, the operator retries forever, and the object
    /// stays as it was.
    pub fn refusals(&self) -> Vec<String> {
        let mut found = Vec::new();
        let updates = self.conditional_updates.len();
        if updates > MOST_UPDATES {
            found.push(format!(
                "{} with risks, but at most {MOST_UPDATES} are allowed",
                counted(updates, "update")
            ));
        }
        let names = self.conditional_update_risks.as_ref().map_or(0, Vec::len);
        if names > MOST_NAMES {
            let names = counted(names, "risk");
            found.push(format!("{names} in all, but at most {MOST_NAMES} are allowed"));
        }
        for update in &self.conditional_updates {
            let version = &update.release.version;
            found.extend(faults(update).into_iter().map(|fault| format!("{version}: {fault}")));
        }
        found
    }
}

fn faults(update: &ConditionalUpdate) -> Vec<String> {
    let risks = update.risks.as_deref().unwrap_or_default();
    let mut found = Vec::new();
    if risks.is_empty() {
        found.push("an update needs at least one risk".to_owned());
    }
    if risks.len() > MOST_RISKS {
        let risks = counted(risks.len(), "risk");
        found.push(format!("{risks}, but at most {MOST_RISKS} are allowed"));
    }
    let mut names = BTreeSet::new();
    for risk in risks {
        let name = &risk.name;
        for (key, text) in [("name", name), ("message", &risk.message), ("url", &risk.url)] {
            if text.is_empty() {
                found.push(format!("a risk needs a `{key}`"));
            }
        }
        if !names.insert(name) {
            found.push(format!("the risk `{name}` is listed twice"));
        }
    }
    found
}
