//! The words for releases that one cause strands.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::{Effect, Goal, StrandedBy};
use crate::domain::Severity;
use crate::promql;
use crate::text::words::{counted, listed, releases};

use super::{Member, Stranding};

impl<'s> Stranding<'s> {
    /// The whole in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.with_details(true)
    }

    /// The same for where `lines` follow.
    #[must_use]
    pub fn heading(&self) -> String {
        self.with_details(false)
    }

    fn with_details(&self, is_whole: bool) -> String {
        let channels = quoted(&self.channels());
        let versions = self.versions();
        let who = match versions.as_slice() {
            [only] => format!("`{only}`"),
            some => counted(some.len(), "release"),
        };
        let several = versions.len() > 1;
        let details = self.details();
        let details = match details.as_slice() {
            _ if !is_whole => String::new(),
            // What no update leads away from needs no more words.
            [only] if !several && only.is_said_already => {
                format!("{}{}", only.architectures, only.doubt)
            }
            [only] if several => format!(": {}", only.in_one_channel()),
            [only] => format!(": it {}{}{}", only.what, only.architectures, only.doubt),
            some => {
                let mut told: Vec<String> = some.iter().take(MOST).map(Detail::words).collect();
                if some.len() > MOST {
                    told.push(format!("and {} more groups of releases", some.len() - MOST));
                }
                format!(": {}", told.join("; "))
            }
        };
        let whom = self.whom();
        let risk = format!("`{}`", self.risk().unwrap_or("many risks"));
        let (join, have) = if several { ("join", "have") } else { ("joins", "has") };
        match (self.effect, &self.by) {
            (Some(Effect::DeadEnd), _) => format!(
                "{who} {join} {channels}, and no update leads on from {} there{details}",
                if several { "them" } else { "it" }
            ),
            (Some(Effect::ConditionalOnly), _) => {
                format!("{who} {join} {channels} with conditional updates only, by {risk}{details}")
            }
            (Some(Effect::Freed), StrandedBy::Risk(_)) => {
                format!("{risk} no longer strands {who} in {channels}")
            }
            (Some(Effect::Freed), _) => {
                format!("{who} in {channels} {have} an update path again")
            }
            (_, StrandedBy::Graph(Some(end))) if versions == [end.as_str()] => {
                format!("no update leads on from {who} in {channels}, whatever the risks{details}")
            }
            (_, StrandedBy::Graph(None)) => format!(
                "no update leads on from many releases, whatever the risks, which strands {who} in {channels}{details}"
            ),
            (_, StrandedBy::Graph(Some(end))) => format!(
                "no update leads on from `{end}`, whatever the risks, which strands {who} in {channels}{details}"
            ),
            (_, StrandedBy::ManyRisks) => {
                format!("many risks together strand {who} in {channels}{details}")
            }
            (_, StrandedBy::Risk(_)) => {
                format!("{risk} strands {who} in {channels}, for {whom}{details}")
            }
        }
    }

    /// Which clusters it is about.
    fn whom(&self) -> String {
        let is_for_all = |member: &Member<'_>| member.stranded.is_for_all;
        if self.members.iter().all(is_for_all) {
            return "all clusters".to_owned();
        }
        let StrandedBy::Risk(risk) = self.by else { return "affected clusters".to_owned() };
        let names = &self.simulation.names;
        // The sets of risks by which it strands each release: of some, it takes others too.
        let sets = |member: &Member<'s>| -> Vec<&'s Vec<u32>> {
            let sets = member.stranded.smallest_sets(names).into_iter();
            sets.filter(|set| set.contains(&risk)).collect()
        };
        let of_all: Vec<Vec<&Vec<u32>>> = self.members.iter().map(sets).collect();
        let with_others = of_all.iter().filter(|sets| sets.iter().all(|set| set.len() > 1)).count();
        let others: BTreeSet<u32> = of_all.iter().flatten().copied().flatten().copied().collect();
        let others: Vec<&str> =
            others.into_iter().filter(|one| *one != risk).map(|one| names.name(one)).collect();
        let others = if others.len() > 2 { "other risks".to_owned() } else { quoted_or(&others) };
        let together = match with_others {
            0 => String::new(),
            n if n == self.members.len() => format!(" together with {others}"),
            _ => format!(" (some together with {others})"),
        };
        let conflict = of_all.iter().flatten().find_map(|set| {
            let (_, _, conflict) = self.simulation.contradictions.of(set)?;
            let promql::Conflict { one, other, metric } = conflict;
            Some(format!(" (but no cluster has both {one} and {other} in {metric})"))
        });
        // Where some releases are really stranded, the others need no excuse.
        let conflict = conflict.filter(|_| self.severity == Severity::Info);
        format!("the clusters that it affects{together}{}", conflict.unwrap_or_default())
    }

    /// Who cannot reach what, and where: one line for each goal.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.details().iter().map(Detail::words).collect()
    }

    fn details(&self) -> Vec<Detail> {
        // By goal and release, the channels; then the releases that are alike in that.
        let mut places: Vec<Place<'s>> = Vec::new();
        let mut known: HashMap<(&str, Alike<'s>), usize> = HashMap::new();
        let mut versions: Vec<&str> = Vec::new();
        for member in &self.members {
            let channel = self.channel(member);
            let goal = member.stranded.goal;
            let minor = channel.split_once('-').map(|(_, minor)| minor);
            let alike = Alike {
                goal,
                minor: minor.filter(|_| goal == Goal::Minor),
                architectures: member.architectures,
                is_certain: member.is_certain,
            };
            let at = *known.entry((member.version(), alike)).or_insert_with(|| {
                places.push((alike, Vec::new()));
                versions.push(member.version());
                places.len() - 1
            });
            places[at].1.push(channel);
        }
        let mut groups: Vec<(Place<'s>, Vec<&str>)> = Vec::new();
        let mut of_place: HashMap<Place<'s>, usize> = HashMap::new();
        for (place, version) in places.into_iter().zip(versions) {
            let at = *of_place.entry(place.clone()).or_insert_with(|| {
                groups.push((place, Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(version);
        }
        groups.sort_by_key(|((alike, _), _)| alike.goal);
        let is_over = self.effect == Some(Effect::Freed);
        let simulated = self.architectures();
        let detail = |((alike, channels), versions): &((Alike<'_>, Vec<&str>), Vec<&str>)| Detail {
            is_said_already: alike.goal == Goal::Any
                && (matches!(self.effect, Some(Effect::DeadEnd | Effect::ConditionalOnly))
                    || matches!(self.by, StrandedBy::Graph(_))),
            who: releases(versions),
            what: alike.what(versions.len() > 1, is_over),
            channels: listed(channels, "and"),
            architectures: match alike.architectures {
                all if all.len() == simulated => String::new(),
                some => format!(" ({})", some.join(", ")),
            },
            doubt: if alike.is_certain { "" } else { ", as far as is known" },
        };
        groups.iter().map(detail).collect()
    }

    /// What would help.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let freed_by = &self.members.first()?.stranded.freed_by;
        let helps =
            |risk: &&u32| self.members.iter().all(|member| member.stranded.freed_by.contains(risk));
        let names: Vec<&str> =
            freed_by.iter().filter(helps).map(|risk| self.simulation.names.name(*risk)).collect();
        match (names.as_slice(), &self.by) {
            ([], StrandedBy::Graph(_)) => None,
            ([], _) => Some("removing any one risk is not enough".to_owned()),
            (some, _) => Some(format!("unblocked once {} is removed", quoted_or(some))),
        }
    }
}

/// Releases that cannot reach the same goal in the same channels.
struct Detail {
    who: String,
    what: String,
    channels: String,
    architectures: String,
    doubt: &'static str,
    /// Whether the sentence says by itself what cannot be reached.
    is_said_already: bool,
}

/// So many groups of releases are told in one sentence.
const MOST: usize = 3;

impl Detail {
    fn words(&self) -> String {
        let Self { who, what, channels, architectures, doubt, .. } = self;
        format!("{who} {what} in {channels}{architectures}{doubt}")
    }

    fn in_one_channel(&self) -> String {
        let Self { who, what, architectures, doubt, .. } = self;
        format!("{who} {what}{architectures}{doubt}")
    }
}

/// Releases that are alike, and the channels that they are so in.
type Place<'s> = (Alike<'s>, Vec<&'s str>);

/// What is alike of releases that are told together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Alike<'s> {
    goal: Goal,
    /// The minor that they cannot reach, where that is the goal.
    minor: Option<&'s str>,
    architectures: &'s [String],
    is_certain: bool,
}

impl Alike<'_> {
    /// What cannot, or could not, be reached.
    fn what(&self, several: bool, is_over: bool) -> String {
        let (have, their) = if several { ("have", "their") } else { ("has", "its") };
        let (have, cannot) = if is_over { ("had", "could not") } else { (have, "cannot") };
        match self.goal {
            Goal::Any => format!("{have} no exit path"),
            Goal::Patch => format!("{cannot} reach the newest patch of {their} minor"),
            Goal::Minor => {
                format!("{cannot} reach {}", self.minor.unwrap_or("the channel's minor"))
            }
        }
    }
}

/// Names in code marks, a few of many.
fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}

fn quoted_or(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names.iter().map(String::as_str).collect::<Vec<_>>(), "or")
}
