//! Continues a risk on more releases.

use std::collections::BTreeSet;

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::graph_data::GraphData;
use crate::origins::Spec;
use crate::text::Failure;
use crate::text::words::listed;

use super::declare::is_last_of_minor;
use super::default_origins::default_origins;
use super::fixed_in::{FIXED_IN, FixesByMinor, insert_fixed_in};
use super::new_values::NewValues;
use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFile, RiskFiles, paths};
use super::state::{RiskState, waiting};
use super::targets::Targets;
use super::text::with_target;

/// How to continue a risk.
#[derive(Debug)]
pub(crate) struct Extension<'a> {
    /// The releases. Empty for all that wait.
    pub targets: &'a [Spec],
    pub pre_releases: bool,
    /// The release whose file is copied. None for the release before.
    pub like: Option<&'a Version>,
    pub values: NewValues<'a>,
    /// The releases in which it is fixed.
    pub fixed_in: &'a [Version],
    /// Whether files may no longer say that it is fixed before the new targets.
    pub reopens: bool,
}

pub(crate) fn extend(
    data: &GraphData,
    name: &str,
    extension: &Extension<'_>,
) -> Result<Plan, Failure> {
    let risk = RiskFiles::of(data, name)?;
    let mut fixes = FixesByMinor::of(extension.fixed_in)?;
    let targets = if extension.targets.is_empty() {
        all_that_wait(&risk)?
    } else {
        Targets::named(data, extension.targets, extension.pre_releases)?
    };
    let mut targets = targets.before(&fixes);
    if let Some(twice) = targets.single.iter().find(|target| risk.is_on(target)) {
        return Err(Failure::new(format!("`{name}` is already declared for {twice}")));
    }
    targets.releases.retain(|target| !risk.is_on(target));
    if targets.releases.is_empty() {
        let what = format!("`{name}` is already declared for all of these releases");
        return Err(Failure::new(what));
    }
    let taken = paths(data);
    let model = extension.like.map(|like| risk.for_release(like)).transpose()?;
    let names_targets = extension.values.message.is_none() && risk.messages_name_targets();
    let mut planned = Vec::new();
    for target in &targets.releases {
        let source = model.unwrap_or_else(|| risk.nearest(target));
        planned.extend(reopened(&risk, target, extension.reopens)?);
        let mut lines = source.lines.clone();
        let to = text_of(target);
        lines.set("to", &to);
        if names_targets {
            lines.rewrite("message", |message| with_target(message, source.to, &to));
        }
        let is_of_minor = Minor::of(source.target) == Minor::of(target);
        let default = (extension.values.from.is_none() && !is_of_minor)
            .then(|| default_origins(data, &all_targets(&risk, &targets), target))
            .transpose()?;
        let from = extension.values.from.or(default.as_deref());
        NewValues { from, ..extension.values }.write(&mut lines);
        lines.remove(FIXED_IN);
        let is_last = is_last_of_minor(&targets.releases, target);
        let fix = if is_last { fixes.take(target)? } else { None };
        if let Some(fix) = &fix {
            insert_fixed_in(&mut lines, &risk, fix);
        }
        let path = source.path.replacen(source.to, &to, 1);
        if path == source.path || taken.contains(path.as_str()) {
            return Err(Failure::new(format!("there is already a file {path}")));
        }
        planned.push(PlannedFile::created(path, lines.edited()));
    }
    fixes.check_taken()?;
    let names: Vec<String> = targets.releases.iter().map(text_of).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let subject = subject(&risk, &names, extension.fixed_in);
    Ok(Plan::new(planned, subject).noting(targets.notes))
}

fn subject(risk: &RiskFiles<'_>, targets: &[&str], fixed_in: &[Version]) -> String {
    let fixes: Vec<String> = fixed_in.iter().map(text_of).collect();
    match (targets, fixes.as_slice()) {
        ([_], []) => risk.subject(targets, "Not fixed yet"),
        ([_], fixes) => risk.subject(targets, &format!("Fixed in {}", listed(fixes, "and"))),
        (several, _) => risk.subject(several, &format!("Extend to {}", listed(several, "and"))),
    }
}

/// The releases that wait, except those of minors that are long past.
fn all_that_wait(risk: &RiskFiles<'_>) -> Result<Targets, Failure> {
    let mut targets = Targets::default();
    for state in waiting(risk.data, risk.name) {
        let RiskState::Waits(releases) = &state.state else { continue };
        if state.is_long_past {
            let all = risk.data.releases.in_ranges(releases);
            targets.notes.push(format!(
                "{all} of {} wait for long: name them if they need the risk",
                state.minor
            ));
            continue;
        }
        let versions = releases.iter().map(|id| risk.data.releases.get(*id).version.clone());
        targets.releases.extend(versions);
    }
    if targets.releases.is_empty() {
        let failure = Failure::new(format!("no release waits for `{}`", risk.name));
        return Err(failure.hint_if_any(targets.notes.first().cloned()));
    }
    Ok(targets)
}

/// The targets that the risk has, and will have.
fn all_targets(risk: &RiskFiles<'_>, new: &Targets) -> BTreeSet<Version> {
    let known = risk.files.iter().map(|file| file.target.clone());
    known.chain(new.releases.iter().cloned()).collect()
}

/// A new target refutes the files of its minor that say that the risk is fixed before it or in it.
/// The new texts of these files, without `fixedIn`. Fails if there are some and `reopens` is false.
fn reopened(
    risk: &RiskFiles<'_>,
    target: &Version,
    reopens: bool,
) -> Result<Vec<PlannedFile>, Failure> {
    let refuted = |file: &&RiskFile<'_>| {
        let fixed = super::fixed_in_version(file.edge);
        Minor::of(file.target) == Minor::of(target)
            && fixed.is_some_and(|fixed| fixed <= *target && file.target < target)
    };
    let files: Vec<&RiskFile<'_>> = risk.files.iter().filter(refuted).collect();
    let Some(file) = files.first() else { return Ok(Vec::new()) };
    if !reopens {
        let fixed = file.edge.fixed_in.as_ref().map_or("", |fixed| &fixed.value);
        let what = format!("{} says that `{}` is fixed in {fixed}", file.path, risk.name);
        return Err(Failure::new(what)
            .hint(format!("if {target} has the bug, too, `--reopen` removes that `fixedIn`")));
    }
    let without = |file: &&RiskFile<'_>| {
        let mut lines = file.lines.clone();
        lines.remove(FIXED_IN);
        PlannedFile::changed(file.path, file.text, lines.edited())
    };
    Ok(files.iter().map(without).collect())
}
