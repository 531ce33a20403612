//! Changes the files of a risk at once.

use crate::domain::Version;
use crate::graph_data::{Affected, GraphData, Text};
use crate::origins::Spec;
use crate::text::Failure;
use crate::text::words::{listed, quoted};

use super::new_values::NewValues;
use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFile, RiskFiles};
use super::text::with_target;

/// The keys that all files of a risk must agree on.
const SHARED: [&str; 3] = ["url", "message", "matchingRules"];

/// New values for the files of a risk.
#[derive(Debug, Default)]
pub(crate) struct Spread<'a> {
    /// The release whose file has the right text. The others get its lines.
    pub like: Option<&'a Version>,
    pub values: NewValues<'a>,
    /// Only the files for these releases. Empty for all.
    pub targets: &'a [Spec],
}

pub(crate) fn spread(data: &GraphData, name: &str, spread: &Spread<'_>) -> Result<Plan, Failure> {
    let risk = RiskFiles::of(data, name)?;
    let files = risk.named(spread.targets)?;
    let model = spread.like.map(|like| risk.for_release(like)).transpose()?;
    let names_targets = risk.messages_name_targets();
    let mut planned = Vec::new();
    let mut changed: Vec<&str> = Vec::new();
    for file in &files {
        let mut lines = file.lines.clone();
        let mut keys = spread.values.write(&mut lines);
        if let Some(model) = model.filter(|model| model.path != file.path) {
            for key in SHARED {
                let Some(mut new) = model.lines.lines(key).map(str::to_owned) else { continue };
                let is_same = if key == "message" && names_targets {
                    new = with_target(&new, model.to, file.to);
                    file.lines.lines(key) == Some(&new)
                } else {
                    say_the_same(file, model, key)
                };
                if !is_same {
                    lines.set_lines(key, &new);
                    keys.push(key);
                }
            }
        }
        keys.retain(|key| !changed.contains(key));
        changed.append(&mut keys);
        planned.push(PlannedFile::changed(file.path, file.text, lines.edited()));
    }
    let targets: Vec<&str> = files.iter().map(|file| file.to).collect();
    let what = format!("Change {}", listed(&quoted(&changed), "and"));
    let plan = Plan::new(planned, risk.subject(&targets, &what));
    if plan.files.is_empty() {
        return Err(Failure::new(format!("all files of `{name}` say this already")));
    }
    Ok(plan)
}

/// Whether two files have the same value of a key, and the same comments in it. Their notations may
/// differ.
fn say_the_same(one: &RiskFile<'_>, other: &RiskFile<'_>, key: &str) -> bool {
    let comments = |file: &RiskFile<'_>| -> Vec<String> {
        let lines = file.lines.lines(key).unwrap_or_default().lines();
        lines.map(str::trim).filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    let text = |file: &RiskFile<'_>| match key {
        "url" => file.edge.url.as_ref().map(|url| url.value.to_string()),
        _ => file.edge.message.as_ref().map(|message| message.value.trim_end().to_owned()),
    };
    let rules = |file: &RiskFile<'_>| match &file.edge.affected {
        Affected::MatchingRules(rules) => rules
            .iter()
            .map(|rule| {
                let text =
                    |text: &Option<Text>| text.as_ref().map(|one| one.value.trim_end().to_owned());
                (text(&rule.kind), text(&rule.query))
            })
            .collect(),
        Affected::Everyone | Affected::Clusters { .. } => Vec::new(),
    };
    let is_same = match key {
        "matchingRules" => rules(one) == rules(other),
        _ => text(one) == text(other),
    };
    is_same && comments(one) == comments(other)
}
