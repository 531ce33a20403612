//! The rules of risks that the operator understands.

use super::super::Log;
use super::super::errors::in_words;
use super::super::object::{ObjectRisk, ObjectRule};
use crate::domain::{Named, RuleKind};
use crate::go::quoted;

/// Removes invalid rules from the risks of an update to a version. Returns false at the first risk
/// that has no rule left.
pub(super) fn are_understood<'r>(
    risks: impl Iterator<Item = &'r mut ObjectRisk>,
    version: &str,
    log: &mut Log,
) -> bool {
    for risk in risks {
        let name = quoted(&risk.name);
        let faults: Vec<String> = risk.matching_rules.iter().filter_map(fault).collect();
        risk.matching_rules.retain(|rule| fault(rule).is_none());
        if risk.matching_rules.is_empty() {
            // If there is no error, the operator prints Go's words for none.
            let faults =
                if faults.is_empty() { "%!s(<nil>)".to_owned() } else { in_words(&faults) };
            log.warn(format!(
                "Conditional update to {version}, risk {name}, has empty pruned matchingRules; \
                 dropping this target to avoid rejections when pushing to the Kubernetes API \
                 server. Pruning results: {faults}"
            ));
            return false;
        }
        if !faults.is_empty() {
            log.warn(format!(
                "Conditional update to {version}, risk {name}, has pruned matchingRules (although \
                 other valid, recognized matchingRules were given, and are sufficient to keep the \
                 conditional update): {}",
                in_words(&faults)
            ));
        }
    }
    true
}

/// Why the operator does not understand a rule. None if it does.
fn fault(rule: &ObjectRule) -> Option<String> {
    let Some(kind) = RuleKind::named(&rule.kind) else {
        let kind = quoted(&rule.kind);
        return Some(format!("skipping unrecognized cluster condition type {kind}"));
    };
    if kind.fits(rule.promql.as_ref().map(|query| query.promql.as_str())) {
        return None;
    }
    let words = match (kind, &rule.promql) {
        (RuleKind::Always, _) => "the 'promql' property is not valid for 'type: Always' conditions",
        (RuleKind::PromQl, None) => {
            "the 'promql' property is required for 'type: PromQL' conditions"
        }
        (RuleKind::PromQl, Some(_)) => {
            "the 'promql.promql' query string must be non-empty for 'type: PromQL' conditions"
        }
    };
    Some(words.to_owned())
}
