//! The fixes that findings offer.

use crate::lint::path_of;
use crate::rules::Finding;
use crate::text::Fix;

use super::Checked;

/// A fix, and the findings that it fixes.
pub(super) struct Offer<'f> {
    pub fix: &'f Fix,
    pub findings: Vec<&'f Finding>,
    /// The package or the file that it belongs to.
    pub part: String,
}

/// Identifies an offer after other fixes were made: its part, its rule, and what it does.
pub(super) type OfferKey = (String, &'static str, String);

/// The most fixes. Each is compared with all others.
const MOST: usize = 500;

impl Offer<'_> {
    pub(super) fn key(&self) -> OfferKey {
        let rule = self.findings.first().map_or("", |finding| finding.rule.name);
        (self.part.clone(), rule, self.fix.message.clone())
    }
}

/// The fixes of all findings, in order. Several findings can share one.
pub(super) fn offers<C: Checked>(checked: &C) -> Vec<Offer<'_>> {
    let mut offers: Vec<Offer<'_>> = Vec::new();
    for finding in checked.findings() {
        let Some(fix) = &finding.fix else { continue };
        if let Some(known) = offers.iter_mut().find(|offer| offer.fix == fix) {
            known.findings.push(finding);
        } else if offers.len() < MOST {
            let part = part(checked, finding);
            offers.push(Offer { fix, findings: vec![finding], part });
        }
    }
    offers
}

/// The package or the file that a finding belongs to.
pub(super) fn part<C: Checked>(checked: &C, finding: &Finding) -> String {
    let package = finding.catalog.package.clone();
    package.unwrap_or_else(|| path_of(checked.sources(), &finding.place).to_owned())
}
