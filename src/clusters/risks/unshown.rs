//! Risks whose tests show no cluster to which they apply.

use std::collections::BTreeMap;

use crate::promql::Dialect;
use crate::text::Span;

use super::test_file::RiskTests;
use super::{Expectation, Risks, applies_to_no_sample, sample_verdicts};

/// A risk that applies to no sample cluster, and that no test expects to apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unshown {
    pub(crate) risk: String,
    /// A place where a test file names it.
    pub(crate) place: Span,
}

impl Unshown {
    /// What is wrong, in one sentence.
    pub(crate) fn message(&self) -> String {
        format!(
            "{} applies to no sample cluster, and no test expects `applies`: nothing shows that it \
             catches a cluster",
            self.risk
        )
    }

    pub(crate) const HELP: &str = "write a test with series of a cluster to which it applies";
}

/// The risks in tests that show no cluster to which they apply.
pub(crate) fn unshown<'t>(
    tests: impl Iterator<Item = &'t RiskTests>,
    risks: &Risks<'_>,
    dialect: Dialect,
) -> Vec<Unshown> {
    let mut by_risk: BTreeMap<&str, (Span, bool)> = BTreeMap::new();
    for file in tests {
        // A test that cannot be read may expect that the risk applies.
        let may_apply = file.tests.iter().any(|one| {
            one.test.as_ref().map_or(true, |test| test.expected == Expectation::Applies)
        });
        // If the intent is true for no cluster, that is a fault of its own.
        let may_apply = may_apply || file.intent.is_some();
        let entry = by_risk.entry(&file.risk.value).or_insert((file.risk.span, false));
        entry.1 |= may_apply;
    }
    let without = by_risk.into_iter().filter(|(_, (_, may_apply))| !may_apply);
    let unshown = without.filter(|(risk, _)| {
        risks.unread_file(risk).is_none()
            && risks.get(risk).is_some_and(|definitions| {
                definitions
                    .iter()
                    .all(|one| applies_to_no_sample(one, &sample_verdicts(one, dialect)))
            })
    });
    unshown.map(|(risk, (place, _))| Unshown { risk: risk.to_owned(), place }).collect()
}
