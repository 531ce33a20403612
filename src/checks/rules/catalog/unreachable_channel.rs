//! A channel that no install of another channel can switch to.

use crate::catalog::simulation::{
    AfterSwitch, ChannelEdit, ChannelMoves, Resolver, SwitchTarget, Trial,
};
use crate::domain::HashSet;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};
use crate::text::words::{counted, listed, quoted};

use super::shared::meant_entry;

pub(super) static RULE: Rule = Rule {
    code: "OC137",
    name: "unreachable-channel",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Warning,
    summary: "a channel that no install of another channel can switch to",
    explanation: "\
To move to a later stream, users change the channel of their Subscription. OLM then updates
the install only if an entry of the new channel replaces it, skips it, or has a `skipRange`
that contains it. Otherwise the install stays where it is: there is no update and no error.

This finding is about a channel where nobody who follows another channel gets to the head,
although the head is newer than that of another channel. It is a warning for the default
channel, where new users are and which others should be able to follow, and an info for
others.

If users should remove the operator and install it again, allow the finding in a comment.
`exitpath catalog switch` shows which entries can switch where.",
    bad: "\
schema: olm.channel
package: example
name: stable-v2 # stable-v1 has example.v1.0.0
entries:
- name: example.v2.0.0",
    good: "\
schema: olm.channel
package: example
name: stable-v2 # stable-v1 has example.v1.0.0
entries:
- name: example.v2.0.0
  skips: [example.v1.0.0]",
    check: Check::Catalog(check),
};

/// The most skips that a suggested edit adds. A longer list is not useful advice.
const MOST_SKIPS: usize = 5;

fn check(subject: &CatalogSubject<'_>, findings: &mut Vec<Finding>) {
    for moves in subject.ordered().filter(|moves| moves.channel.deprecation.is_none()) {
        let others = subject.ordered().filter(|other| {
            other.package.name == moves.package.name && other.channel.name != moves.channel.name
        });
        let others: Vec<&ChannelMoves<'_>> = others.collect();
        // Once a misspelled name is corrected, there may be a path.
        let is_misspelled =
            moves.channel.entries.iter().any(|entry| meant_entry(moves, entry).is_some());
        if !others.is_empty() && !is_misspelled && !shares_a_path(moves, &others) {
            findings.extend(finding(subject, moves, &others));
        }
    }
}

/// Whether this channel also has an entry of another channel, and installs of the entry reach its
/// head.
fn shares_a_path(moves: &ChannelMoves<'_>, others: &[&ChannelMoves<'_>]) -> bool {
    let far: HashSet<&str> =
        moves.far_from_head().into_iter().map(|node| moves.name(node)).collect();
    let own = moves.installs.iter().map(|install| install.name);
    let near: HashSet<&str> = own.filter(|name| !far.contains(name)).collect();
    let mut names = others.iter().flat_map(|other| other.installs.iter());
    names.any(|install| near.contains(install.name))
}

fn finding(
    subject: &CatalogSubject<'_>,
    moves: &ChannelMoves<'_>,
    others: &[&ChannelMoves<'_>],
) -> Option<Finding> {
    let installed = others.iter().flat_map(|other| other.installs.iter());
    let installed = installed.filter(|install| install.is_entry).cloned();
    let (package, channel) = (moves.package, moves.channel);
    let target = SwitchTarget::of(package, channel, installed, Resolver::V0).ok()?;
    let mut lost: Vec<&str> = Vec::new();
    for other in others {
        for (left, install) in other.installs.entries().filter(|(_, install)| install.is_entry) {
            match target.after_switch(other, left) {
                AfterSwitch::GetsToHead | AfterSwitch::IfUpdated(_) => return None,
                AfterSwitch::IsNewer => {}
                AfterSwitch::Stuck(_) | AfterSwitch::EndsElsewhere => lost.push(install.name),
            }
        }
    }
    let mut seen = HashSet::default();
    lost.retain(|name| seen.insert(*name));
    let heads = others.iter().flat_map(|other| other.heads.iter().map(|head| other.name(*head)));
    let mut heads: Vec<&str> = heads.filter(|name| lost.contains(name)).collect();
    heads.sort_unstable();
    heads.dedup();
    // Users of channels that are ahead of this one have no reason to switch to it.
    if heads.is_empty() {
        return None;
    }
    let head = target.moves.name(*target.moves.heads.first()?);
    let from: Vec<&str> = others
        .iter()
        .filter(|other| other.installs.iter().any(|install| lost.contains(&install.name)))
        .map(|other| other.channel.name.as_str())
        .collect();
    let is_default = package.default_channel == channel.name;
    let which = if is_default { "default channel" } else { "channel" };
    let from: Vec<String> = from.into_iter().map(whole).collect();
    let message = format!(
        "no install of another channel can switch to the {which} `{}`: installs of {} in {} get no \
         updates that lead to its head `{}`",
        whole(&channel.name),
        counted(lost.len(), "entry"),
        listed(&quoted(&from), "and"),
        whole(head),
    );
    let trial = Trial::new(&target.moves);
    let is_short = |edit: &ChannelEdit| match edit {
        ChannelEdit::AddSkips { names, .. } => names.len() <= MOST_SKIPS,
        ChannelEdit::SetSkipRange { .. } | ChannelEdit::RemoveSkip { .. } => true,
    };
    let edit = |names: &[&str]| ChannelEdit::skips(&trial, names, head).filter(is_short);
    let help = match (edit(&lost), edit(&heads)) {
        (Some(edit), _) => format!("if they can be updated to it, {}", edit.in_words()),
        (None, Some(edit)) => {
            format!("if the heads of the other channels can be updated to it, {}", edit.in_words())
        }
        (None, None) => "let an entry of the channel replace the heads of the others".to_owned(),
    };
    let place = subject.places.channel(&package.name, &channel.name)?.name.span;
    let severity = if is_default { Severity::Warning } else { Severity::Info };
    let about = format!("{} {}", package.name, channel.name);
    let finding = Finding::at(&RULE, place, message).help(help).severity(severity);
    Some(finding.installs(&lost).about(about))
}
