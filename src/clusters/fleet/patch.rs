//! What each cluster of a fleet needs for its next step to the goal, as patches of its
//! ClusterVersion. Nothing applies them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::cluster::Level;
use crate::cluster::object::{AcceptedRisk, DesiredUpdate};
use crate::domain::{Minor, version};
use crate::text::words::{counted, listed};
use crate::text::{Failure, printable};

use super::class::ClusterClass;
use super::goal::{GoalAnswer, GoalPath};
use super::tally::Fleet;

/// The most files.
const MOST: usize = 10_000;

#[derive(Serialize)]
struct Patch<'p> {
    spec: Spec<'p>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Spec<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    desired_update: Option<Desired>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Desired {
    Update(DesiredUpdate),
    #[serde(rename_all = "camelCase")]
    Risks {
        accept_risks: Vec<AcceptedRisk>,
    },
}

/// The patches of some clusters.
#[derive(Debug, Default)]
pub(crate) struct Patches {
    /// The texts by the names of their files.
    pub files: BTreeMap<String, String>,
    /// How many clusters have no patch, because it would request an update that is not recommended:
    /// their operators accept no risks by name, or cannot tell whether one affects them.
    pub by_hand: usize,
}

/// The patches of the clusters that have a path to the goal.
pub(crate) fn patches(fleet: &Fleet<'_>) -> Result<Patches, Failure> {
    let mut patches = Patches::default();
    for (name, class) in &fleet.names {
        let counted_class = &fleet.classes[*class];
        let Some(GoalAnswer::Path(path)) = &counted_class.outlook.goal else { continue };
        let needs_acceptance = !path.accept.is_empty() && !can_accept(&counted_class.class);
        if needs_acceptance || !path.cannot_tell.is_empty() {
            patches.by_hand += 1;
            continue;
        }
        let ClusterClass { version, channel, .. } = &counted_class.class;
        let name = name.as_deref().ok_or_else(|| {
            let what = format!("a cluster of {version} in {channel} has no name");
            Failure::new(what).hint("`--write` names the files after the clusters")
        })?;
        let text = patch(name, &counted_class.class, path)?;
        let files = &mut patches.files;
        if files.insert(file_name(name)?, text).is_some() {
            return Err(Failure::new(format!("two clusters have the name `{name}`")));
        }
        if files.len() > MOST {
            let most = counted(MOST, "file");
            return Err(Failure::new(format!("`--write` writes at most {most}")));
        }
    }
    Ok(patches)
}

fn can_accept(class: &ClusterClass) -> bool {
    let level = version::parse(&class.version).map(|version| Level::of(Minor::of(&version)));
    level.is_some_and(Level::can_accept_risks)
}

/// The file of a cluster's patch. Names come from outside, so a name that could be a path is
/// refused.
fn file_name(name: &str) -> Result<String, Failure> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    if name.len() <= 200 && name.chars().all(is_plain) && !name.starts_with(['.', '-']) {
        return Ok(format!("{name}.yaml"));
    }
    let failure = Failure::new(format!("no file can be named after the cluster `{name}`"));
    Err(failure.hint("`--write` takes names of ASCII letters, digits, `-`, `_`, and `.`"))
}

fn patch(name: &str, class: &ClusterClass, path: &GoalPath) -> Result<String, Failure> {
    let accepted = path.accept.iter();
    let accept_risks: Vec<_> = accepted.map(|name| AcceptedRisk { name: name.clone() }).collect();
    let channel = path.channels.first().filter(|channel| **channel != class.channel);
    // In another channel, the cluster must retrieve its updates first, and with accepted risks, it
    // must evaluate them again.
    let desired_update = match (channel, path.through.first()) {
        _ if !accept_risks.is_empty() => Some(Desired::Risks { accept_risks }),
        (None, Some(next)) => Some(Desired::Update(DesiredUpdate {
            version: next.clone(),
            ..DesiredUpdate::default()
        })),
        _ => None,
    };
    let spec = Spec { channel: channel.map(String::as_str), desired_update };
    let yaml = serde_yaml::to_string(&Patch { spec });
    let yaml = yaml.map_err(|error| Failure::new(format!("cannot write a patch: {error}")))?;
    let mut text = format!(
        "# From {} in {}: {}.\n",
        printable(&class.version),
        printable(&class.channel),
        printable(&path.through.join(", "))
    );
    if !path.accept.is_empty() {
        let risks: Vec<_> = path.accept.iter().map(|risk| printable(risk)).collect();
        let risks = listed(&risks, "and");
        let _ = writeln!(text, "# It accepts {risks}. Then the next update is recommended.");
    }
    if channel.is_some() {
        text += "# After this patch, the cluster retrieves the updates of its new channel.\n";
    }
    let _ = writeln!(
        text,
        "# oc patch clusterversion version --type merge --patch-file {name}.yaml\n{}",
        yaml.trim_end()
    );
    Ok(text)
}
