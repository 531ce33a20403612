//! The digest of a channel's graph, which says what a certificate is about.
//!
//! It covers the updates that clusters take into account: not those that they drop. It is the
//! SHA-256 of one line of JSON for each release, in order of the versions as texts: the version,
//! the origins of its unconditional updates, and those of its conditional updates by their risks. A
//! risk is the beginning of the SHA-256 of its name and its rules.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use crate::domain::Arena;
use crate::graph::{ReasonId, Risk, State, UpdateGraph};
use crate::text::sha256;

use super::super::channel_graph::{ChannelGraph, MemberId};

/// Makes the digests of the channels of one graph.
#[derive(Debug)]
pub struct Digests {
    /// The digests of the risks of each reason, sorted. Empty for an unconditional update.
    risks: Arena<ReasonId, Vec<String>>,
}

/// The number of hexadecimal digits that identify a risk.
const RISK_DIGITS: usize = 16;

impl Digests {
    pub fn of(graph: &UpdateGraph) -> Self {
        let digests: Arena<_, String> = graph.risks.iter().map(digest).collect();
        let of_reason = |state: &State| {
            let State::Conditional(risks) = state else { return Vec::new() };
            let mut risks: Vec<String> = risks.iter().map(|risk| digests[*risk].clone()).collect();
            risks.sort_unstable();
            risks
        };
        Self { risks: graph.reasons.iter().map(|reason| of_reason(&reason.state)).collect() }
    }

    pub fn channel(&self, channel: &ChannelGraph) -> String {
        let mut in_order: Vec<MemberId> = channel.members.ids().collect();
        in_order.sort_unstable_by(|a, b| channel.version(*a).cmp(channel.version(*b)));
        let members = channel.members.iter();
        let names: Arena<MemberId, String> =
            members.map(|member| json!(member.version).to_string()).collect();
        let mut updates: Arena<MemberId, Vec<(&str, ReasonId)>> =
            Arena::filled(channel.members.len(), Vec::new());
        for from in &in_order {
            for update in channel.out.get(*from) {
                updates[update.to].push((&names[*from], update.reason));
            }
        }
        let mut text = String::new();
        for to in &in_order {
            let mut by_risks = self.by_risks(&updates[*to]);
            let unconditional = by_risks.remove([].as_slice()).unwrap_or_default();
            let groups = by_risks.iter().map(|(risks, origins)| {
                format!("[[\"{}\"],[{}]]", risks.join("\",\""), origins.join(","))
            });
            let groups = groups.collect::<Vec<_>>().join(",");
            let _ = writeln!(text, "[{},[{}],[{groups}]]", names[*to], unconditional.join(","));
        }
        sha256(text)
    }

    /// The origins of updates by the risks of the updates, in the order in which they are given.
    fn by_risks<'a>(&self, updates: &[(&'a str, ReasonId)]) -> BTreeMap<&[String], Vec<&'a str>> {
        let mut by_reason: Vec<(ReasonId, Vec<&str>)> = Vec::new();
        for (from, reason) in updates {
            match by_reason.iter_mut().find(|(known, _)| known == reason) {
                Some((_, origins)) => origins.push(from),
                None => by_reason.push((*reason, vec![from])),
            }
        }
        let mut by_risks: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
        for (reason, origins) in by_reason {
            let known = by_risks.entry(&self.risks[reason]).or_default();
            let is_alone = known.is_empty();
            known.extend(origins);
            if !is_alone {
                known.sort_unstable();
            }
        }
        by_risks
    }
}

fn digest(risk: &Risk) -> String {
    let rules = risk.matching_rules.iter().map(|rule| (&*rule.kind, rule.promql.as_deref()));
    let mut digits = sha256(json!([&*risk.name, rules.collect::<Vec<_>>()]).to_string());
    digits.truncate(RISK_DIGITS);
    digits
}
