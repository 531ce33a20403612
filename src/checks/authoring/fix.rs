//! Declares in which releases a risk is fixed.

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::scalar;
use crate::graph_data::{GraphData, ReleaseId};
use crate::text::Failure;
use crate::text::words::listed;

use super::fixed_in::{FIXED_IN, FixesByMinor, insert_fixed_in};
use super::plan::{Plan, PlannedFile};
use super::risk_files::{RiskFile, RiskFiles};
use super::state::{RiskState, waiting};
use super::targets::note_on_unknown;

/// Writes a `fixedIn` into the newest file of each minor that the bot looks at.
pub(crate) fn fix(data: &GraphData, name: &str, fixes: &[Version]) -> Result<Plan, Failure> {
    FixesByMinor::of(fixes)?;
    let risk = RiskFiles::of(data, name)?;
    let mut planned = Vec::new();
    let mut notes = Vec::new();
    let mut targets = Vec::new();
    for fix in fixes {
        if data.releases.find(fix).is_none() {
            notes.push(note_on_unknown(data, fix)?);
        }
        let file = file_for(&risk, fix)?;
        let mut lines = file.lines.clone();
        match &file.edge.fixed_in {
            Some(known) if *known.value == text_of(fix) => {
                let what = format!("{} says already that it is fixed in {fix}", file.path);
                return Err(Failure::new(what));
            }
            Some(known) => {
                notes.push(format!("{} said that it is fixed in {}", file.path, known.value));
                lines.set(FIXED_IN, &scalar(&text_of(fix)));
            }
            None => insert_fixed_in(&mut lines, &risk, fix),
        }
        notes.extend(releases_between(&risk, fix));
        targets.push(file.to);
        planned.push(PlannedFile::changed(file.path, file.text, lines.edited()));
    }
    let texts: Vec<String> = fixes.iter().map(text_of).collect();
    let subject = risk.subject(&targets, &format!("Fixed in {}", listed(&texts, "and")));
    Ok(Plan::new(planned, subject).noting(notes))
}

/// The newest file of the risk before its fix. Fails if a later release has the risk.
fn file_for<'r, 'd>(risk: &'r RiskFiles<'d>, fix: &Version) -> Result<&'r RiskFile<'d>, Failure> {
    let minor = Minor::of(fix);
    let later = |file: &&RiskFile<'_>| Minor::of(file.target) == minor && file.target >= fix;
    if let Some(later) = risk.files.iter().find(later) {
        let what =
            format!("`{}` is declared for {}, so it is not fixed in {fix}", risk.name, later.to);
        return Err(Failure::new(what)
            .hint(format!("`exitpath risk drop {} {}` removes that file", risk.name, later.to)));
    }
    risk.newest_promoted_before(fix).ok_or_else(|| {
        let what = format!("`{}` is on no release of {minor} before {fix}", risk.name);
        let minors = risk.files.iter().map(|file| Minor::of(file.target).to_string());
        let mut minors: Vec<String> = minors.collect();
        minors.dedup();
        Failure::new(what).hint(format!("it is on releases of {}", listed(&minors, "and")))
    })
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
