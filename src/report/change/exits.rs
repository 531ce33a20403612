//! Who is stranded by a change and who is freed, put together by what strands them.

use crate::analysis::Cause;
use crate::report::simulation::{Plight, SimulationReport};
use crate::report::words::listed;
use crate::rules::Severity;

/// Releases that the same risks strand.
pub(super) struct Alike {
    /// How bad it is.
    pub(super) severity: Severity,
    /// What strands them.
    pub(super) by: String,
    /// Who cannot reach what, and where.
    pub(super) who: Vec<String>,
    /// What would help.
    pub(super) help: Option<String>,
}

/// So many combinations of risks are named.
const SETS: usize = 3;

/// Those that a report tells of, the worst first. `is_over`: whether they were stranded, and are
/// no more.
pub(super) fn alike(report: &SimulationReport<'_>, is_over: bool) -> Vec<Alike> {
    let mut all: Vec<Alike> = Vec::new();
    for plight in Plight::in_brief(report) {
        let (by, who) = (by(&plight), who(&plight, is_over));
        let help = plight.help().filter(|_| !is_over).map(|help| {
            // It is said of several.
            help.trim_start_matches("it is ").trim_start_matches("they are ").to_owned()
        });
        let severity = plight.severity();
        match all.iter_mut().find(|known| (&known.by, known.severity) == (&by, severity)) {
            Some(known) => known.who.push(who),
            None => all.push(Alike { severity, by, who: vec![who], help }),
        }
    }
    all
}

fn by(plight: &Plight<'_>) -> String {
    let sets = plight.sets();
    if plight.first().cause == Cause::Graph {
        return "by the graph itself, whatever the risks".to_owned();
    }
    if sets.is_empty() {
        return "by many risks together".to_owned();
    }
    let set = |set: &crate::report::simulation::Set<'_>| {
        let whom = set.whom.as_ref().map(|whom| format!(" ({whom})")).unwrap_or_default();
        set.names.join(" and ") + &whom
    };
    let told: Vec<String> = sets.iter().take(SETS).map(set).collect();
    let more = match sets.len().saturating_sub(SETS) {
        0 => String::new(),
        n => format!(", or by {n} more combinations"),
    };
    format!("by {}{more}", told.join(", or by "))
}

fn who(plight: &Plight<'_>, is_over: bool) -> String {
    let what = plight.what();
    let what = match what.strip_prefix("cannot ") {
        Some(rest) if is_over => format!("could not {rest}"),
        _ if is_over => "had no exit at all".to_owned(),
        _ => what,
    };
    let doubt = if plight.is_certain() { "" } else { ", as far as is known" };
    let channels = listed(&plight.channels(), "and");
    format!("{} {what} in {channels} ({}){doubt}", plight.who(), plight.architectures())
}
