//! Reads the file of a scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Deserialize;

use crate::domain::channel_name::is_name_character;
use crate::graph::{MatchingRule, Risk};
use crate::text::Failure;
use crate::yaml::{self, Cause};

use super::behavior::Behavior;
use super::graph::{Members, WrittenGraph, parsed};
use super::{Scenario, ScenarioChannel, ScenarioPhase, updates};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    risks: BTreeMap<String, RiskForm>,
    channels: BTreeMap<String, ChannelForm>,
}

/// `always`, a query, or a mapping with texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum RiskForm {
    Short(String),
    Long(LongRiskForm),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LongRiskForm {
    message: Option<String>,
    url: Option<String>,
    promql: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChannelForm {
    description: Option<String>,
    #[serde(default)]
    releases: Vec<String>,
    #[serde(default)]
    updates: String,
    #[serde(default)]
    answer: AnswerForm,
    #[serde(default)]
    then: Vec<PhaseForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseForm {
    after: u64,
    #[serde(default)]
    releases: Vec<String>,
    updates: Option<String>,
    answer: Option<AnswerForm>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AnswerForm {
    delay: Option<String>,
    status: Option<u16>,
    #[serde(rename = "type")]
    content_type: Option<String>,
    body: Option<String>,
    cut_after: Option<usize>,
    percent: Option<u8>,
}

/// The longest delay. Longer ones are mistakes: the operator of a cluster waits an hour.
const LONGEST_DELAY: Duration = Duration::from_hours(1);

/// The most channels. A scenario with more is a mistake.
const MOST_CHANNELS: usize = 200;
const MOST_RELEASES: usize = 5_000;
const MOST_UPDATES: usize = 50_000;

/// The most phases. More are a mistake.
const MOST_PHASES: usize = 1000;

pub(super) fn read(text: &str, seed: Option<u64>) -> Result<Scenario, Failure> {
    refuse_odd_yaml(text)?;
    let file: FileForm = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    if file.channels.len() > MOST_CHANNELS {
        return Err(Failure::new(format!("`channels` has more than {MOST_CHANNELS} channels")));
    }
    let is_servable = |name: &String| !name.is_empty() && name.chars().all(is_name_character);
    if let Some(name) = file.channels.keys().find(|name| !is_servable(name)) {
        let allowed = "a channel has lower-case letters, digits, `-`, and `.`";
        return Err(Failure::new(format!(
            "clusters cannot request the channel `{name}`: {allowed}"
        )));
    }
    if file.channels.is_empty() {
        return Err(Failure::new("`channels` is empty: a scenario has at least one channel"));
    }
    let seed = seed.unwrap_or(file.seed);
    let risks: BTreeMap<String, Risk> =
        file.risks.into_iter().map(|(name, form)| (name.clone(), form.risk(name))).collect();
    let mut drafts = Vec::new();
    for (name, form) in file.channels {
        let draft = form.drafted(seed).map_err(|why| why.at(format!("channel `{name}`")))?;
        drafts.push((name, draft));
    }
    refuse_large(&drafts)?;
    let mut members = Members::new();
    for (name, draft) in &drafts {
        let releases = draft.phases.iter().flat_map(|phase| &phase.graph.releases);
        for version in releases {
            members.entry(version.clone()).or_default().insert(name.clone());
        }
    }
    let finished = drafts.into_iter().map(|(name, draft)| {
        let finished = draft.finished(&name, &members, &risks);
        finished.map_err(|why| why.at(format!("channel `{name}`")))
    });
    Ok(Scenario { channels: finished.collect::<Result<_, _>>()? })
}

/// Refuses what would take much time or memory to read, and what the other parser would silently
/// ignore.
fn refuse_odd_yaml(text: &str) -> Result<(), Failure> {
    let document = match yaml::parse(text) {
        Ok(document) => document,
        Err(error) if error.cause == Cause::TooDeep => return Err("it is nested too deep".into()),
        // The other parser reports what is wrong.
        Err(_) => return Ok(()),
    };
    document.to_json().map_err(|_| "its aliases stand for too much text".to_owned())?;
    match document.duplicate_keys().next() {
        Some((again, _)) => {
            let line = text[..document.node(again).range().start].matches('\n').count() + 1;
            let key = document.text(again).unwrap_or_default();
            Err(Failure::new(format!("the key `{key}` is there again at line {line}")))
        }
        None => Ok(()),
    }
}

fn refuse_large(drafts: &[(String, Draft)]) -> Result<(), Failure> {
    let phases = || drafts.iter().flat_map(|(_, draft)| &draft.phases);
    let releases: usize = phases().map(|phase| phase.graph.releases.len()).sum();
    let updates: usize = phases().map(|phase| phase.graph.updates.len()).sum();
    if releases > MOST_RELEASES || updates > MOST_UPDATES {
        return Err(Failure::new(format!(
            "its channels and their changes have {releases} releases and {updates} updates; a \
             scenario has at most {MOST_RELEASES} and {MOST_UPDATES}"
        )));
    }
    Ok(())
}

struct Draft {
    description: Option<String>,
    phases: Vec<DraftPhase>,
}

struct DraftPhase {
    after: u64,
    graph: WrittenGraph,
    behavior: Behavior,
}

impl Draft {
    fn finished(
        self,
        name: &str,
        members: &Members,
        risks: &BTreeMap<String, Risk>,
    ) -> Result<ScenarioChannel, Failure> {
        let phases = self.phases.into_iter().map(|phase| {
            let (graph, channel) = phase.graph.graph(name, members, risks)?;
            Ok(ScenarioPhase { after: phase.after, graph, channel, behavior: phase.behavior })
        });
        let phases = phases.collect::<Result<_, Failure>>()?;
        Ok(ScenarioChannel { name: name.to_owned(), description: self.description, phases })
    }
}

impl ChannelForm {
    fn drafted(self, seed: u64) -> Result<Draft, Failure> {
        if self.then.len() > MOST_PHASES {
            return Err(Failure::new(format!("`then` has more than {MOST_PHASES} entries")));
        }
        let graph = written(&self.releases, &self.updates)?;
        let mut phases =
            vec![DraftPhase { after: 0, graph, behavior: self.answer.behavior(seed)? }];
        for form in self.then {
            let Some(last) = phases.last() else { break };
            if form.after <= last.after {
                let after = form.after;
                return Err(Failure::new(format!(
                    "`after: {after}` has to be larger than the one before"
                )));
            }
            // What a phase does not set stays as in the previous phase.
            let graph = match (&form.updates, form.releases.as_slice()) {
                (None, []) => last.graph.clone(),
                (updates, releases) => written(releases, updates.as_deref().unwrap_or_default())?,
            };
            let behavior = match form.answer {
                None => last.behavior.clone(),
                Some(answer) => answer.behavior(seed)?,
            };
            phases.push(DraftPhase { after: form.after, graph, behavior });
        }
        Ok(Draft { description: self.description, phases })
    }
}

fn written(releases: &[String], updates: &str) -> Result<WrittenGraph, Failure> {
    let releases = releases.iter().map(|text| parsed(text)).collect::<Result<BTreeSet<_>, _>>()?;
    WrittenGraph { releases, updates: updates::read(updates)? }.with_ends()
}

impl RiskForm {
    fn risk(self, name: String) -> Risk {
        let (message, url, promql) = match self {
            Self::Short(text) if text == "always" => (None, None, None),
            Self::Short(query) => (None, None, Some(query)),
            Self::Long(long) => (long.message, long.url, long.promql),
        };
        let kind = if promql.is_some() { "PromQL" } else { "Always" };
        Risk {
            message: message.unwrap_or_else(|| format!("The made-up risk {name}.")).into(),
            url: url.unwrap_or_else(|| format!("https://example.com/{name}")).into(),
            matching_rules: vec![MatchingRule {
                kind: kind.into(),
                promql: promql.map(Into::into),
            }],
            name: name.into(),
        }
    }
}

impl AnswerForm {
    fn behavior(self, seed: u64) -> Result<Behavior, Failure> {
        let percent = self.percent.unwrap_or(100);
        if percent > 100 {
            return Err(Failure::new(format!("`percent: {percent}` is more than 100")));
        }
        if let Some(status) = self.status.filter(|status| !(200..600).contains(status)) {
            return Err(Failure::new(format!(
                "`status: {status}` is not a status from 200 to 599"
            )));
        }
        let is_header = |text: &String| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if let Some(content_type) = self.content_type.as_ref().filter(|text| !is_header(text)) {
            return Err(Failure::new(format!("`type: {content_type}` is not a media type")));
        }
        Ok(Behavior {
            delay: self.delay.as_deref().map(delay).transpose()?,
            status: self.status,
            content_type: self.content_type,
            body: self.body,
            cut_after: self.cut_after,
            percent,
            seed,
        })
    }
}

/// Parses a delay such as `500ms`, `2s`, or `100ms..2s`.
fn delay(text: &str) -> Result<RangeInclusive<Duration>, Failure> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let read = |part: &str| {
        let part = part.trim();
        let (number, unit) = match part.strip_suffix("ms") {
            Some(number) => (number, 1),
            None => (part.strip_suffix('s')?, 1000),
        };
        let milliseconds = number.trim().parse::<u64>().ok()?.checked_mul(unit)?;
        Some(Duration::from_millis(milliseconds))
    };
    let (least, most) = read(least).zip(read(most)).ok_or_else(|| {
        format!("`delay: {text}` is not a delay: write `500ms`, `2s`, or `1s..2s`")
    })?;
    if least > most || most > LONGEST_DELAY {
        return Err(Failure::new(format!(
            "`delay: {text}` is longer than an hour, or goes backward"
        )));
    }
    Ok(least..=most)
}
