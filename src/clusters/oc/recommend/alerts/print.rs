//! Prints alerts: one line for each kind of verdict, and a block for each alert.

use super::super::super::texts::block;
use super::super::review::Review;
use super::AlertVerdict;

/// Prints the verdicts, and adds the issues of the verdicts that are not `True`.
pub(super) fn print(verdicts: &[AlertVerdict<'_>], review: &mut Review<'_>) {
    let (happy, unhappy): (Vec<_>, Vec<_>) =
        verdicts.iter().partition(|one| one.condition.status == "True");
    let (accepted, open): (Vec<_>, Vec<_>) =
        unhappy.iter().partition(|one| review.accepts(one.issue));
    let happy =
        happy.iter().map(|one| format!("{} ({})", one.condition.kind, one.condition.reason));
    let kinds =
        |list: Vec<&&AlertVerdict<'_>>| list.iter().map(|one| one.condition.kind.clone()).collect();
    let (accepted, open): (Vec<String>, Vec<String>) = (kinds(accepted), kinds(open));
    let has_open = !open.is_empty();
    for (cause, names, end) in [
        ("no cause", happy.collect(), ""),
        ("cause", accepted, ", but were explicitly accepted via --accept"),
        ("cause", open, ""),
    ] {
        review.say(summary(cause, names, end));
    }
    for AlertVerdict { condition, issue } in unhappy {
        // Accepted issues are explained only if there is an issue that is not accepted.
        if has_open {
            review.say(block(condition));
        }
        review.add(issue);
    }
}

/// One line about several conditions. Empty if there are none.
fn summary(cause: &str, mut names: Vec<String>, end: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    names.sort_unstable();
    let names = names.join(", ");
    format!(
        "The following conditions found {cause} for concern in updating this cluster to later \
         releases{end}: {names}\n\n"
    )
}
