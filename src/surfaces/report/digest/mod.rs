//! The report of `digest`: what changed for clusters since a day or a commit.

mod atom;
mod human;
mod json;
mod markdown;

use crate::change::{Digest, RiskNews, RiskNewsKind};
use crate::domain::Format;
use crate::report::printed::{Printed, Writer};
use crate::text::words::{list_all, listed};

use super::ChangeReport;
use super::change::{SentenceWithDetails, exit_sentences};

/// The news between two commits.
#[derive(Debug)]
pub(crate) struct DigestReport<'a> {
    pub digest: &'a Digest,
    pub change: &'a ChangeReport<'a>,
    pub since: &'a DigestEnd,
    pub until: &'a DigestEnd,
}

/// A commit, and its time in seconds since 1970.
#[derive(Clone, Debug)]
pub(crate) struct DigestEnd {
    pub commit: String,
    pub time: i64,
}

impl Printed for DigestReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => human::write,
            Format::Json => |report, _, out| json::write(report, out),
            Format::Markdown => |report, _, out| markdown::write(report, out),
            Format::Atom => |report, _, out| atom::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

/// A section of a digest: a heading, and sentences with details.
struct Section {
    heading: &'static str,
    items: Vec<SentenceWithDetails>,
}

impl Section {
    fn plain(heading: &'static str, sentences: impl Iterator<Item = String>) -> Self {
        Self { heading, items: sentences.map(|sentence| (sentence, Vec::new())).collect() }
    }
}

impl DigestReport<'_> {
    /// The sections that have something to say.
    fn sections(&self) -> Vec<Section> {
        let releases = self.digest.releases.iter().filter(|(_, releases)| !releases.is_empty());
        let releases =
            releases.map(|(channel, new)| format!("{channel}: {}", list_all(new, "and")));
        let tombstones = self.digest.tombstones.iter();
        let tombstones = tombstones
            .map(|(channel, version)| format!("{version} goes no further than `{channel}`"));
        let exits = exit_sentences(self.change);
        let mut sections = vec![
            Section::plain("Releases", releases),
            Section::plain("Risks", self.digest.risks.iter().map(in_words)),
        ];
        sections.extend(exits.into_iter().map(|(heading, items)| Section { heading, items }));
        sections.push(Section::plain("Tombstones", tombstones));
        sections.retain(|section| !section.items.is_empty());
        sections
    }
}

fn in_words(news: &RiskNews) -> String {
    let releases = listed(&news.releases, "and");
    let Some(name) = &news.name else {
        return match news.kind {
            RiskNewsKind::Declared | RiskNewsKind::Extended => {
                format!("updates to {releases} are blocked")
            }
            _ => format!("updates to {releases} are no longer blocked"),
        };
    };
    match news.kind {
        RiskNewsKind::Declared => format!("`{name}` is new, on {releases}"),
        RiskNewsKind::Extended => format!("`{name}` is not fixed yet, and also on {releases}"),
        RiskNewsKind::Fixed => format!("`{name}` is fixed in {releases}"),
        RiskNewsKind::Reduced => format!("`{name}` is no longer on {releases}"),
        RiskNewsKind::Removed => format!("`{name}` is removed"),
    }
}

fn kind_name(kind: RiskNewsKind) -> &'static str {
    match kind {
        RiskNewsKind::Declared => "declared",
        RiskNewsKind::Extended => "extended",
        RiskNewsKind::Fixed => "fixed",
        RiskNewsKind::Reduced => "reduced",
        RiskNewsKind::Removed => "removed",
    }
}
