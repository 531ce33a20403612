//! Declares in which releases a risk is fixed.

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::scalar;
use crate::graph_data::{GraphData, ReleaseId};
use crate::origins::Spec;
use crate::text::Failure;
use crate::text::words::listed;

use super::fixed_in::{FIXED_IN, FixesByMinor, insert_fixed_in};
use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFile, RiskFiles};
use super::state::{RiskState, waiting};
use super::targets::note_on_unknown;

/// Which files say that a risk is fixed.
#[derive(Debug)]
pub(crate) struct Fixing<'a> {
    /// The first releases without the bug.
    pub fixes: &'a [Version],
    /// Only the files for these releases. Empty for the newest file before each fix, which is the
    /// one that the bot looks at.
    pub targets: &'a [Spec],
}

pub(crate) fn fix(data: &GraphData, name: &str, fixing: &Fixing<'_>) -> Result<Plan, Failure> {
    FixesByMinor::of(fixing.fixes)?;
    let risk = RiskFiles::of(data, name)?;
    let has_fix =
        |target: &Version| fixing.fixes.iter().any(|fix| Minor::of(fix) == Minor::of(target));
    if !fixing.targets.is_empty()
        && let Some(other) = risk.named(fixing.targets)?.iter().find(|file| !has_fix(file.target))
    {
        let what = format!("`--to` names {}, but no fix is of its minor version", other.to);
        return Err(Failure::new(what));
    }
    let mut planned = Vec::new();
    let mut notes = Vec::new();
    let mut targets = Vec::new();
    for fix in fixing.fixes {
        if data.releases.find(fix).is_none() {
            notes.push(note_on_unknown(data, fix)?);
        }
        let files = files_for(&risk, fix, fixing.targets)?;
        if files.iter().all(|file| says(file, fix)) {
            let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
            let say = if paths.len() == 1 { "says" } else { "say" };
            let paths = listed(&paths, "and");
            return Err(Failure::new(format!("{paths} {say} already that it is fixed in {fix}")));
        }
        for file in files {
            let mut lines = file.lines.clone();
            match &file.edge.fixed_in {
                Some(known) => {
                    if !says(file, fix) {
                        let known = &known.value;
                        notes.push(format!("{} said that it is fixed in {known}", file.path));
                    }
                    lines.set(FIXED_IN, &scalar(&text_of(fix)));
                }
                None => insert_fixed_in(&mut lines, &risk, fix),
            }
            targets.push(file.to);
            planned.push(PlannedFile::changed(file.path, file.text, lines.edited()));
        }
        notes.extend(releases_between(&risk, fix));
    }
    let texts: Vec<String> = fixing.fixes.iter().map(text_of).collect();
    let subject = risk.subject(&targets, &format!("Fixed in {}", listed(&texts, "and")));
    Ok(Plan::new(planned, subject).noting(notes))
}

fn says(file: &RiskFile<'_>, fix: &Version) -> bool {
    file.edge.fixed_in.as_ref().is_some_and(|known| *known.value == text_of(fix))
}

/// The files of the risk that say when it is fixed. Fails if a later release has the risk.
fn files_for<'r, 'd>(
    risk: &'r RiskFiles<'d>,
    fix: &Version,
    targets: &[Spec],
) -> Result<Vec<&'r RiskFile<'d>>, Failure> {
    let minor = Minor::of(fix);
    let is_of_minor = |file: &&RiskFile<'_>| Minor::of(file.target) == minor;
    let mut own = risk.files.iter().filter(is_of_minor);
    if let Some(later) = own.find(|file| file.target >= fix) {
        let what =
            format!("`{}` is declared for {}, so it is not fixed in {fix}", risk.name, later.to);
        return Err(Failure::new(what)
            .hint(format!("`exitpath risk drop {} {}` removes that file", risk.name, later.to)));
    }
    let files: Vec<&RiskFile<'_>> = if targets.is_empty() {
        risk.newest_promoted_before(fix).into_iter().collect()
    } else {
        risk.named(targets)?.into_iter().filter(is_of_minor).collect()
    };
    if !files.is_empty() {
        return Ok(files);
    }
    let minors = risk.files.iter().map(|file| Minor::of(file.target).to_string());
    let mut minors: Vec<String> = minors.collect();
    minors.dedup();
    let failure = if targets.is_empty() || !minors.contains(&minor.to_string()) {
        Failure::new(format!("`{}` is on no release of {minor} before {fix}", risk.name))
    } else {
        Failure::new(format!("`--to` names no release of {minor}, so {fix} belongs in no file"))
    };
    Err(failure.hint(format!("it is on releases of {}", listed(&minors, "and"))))
}

/// A note on releases between the last one with the risk and the fix.
fn releases_between(risk: &RiskFiles<'_>, fix: &Version) -> Option<String> {
    let states = waiting(risk.data, risk.name);
    let own = states.into_iter().find(|state| state.minor == Minor::of(fix))?;
    let RiskState::Waits(releases) = own.state else { return None };
    let is_before =
        |id: &ReleaseId| risk.data.releases.get(*id).version.cmp_precedence(fix).is_lt();
    let before: Vec<_> = releases.into_iter().filter(is_before).collect();
    if before.is_empty() {
        return None;
    }
    let all = risk.data.releases.in_ranges(&before);
    Some(format!(
        "{all} come before the fix and have no file of the risk: `exitpath risk extend` adds them"
    ))
}
