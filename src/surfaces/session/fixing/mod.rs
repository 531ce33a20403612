//! Fixes findings: makes edits, checks again, and drops the edits that do harm.

mod catalogs;
mod offers;
mod repository;
mod strays;

pub(crate) use catalogs::CheckedCatalogs;
pub(crate) use repository::CheckedRepository;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::edit;
use crate::lint::path_of;
use crate::rules::{Finding, Place};
use crate::text::{Edit, Failure, SourceId, Sources};

use super::ChangedFile;
use super::changed_file::write_all;
use offers::{Offer, OfferKey, offers};

/// The most rounds. A fix can reveal a finding with another fix, and fixes at the same place are
/// made one after the other. No file needs more rounds.
const ROUNDS: usize = 64;
/// The most trials, because each checks everything again.
const MOST_TRIALS: usize = 400;
/// How many rounds of fixes can be tried as one.
const MOST_TOGETHER: usize = 4;

/// Files with their findings, which fixes can change.
pub(crate) trait Checked: Sized {
    fn sources(&self) -> &Sources;

    fn findings(&self) -> &[Finding];

    /// Why fixes must not change a file. None if they may.
    fn refusal(&self, file: SourceId) -> Option<String>;

    /// Checks again, with other texts for some files.
    fn with(&self, texts: &BTreeMap<SourceId, String>) -> Result<Self, Failure>;

    /// The files whose meaning changes where nothing was edited.
    fn strays(&self, after: &Self, edits: &[&Edit]) -> Vec<SourceId>;

    /// The findings that forbid the fixes of `fixed`.
    fn harm(&self, after: &Self, fixed: &[&Finding]) -> Vec<Finding>;

    /// The path of a file for messages, and its path on the disk.
    fn place(&self, file: SourceId) -> Option<(String, PathBuf)>;
}

/// The result of fixing.
#[derive(Debug)]
pub(crate) struct Fixed<C> {
    /// The files after the fixes.
    pub checked: C,
    pub changed: BTreeMap<SourceId, ChangedFile>,
    /// How many findings were fixed.
    pub fixes: usize,
    pub refused: Vec<Refused>,
    /// How many findings have no fix.
    pub unfixable: usize,
}

/// A finding with a fix that was not made.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The rule and the place of the finding.
    pub finding: String,
    pub why: String,
}

/// Makes all fixes that do no harm. Writes no files.
pub(crate) fn fix<C: Checked>(checked: C) -> Result<Fixed<C>, Failure> {
    let mut fixing = Fixing {
        now: checked,
        changed: BTreeMap::new(),
        fixes: 0,
        refused: BTreeMap::new(),
        limits: BTreeMap::new(),
        trials: 0,
    };
    for _ in 0..ROUNDS {
        if !fixing.round()? {
            break;
        }
    }
    Ok(fixing.finish())
}

struct Fixing<C> {
    now: C,
    changed: BTreeMap<SourceId, ChangedFile>,
    fixes: usize,
    refused: BTreeMap<OfferKey, String>,
    /// How many fixes of a part are tried together, if more of them did harm before.
    limits: BTreeMap<String, usize>,
    trials: usize,
}

/// A harm that fixes did, and the part that it is in.
struct Harm {
    part: String,
    why: String,
}

impl<C: Checked> Fixing<C> {
    /// Makes fixes that are compatible. Returns false if there are none.
    fn round(&mut self) -> Result<bool, Failure> {
        self.refuse_unwritable();
        while self.trials < MOST_TRIALS {
            self.trials += 1;
            let offers = self.offers();
            let (texts, made) =
                edit::apply(self.now.sources(), offers.iter().map(|offer| offer.fix));
            if texts.is_empty() {
                return Ok(false);
            }
            let made: Vec<&Offer<'_>> = made.into_iter().map(|at| &offers[at]).collect();
            let edits: Vec<&Edit> = made.iter().flat_map(|offer| &offer.fix.edits).collect();
            let fixed: Vec<&Finding> =
                made.iter().flat_map(|offer| &offer.findings).copied().collect();
            let next = self.now.with(&texts)?;
            let strays = self.now.strays(&next, &edits);
            let mut harms: Vec<Harm> = strays.iter().map(|file| self.stray(*file, &made)).collect();
            let (next, files) = self.settled(next, &fixed, texts.into_keys().collect())?;
            let harm = self.now.harm(&next, &fixed);
            harms.extend(harm.iter().map(|finding| harm_of(&next, finding)));
            if harms.is_empty() {
                let count = fixed.len();
                self.accept(next, &files, count);
                return Ok(true);
            }
            let made: Vec<(OfferKey, String)> =
                made.iter().map(|offer| (offer.key(), offer.part.clone())).collect();
            self.blame(&made, harms);
        }
        Ok(false)
    }

    /// Refuses the fixes of files that cannot be written.
    fn refuse_unwritable(&mut self) {
        let refused = offers(&self.now).into_iter().filter_map(|offer| {
            let files = offer.fix.edits.iter().map(|edit| edit.span.source);
            let why = files.into_iter().find_map(|file| self.now.refusal(file))?;
            Some((offer.key(), why))
        });
        self.refused.extend(refused);
    }

    /// The fixes to try next.
    fn offers(&self) -> Vec<Offer<'_>> {
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = offers(&self.now);
        all.retain(|offer| !self.refused.contains_key(&offer.key()));
        all.retain(|offer| {
            let count = taken.entry(offer.part.clone()).or_default();
            *count += 1;
            self.limits.get(&offer.part).is_none_or(|limit| *count <= *limit)
        });
        all
    }

    /// Makes fixes, and then the fixes of findings that they reveal, which belong together with
    /// them. Also returns the changed files.
    fn settled(
        &self,
        mut next: C,
        fixed: &[&Finding],
        mut files: BTreeSet<SourceId>,
    ) -> Result<(C, BTreeSet<SourceId>), Failure> {
        for _ in 0..MOST_TOGETHER {
            let revealed = self.now.harm(&next, fixed);
            let more: Option<Vec<_>> = revealed.iter().map(|one| one.fix.as_ref()).collect();
            let Some(more) = more.filter(|more| !more.is_empty()) else { break };
            let edits: Vec<&Edit> = more.iter().flat_map(|fix| &fix.edits).collect();
            if edits.iter().any(|edit| next.refusal(edit.span.source).is_some()) {
                break;
            }
            let (texts, made) = edit::apply(next.sources(), more.iter().copied());
            if made.is_empty() {
                break;
            }
            let later = next.with(&texts)?;
            if !next.strays(&later, &edits).is_empty() {
                break;
            }
            files.extend(texts.into_keys());
            next = later;
        }
        Ok((next, files))
    }

    fn stray(&self, file: SourceId, made: &[&Offer<'_>]) -> Harm {
        let is_here = |edit: &Edit| edit.span.source == file;
        let offer = made.iter().find(|offer| offer.fix.edits.iter().any(is_here));
        let part = offer.map_or_else(String::new, |offer| offer.part.clone());
        let path = self.now.sources().path(file);
        Harm { part, why: format!("its fix would change more of {path} than its own place") }
    }

    /// Refuses the fixes that did harm, or limits how many of them are tried together.
    fn blame(&mut self, made: &[(OfferKey, String)], harms: Vec<Harm>) {
        let mut is_known = false;
        for Harm { part, why } in &harms {
            let of_part: Vec<&OfferKey> =
                made.iter().filter(|(_, own)| own == part).map(|(key, _)| key).collect();
            is_known |= !of_part.is_empty();
            match of_part.as_slice() {
                [] => {}
                [only] => {
                    self.refused.entry((*only).clone()).or_insert_with(|| why.clone());
                    self.limits.remove(part);
                }
                several => drop(self.limits.insert(part.clone(), several.len() / 2)),
            }
        }
        // The harm is in another part, so the limit of every part decreases, until a single fix is
        // left.
        let why = harms.into_iter().next().map(|one| one.why).unwrap_or_default();
        match made {
            _ if is_known => {}
            [(only, _)] => {
                self.refused.insert(only.clone(), why);
                self.limits.clear();
            }
            several => {
                for (_, part) in &several[several.len() / 2..] {
                    self.limits.insert(part.clone(), 0);
                }
            }
        }
    }

    fn accept(&mut self, next: C, files: &BTreeSet<SourceId>, count: usize) {
        for file in files {
            let Some((path, on_disk)) = next.place(*file) else { continue };
            let change = self.changed.entry(*file).or_insert_with(|| ChangedFile {
                path,
                file: on_disk,
                old: self.now.sources().get(*file).text().to_owned(),
                new: String::new(),
            });
            next.sources().get(*file).text().clone_into(&mut change.new);
        }
        self.changed.retain(|_, change| change.old != change.new);
        self.fixes += count;
        self.limits.clear();
        self.now = next;
    }

    fn finish(self) -> Fixed<C> {
        let mut refused = Vec::new();
        for offer in offers(&self.now) {
            let Some(why) = self.refused.get(&offer.key()) else { continue };
            refused.extend(
                offer.findings.iter().map(|finding| Refused {
                    finding: located(&self.now, finding),
                    why: why.clone(),
                }),
            );
        }
        let unfixable = self.now.findings().iter().filter(|finding| finding.fix.is_none()).count();
        let Self { now, changed, fixes, .. } = self;
        Fixed { checked: now, changed, fixes, refused, unfixable }
    }
}

fn harm_of<C: Checked>(after: &C, finding: &Finding) -> Harm {
    let part = offers::part(after, finding);
    let why = format!("its fix would cause {}: {}", located(after, finding), finding.message);
    Harm { part, why }
}

/// The rule and the place of a finding, in words.
fn located<C: Checked>(checked: &C, finding: &Finding) -> String {
    let sources = checked.sources();
    let path = path_of(sources, &finding.place);
    let place = match &finding.place {
        Place::Text(span) => {
            format!("{path}:{}", sources.get(span.source).position(span.start).line)
        }
        Place::File(_) | Place::Absent(_) => path.to_owned(),
    };
    format!("{} at {place}", finding.rule.name)
}

impl<C> Fixed<C> {
    pub(crate) fn write(&self) -> Result<(), Failure> {
        write_all(self.changed.values(), "fix")
    }
}
