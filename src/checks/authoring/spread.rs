//! Changes the files of a risk at once.

use crate::domain::Version;
use crate::domain::version::text_of;
use crate::edit::scalar;
use crate::graph_data::{Affected, GraphData, Text};
use crate::origins::Spec;
use crate::text::Failure;
use crate::text::words::{listed, quoted};

use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFile, RiskFiles};
use super::text::{RiskRules, message_value, rules_lines};

/// The keys that all files of a risk must agree on.
const SHARED: [&str; 3] = ["url", "message", "matchingRules"];

/// New values for the files of a risk.
#[derive(Debug, Default)]
pub(crate) struct Spread<'a> {
    /// The release whose file has the right text. The others get its lines.
    pub like: Option<&'a Version>,
    pub url: Option<&'a str>,
    pub message: Option<&'a str>,
    pub rules: Option<RiskRules<'a>>,
    /// The pattern of origins.
    pub from: Option<&'a str>,
    /// Only the files for these releases. Empty for all.
    pub targets: &'a [Spec],
}

pub(crate) fn spread(data: &GraphData, name: &str, spread: &Spread<'_>) -> Result<Plan, Failure> {
    let risk = RiskFiles::of(data, name)?;
    let files = risk.named(spread.targets)?;
    let model = spread.like.map(|like| model(&risk, like)).transpose()?;
    let mut planned = Vec::new();
    let mut changed: Vec<&str> = Vec::new();
    for file in &files {
        let mut lines = file.lines.clone();
        let mut set = |key: &'static str, value: &str| {
            lines.set(key, value);
            if !changed.contains(&key) {
                changed.push(key);
            }
        };
        if let Some(url) = spread.url {
            set("url", &scalar(url));
        }
        if let Some(message) = spread.message {
            set("message", &message_value(message));
        }
        if let Some(from) = spread.from {
            set("from", &scalar(from));
        }
        if let Some(rules) = spread.rules {
            lines.set_lines("matchingRules", &rules_lines(rules));
            if !changed.contains(&"matchingRules") {
                changed.push("matchingRules");
            }
        }
        for key in SHARED.iter().filter(|_| model.is_some_and(|model| model.path != file.path)) {
            let Some(new) = model.and_then(|model| model.lines.lines(key)) else { continue };
            if model.is_some_and(|model| !say_the_same(file, model, key)) {
                lines.set_lines(key, new);
                if !changed.contains(key) {
                    changed.push(key);
                }
            }
        }
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

/// The file with the right text.
fn model<'r, 'd>(risk: &'r RiskFiles<'d>, like: &Version) -> Result<&'r RiskFile<'d>, Failure> {
    risk.files.iter().find(|file| file.target == like).ok_or_else(|| {
        let failure =
            Failure::new(format!("`{}` is not declared for {}", risk.name, text_of(like)));
        failure.did_you_mean_release(&text_of(like), risk.files.iter().map(|file| file.to))
    })
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
