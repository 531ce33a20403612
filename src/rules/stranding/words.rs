//! The words for releases that one cause strands.

use std::collections::HashMap;

use crate::analysis::{Blame, Effect, Goal};
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
        let (risks, whom) = (quoted(&self.risks()), self.whom());
        let (join, have) = if several { ("join", "have") } else { ("joins", "has") };
        match (self.effect, &self.blame) {
            (Some(Effect::DeadEnd), _) => format!(
                "{who} {join} {channels}, and no update leads on from {} there{details}",
                if several { "them" } else { "it" }
            ),
            (Some(Effect::ConditionalOnly), _) => {
                let by = if risks.is_empty() { "many risks".to_owned() } else { risks };
                format!("{who} {join} {channels} with conditional updates only, by {by}{details}")
            }
            (Some(Effect::Freed), Blame::Risks(names)) => {
                let strand =
                    if names.len() == 1 { "no longer strands" } else { "no longer strand" };
                format!("{risks} {strand} {who} in {channels}")
            }
            (Some(Effect::Freed), _) => {
                format!("{who} in {channels} {have} an update path again")
            }
            (_, Blame::Graph(Some(end))) if versions == [end.as_str()] => {
                format!("no update leads on from {who} in {channels}, whatever the risks{details}")
            }
            (_, Blame::Graph(None)) => format!(
                "no update leads on from many releases, whatever the risks, which strands {who} in {channels}{details}"
            ),
            (_, Blame::Graph(Some(end))) => format!(
                "no update leads on from `{end}`, whatever the risks, which strands {who} in {channels}{details}"
            ),
            (_, Blame::ManyRisks) => {
                format!("many risks together strand {who} in {channels}{details}")
            }
            (_, Blame::Risks(names)) => {
                let strand = match names.len() {
                    1 => "strands",
                    2 => "together strand",
                    _ => "all together strand",
                };
                format!("{risks} {strand} {who} in {channels}, for {whom}{details}")
            }
        }
    }

    /// Which clusters it is about.
    fn whom(&self) -> String {
        let is_for_all = |member: &Member<'_>| member.stranded.is_for_all;
        if self.members.iter().all(is_for_all) {
            return "all clusters".to_owned();
        }
        let Blame::Risks(risks) = &self.blame else { return "affected clusters".to_owned() };
        let clusters = match risks.len() {
            1 => "the clusters that it affects",
            2 => "the clusters that both affect",
            _ => "the clusters that all of them affect",
        };
        // The cause may need other risks beside it to strand some of the releases.
        let needs_more = |member: &Member<'_>| {
            let sets = member.stranded.smallest_sets(&self.simulation.names);
            !sets.is_empty() && !sets.contains(&risks)
        };
        let with_more = self.members.iter().filter(|member| needs_more(member)).count();
        let conflict = self.simulation.contradictions.of(risks).map(|(_, _, conflict)| {
            format!(
                " (but no cluster has both {} and {} in {})",
                conflict.one, conflict.other, conflict.metric
            )
        });
        let more = match with_more {
            0 => conflict.unwrap_or_default(),
            n if n == self.members.len() => format!(" together with {}", self.others(risks)),
            _ => format!(" (some together with {})", self.others(risks)),
        };
        clusters.to_owned() + &more
    }

    /// The risks that strand the releases together with some others.
    fn others(&self, risks: &[u32]) -> String {
        let sets =
            self.members.iter().flat_map(|m| m.stranded.smallest_sets(&self.simulation.names));
        let with = sets.filter(|set| risks.iter().all(|risk| set.contains(risk)));
        let mut others: Vec<u32> =
            with.flatten().copied().filter(|risk| !risks.contains(risk)).collect();
        others.sort_unstable();
        others.dedup();
        let names: Vec<&str> =
            others.iter().map(|risk| self.simulation.names.name(*risk)).collect();
        if names.len() > 3 { "other risks".to_owned() } else { quoted_or(&names) }
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
                    || matches!(self.blame, Blame::Graph(_))),
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
        match (names.as_slice(), &self.blame) {
            ([], Blame::Graph(_)) => None,
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
