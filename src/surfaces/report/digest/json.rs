//! A digest for programs. The format is versioned, and fields are only added;
//! `schemas/digest.json` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::time::write_time;
use crate::report::change::exit_sentences;
use crate::report::json::write_json;

use super::{DigestEnd, DigestReport, kind_name};

#[derive(Serialize)]
struct DigestJson<'r> {
    version: u8,
    since: EndJson<'r>,
    until: EndJson<'r>,
    releases: Vec<ChannelJson<'r>>,
    risks: Vec<RiskJson<'r>>,
    exits: Vec<ExitsJson>,
    tombstones: Vec<TombstoneJson<'r>>,
}

#[derive(Serialize)]
struct EndJson<'r> {
    commit: &'r str,
    time: String,
}

#[derive(Serialize)]
struct ChannelJson<'r> {
    channel: &'r str,
    releases: &'r [String],
}

#[derive(Serialize)]
struct RiskJson<'r> {
    name: Option<&'r str>,
    what: &'static str,
    releases: &'r [String],
}

#[derive(Serialize)]
struct ExitsJson {
    heading: &'static str,
    items: Vec<ExitJson>,
}

#[derive(Serialize)]
struct ExitJson {
    sentence: String,
    details: Vec<String>,
}

#[derive(Serialize)]
struct TombstoneJson<'r> {
    channel: &'r str,
    release: &'r str,
}

pub(super) fn write(report: &DigestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let digest = report.digest;
    let releases = digest.releases.iter();
    let risks = digest.risks.iter().map(|news| RiskJson {
        name: news.name.as_deref(),
        what: kind_name(news.kind),
        releases: &news.releases,
    });
    let exits = exit_sentences(report.change).into_iter();
    let tombstones = digest.tombstones.iter();
    let document = DigestJson {
        version: 1,
        since: end(report.since),
        until: end(report.until),
        releases: releases.map(|(channel, releases)| ChannelJson { channel, releases }).collect(),
        risks: risks.collect(),
        exits: exits
            .map(|(heading, items)| ExitsJson {
                heading,
                items: items
                    .into_iter()
                    .map(|(sentence, details)| ExitJson { sentence, details })
                    .collect(),
            })
            .collect(),
        tombstones: tombstones
            .map(|(channel, release)| TombstoneJson { channel, release })
            .collect(),
    };
    write_json(&document, out)
}

fn end(end: &DigestEnd) -> EndJson<'_> {
    EndJson { commit: &end.commit, time: write_time(end.time.saturating_mul(1000)) }
}
