//! The words for releases that one cause strands.

use std::collections::BTreeSet;

use crate::analysis::{Goal, RiskNameId, StrandedBy, phrases};
use crate::change::Effect;
use crate::domain::{ArchSet, HashMap, Severity, channel_name};
use crate::text::words::{counted, listed, quoted, releases};

use super::{StrandedCase, Stranding};

impl<'s> Stranding<'s> {
    /// The whole finding in one sentence.
    pub(crate) fn sentence(&self) -> String {
        self.in_words(&self.details_in_words())
    }

    /// The sentence without the details. `lines` returns the details.
    pub(crate) fn heading(&self) -> String {
        self.in_words("")
    }

    fn in_words(&self, details: &str) -> String {
        let channels = listed(&quoted(&self.channels()), "and");
        let versions = self.versions();
        let who = match versions.as_slice() {
            [only] => format!("`{only}`"),
            some => counted(some.len(), "release"),
        };
        let several = versions.len() > 1;
        let risk = format!("`{}`", self.risk().unwrap_or("many risks"));
        match self.effect {
            Some(Effect::DeadEnd) => {
                let (join, they) =
                    if several { ("join", "they have") } else { ("joins", "it has") };
                format!("{who} {join} {channels}, where {they} no updates{details}")
            }
            Some(Effect::ConditionalOnly) => {
                let join = if several { "join" } else { "joins" };
                format!(
                    "{who} {join} {channels} with conditional updates only, because of {risk}{details}"
                )
            }
            Some(Effect::Unblocked) if matches!(self.by, StrandedBy::Risk(_)) => {
                format!("{risk} no longer strands {who} in {channels}")
            }
            Some(Effect::Unblocked) => {
                let have = if several { "have" } else { "has" };
                format!("{who} in {channels} {have} an update path again")
            }
            _ => self.stranding_in_words(&who, &channels, details),
        }
    }

    /// The main clause: the releases, the channels, and the cause.
    fn stranding_in_words(&self, who: &str, channels: &str, details: &str) -> String {
        let no_update = match &self.by {
            StrandedBy::Risk(_) => {
                let risk = self.risk().unwrap_or_default();
                let whom = self.whom();
                return format!("`{risk}` strands {who} in {channels}, for {whom}{details}");
            }
            StrandedBy::ManyRisks => {
                return format!("many risks together strand {who} in {channels}{details}");
            }
            StrandedBy::Graph(Some(end)) => {
                let targets = if end.has_exit { "newer patches" } else { "other releases" };
                if self.versions() == [end.version.as_str()] {
                    return format!(
                        "even with all risks removed, {who} has no updates to {targets} in {channels}{details}"
                    );
                }
                format!("`{}` has no updates to {targets}", end.version)
            }
            StrandedBy::Graph(None) => "many releases have no updates to other releases".to_owned(),
        };
        format!(
            "even with all risks removed, {no_update}, which strands {who} in {channels}{details}"
        )
    }

    /// The end of the sentence: which releases cannot reach what, and in which channels.
    fn details_in_words(&self) -> String {
        let details = self.details();
        let several = self.versions().len() > 1;
        match details.as_slice() {
            [only] if !several && only.is_in_sentence => {
                format!("{}{}", only.architectures, only.doubt)
            }
            [only] if several => format!(": {}", only.in_one_channel()),
            [only] => format!(": it {}{}{}", only.what, only.architectures, only.doubt),
            all => {
                let mut parts: Vec<String> = all.iter().take(MOST).map(Detail::words).collect();
                if all.len() > MOST {
                    parts.push(format!(
                        "and {} of releases",
                        counted(all.len() - MOST, "more group")
                    ));
                }
                format!(": {}", parts.join("; "))
            }
        }
    }

    /// The clusters that lose their exit path, in words.
    fn whom(&self) -> String {
        let is_for_all = |case: &StrandedCase<'_>| case.stranded.is_for_all;
        if self.cases.iter().all(is_for_all) {
            return "all clusters".to_owned();
        }
        let StrandedBy::Risk(risk) = self.by else { return "affected clusters".to_owned() };
        let names = &self.simulation.names;
        // For each release, the sets of risks with this risk that strand it. It may need other
        // risks, too.
        let sets = |case: &StrandedCase<'s>| -> Vec<&'s Vec<RiskNameId>> {
            let sets = case.stranded.smallest_sets(names).into_iter();
            sets.filter(|set| set.contains(&risk)).collect()
        };
        let of_all: Vec<Vec<&Vec<RiskNameId>>> = self.cases.iter().map(sets).collect();
        let with_others = of_all.iter().filter(|sets| sets.iter().all(|set| set.len() > 1)).count();
        let others: BTreeSet<RiskNameId> =
            of_all.iter().flatten().copied().flatten().copied().collect();
        let others: Vec<&str> =
            others.into_iter().filter(|one| *one != risk).map(|one| names.name(one)).collect();
        let others = if others.len() > 2 {
            "other risks".to_owned()
        } else {
            listed(&quoted(&others), "or")
        };
        let together = match with_others {
            0 => String::new(),
            n if n == self.cases.len() => format!(" together with {others}"),
            _ => format!(" (some together with {others})"),
        };
        let conflict = of_all.iter().flatten().find_map(|set| {
            let (_, _, conflict) = self.simulation.contradictions.of(set)?;
            Some(format!(" (but {})", phrases::conflict(conflict)))
        });
        // The sentence mentions the conflict only if it makes the whole finding harmless.
        let conflict = conflict.filter(|_| self.severity == Severity::Info);
        format!("the clusters that it affects{together}{}", conflict.unwrap_or_default())
    }

    /// The details, one line for each group of releases: which cannot reach what, and in which
    /// channels.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.details().iter().map(Detail::words).collect()
    }

    fn details(&self) -> Vec<Detail> {
        let mut groups: Vec<(GoalInChannels<'s>, Vec<&str>)> = Vec::new();
        let mut known: HashMap<GoalInChannels<'s>, usize> = HashMap::default();
        for (version, missed) in self.goals_by_release() {
            let at = *known.entry(missed.clone()).or_insert_with(|| {
                groups.push((missed, Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(version);
        }
        groups.sort_by_key(|((missed, _), _)| missed.goal);
        let is_over = self.effect == Some(Effect::Unblocked);
        let simulated = self.architectures();
        let detail = |((missed, channels), versions): &(GoalInChannels<'_>, Vec<&str>)| Detail {
            is_in_sentence: missed.goal == Goal::Any
                && (matches!(self.effect, Some(Effect::DeadEnd | Effect::ConditionalOnly))
                    || matches!(self.by, StrandedBy::Graph(_))),
            who: releases(versions),
            what: missed.what(versions.len() > 1, is_over),
            channels: listed(channels, "and"),
            architectures: match missed.architectures {
                all if all.len() == simulated => String::new(),
                some => format!(" ({some})"),
            },
            doubt: phrases::doubt(missed.is_certain),
        };
        groups.iter().map(detail).collect()
    }

    /// For each release and each goal that it cannot reach, the channels in the order of the cases.
    fn goals_by_release(&self) -> Vec<(&'s str, GoalInChannels<'s>)> {
        let mut found: Vec<(&'s str, GoalInChannels<'s>)> = Vec::new();
        let mut known: HashMap<(&str, MissedGoal<'s>), usize> = HashMap::default();
        for case in &self.cases {
            let channel = self.channel(case);
            let goal = case.stranded.goal;
            let minor = channel_name::split(channel).map(|(_, minor)| minor);
            let missed = MissedGoal {
                goal,
                minor: minor.filter(|_| goal == Goal::Minor),
                architectures: case.architectures,
                is_certain: case.is_certain,
            };
            let at = *known.entry((case.version(), missed)).or_insert_with(|| {
                found.push((case.version(), (missed, Vec::new())));
                found.len() - 1
            });
            found[at].1.1.push(channel);
        }
        found
    }

    /// The help. After a change, it is what to promote. Otherwise, it is which risk to remove, if
    /// risks strand the releases.
    pub(crate) fn help(&self) -> Option<String> {
        if self.effect.is_some() && self.is_by_risks() {
            return self.promotion.clone();
        }
        let unblocked_by = &self.cases.first()?.stranded.unblocked_by;
        let helps = |risk: &&RiskNameId| {
            self.cases.iter().all(|case| case.stranded.unblocked_by.contains(risk))
        };
        let names: Vec<&str> = unblocked_by
            .iter()
            .filter(helps)
            .map(|risk| self.simulation.names.name(*risk))
            .collect();
        let is_by_graph = matches!(self.by, StrandedBy::Graph(_));
        (!names.is_empty() || !is_by_graph).then(|| phrases::help(&quoted(&names)))
    }
}

/// Releases that cannot reach the same goal in the same channels.
struct Detail {
    who: String,
    what: String,
    channels: String,
    architectures: String,
    doubt: &'static str,
    /// Whether the sentence already says what the releases cannot reach.
    is_in_sentence: bool,
}

/// The most groups of releases in one sentence.
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

/// A goal, and the channels in which a release cannot reach it.
type GoalInChannels<'s> = (MissedGoal<'s>, Vec<&'s str>);

/// The goal that a release cannot reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct MissedGoal<'s> {
    goal: Goal,
    /// The minor, if the goal is a minor.
    minor: Option<&'s str>,
    architectures: ArchSet,
    is_certain: bool,
}

impl MissedGoal<'_> {
    /// The words for what one release or several cannot reach, or could not reach if that
    /// `is_over`.
    fn what(&self, several: bool, is_over: bool) -> String {
        let phrase = if is_over { phrases::former_problem } else { phrases::problem };
        phrase(self.goal, self.minor, several)
    }
}
