//! Declares a new risk.

use std::collections::BTreeSet;
use std::ops::Bound;

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::{KeyLines, scalar};
use crate::graph_data::GraphData;
use crate::origins::Spec;
use crate::text::Failure;
use crate::text::words::listed;
use crate::yaml::{self, Document};

use super::default_origins::default_origins;
use super::fixed_in::{FIXED_IN, FixesByMinor};
use super::plan::{Plan, PlannedFile};
use super::rename::check_new_name;
use super::risk_files::{paths, subject};
use super::targets::Targets;
use super::text::{RiskRules, message_value, rules_lines};

/// A new risk.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    pub template: &'a RiskTemplate,
    pub targets: &'a [Spec],
    pub pre_releases: bool,
    /// The pattern of origins. None for that of the template, or else for the releases that do not
    /// have the bug yet.
    pub from: Option<&'a str>,
    pub fixed_in: &'a [Version],
}

/// The file of a risk as the user gives it. `to`, `from`, and `fixedIn` can be missing.
#[derive(Debug)]
pub(crate) struct RiskTemplate {
    pub name: String,
    has_from: bool,
    text: String,
}

pub(crate) fn declare(data: &GraphData, risk: &Declaration<'_>) -> Result<Plan, Failure> {
    let template = risk.template;
    check_new_name(data, &template.name, None)?;
    let mut fixes = FixesByMinor::of(risk.fixed_in)?;
    let targets = Targets::named(data, risk.targets, risk.pre_releases)?.before(&fixes);
    if targets.releases.is_empty() {
        return Err(Failure::new("no release of the channels is among these targets"));
    }
    let taken = paths(data);
    let mut planned = Vec::new();
    for target in &targets.releases {
        let from = match risk.from {
            Some(pattern) => Some(pattern.to_owned()),
            None if template.has_from => None,
            None => Some(default_origins(data, &targets.releases, target)?),
        };
        let is_last = is_last_of_minor(&targets.releases, target);
        let fix = if is_last { fixes.take(target)? } else { None };
        let to = text_of(target);
        let path = format!("blocked-edges/{to}-{}.yaml", template.name);
        if taken.contains(path.as_str()) {
            return Err(Failure::new(format!("there is already a file {path}")));
        }
        let text = template.with(&to, from.as_deref(), fix.as_ref())?;
        planned.push(PlannedFile::created(path, text));
    }
    fixes.check_taken()?;
    let names: Vec<String> = targets.releases.iter().map(text_of).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = Plan::new(planned, subject(&template.name, &names, "Declare risk"));
    Ok(plan.noting(targets.notes))
}

/// Whether no later one of some releases is of the same minor.
pub(super) fn is_last_of_minor(releases: &BTreeSet<Version>, one: &Version) -> bool {
    let mut later = releases.range::<Version, _>((Bound::Excluded(one), Bound::Unbounded));
    later.next().is_none_or(|next| Minor::of(next) != Minor::of(one))
}

impl RiskTemplate {
    /// The text of a risk in the form that most files have.
    pub(crate) fn new(name: &str, url: &str, message: &str, rules: RiskRules<'_>) -> Self {
        let text = format!(
            "url: {}\nname: {}\nmessage: {}\n{}",
            scalar(url),
            scalar(name),
            message_value(message),
            rules_lines(rules)
        );
        Self { name: name.to_owned(), has_from: false, text }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let document = parsed(text)?;
        let lines = KeyLines::of(text, &document).map_err(unusable)?;
        let missing: Vec<&str> = ["name", "url", "message", "matchingRules"]
            .into_iter()
            .filter(|key| !lines.has(key))
            .collect();
        if !missing.is_empty() {
            return Err(unusable(&format!("it lacks {}", listed(&missing, "and"))));
        }
        let name = document.top("name").and_then(|node| document.text(node));
        let name = name.ok_or_else(|| unusable("its `name` is not a text"))?.to_owned();
        Ok(Self { name, has_from: lines.has("from"), text: text.to_owned() })
    }

    /// The text for a target. Without `from`, it has the `from` of the template. Without `fix`, it
    /// has no `fixedIn`.
    fn with(&self, to: &str, from: Option<&str>, fix: Option<&Version>) -> Result<String, Failure> {
        let document = parsed(&self.text)?;
        let mut lines = KeyLines::of(&self.text, &document).map_err(unusable)?;
        if from.is_some() {
            lines.set_comment("from", None);
        }
        let fix = fix.map(text_of);
        // Keys that the template lacks go to the top, in the order that files usually have.
        let mut first = String::new();
        for (key, value) in [("to", Some(to)), ("from", from), (FIXED_IN, fix.as_deref())] {
            match value {
                Some(value) if lines.has(key) => lines.set_unless_same(key, value),
                Some(value) if key == FIXED_IN && lines.has("from") => {
                    lines.insert_after("from", &format!("{key}: {}\n", scalar(value)));
                }
                Some(value) => first.extend([key, ": ", &scalar(value), "\n"]),
                None if key == FIXED_IN => lines.remove(key),
                None => {}
            }
        }
        if lines.has("to") {
            lines.insert_after("to", &first);
        } else {
            lines.insert_first(&first);
        }
        Ok(lines.edited())
    }
}

fn parsed(text: &str) -> Result<Document, Failure> {
    yaml::parse(text).map_err(|error| {
        let before = text.get(..error.offset).unwrap_or(text);
        unusable(&format!("its line {} is not YAML", before.split('\n').count()))
    })
}

fn unusable(why: &str) -> Failure {
    Failure::new(format!("the template is not usable: {why}"))
}
