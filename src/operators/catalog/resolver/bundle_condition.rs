//! A condition on another bundle in the namespace.

use super::constraint;
use super::pool::Candidate;
use super::step::{Step, package};
use crate::catalog::package::{Gvk, Requirement};
use crate::go;

/// A condition on bundles, as steps of a stack machine: operands come before their operator.
pub(super) struct BundleCondition {
    steps: Vec<Step>,
}

/// Where to look for bundles that may fulfill a condition.
pub(super) enum SearchPlace<'a> {
    Providers(&'a Gvk),
    Package(&'a str),
    Anywhere,
}

impl BundleCondition {
    /// The condition that a requirement sets. The error is OLM's message.
    pub(super) fn new(requirement: &Requirement) -> Result<Self, go::Error> {
        let steps = match requirement {
            Requirement::Gvk(gvk) => vec![Step::Gvk(gvk.clone())],
            Requirement::Package { name, range } => package(name, range)?.into(),
            Requirement::Label(label) => vec![Step::Label(label.clone())],
            Requirement::Constraint(value) => constraint::steps(value)?,
        };
        Ok(Self { steps })
    }

    pub(super) fn place(&self) -> SearchPlace<'_> {
        match self.steps.as_slice() {
            [Step::Gvk(gvk)] => SearchPlace::Providers(gvk),
            [Step::Package(name), Step::Version(..), Step::All(2)] => SearchPlace::Package(name),
            _ => SearchPlace::Anywhere,
        }
    }

    /// The cost of one test.
    pub(super) fn size(&self) -> usize {
        self.steps.len()
    }

    /// The first rule that only OLM can evaluate.
    pub(super) fn rule(&self) -> Option<&str> {
        self.steps.iter().find_map(|step| match step {
            Step::Cel { rule, .. } => Some(rule.as_str()),
            _ => None,
        })
    }

    /// Whether a bundle fulfills the condition. None if only OLM can tell.
    pub(super) fn test(&self, candidate: &Candidate) -> Option<bool> {
        let mut stack = Vec::new();
        for step in &self.steps {
            let answer = match step {
                Step::All(count) => all(&pop(&mut stack, *count)),
                Step::Any(count) => any(&pop(&mut stack, *count)),
                Step::Not(count) => any(&pop(&mut stack, *count)).map(|answer| !answer),
                Step::Cel { .. } => None,
                leaf => Some(leaf.holds(candidate)),
            };
            stack.push(answer);
        }
        stack.pop().flatten()
    }

    /// The condition in OLM's words.
    pub(super) fn text(&self) -> String {
        let mut stack = Vec::new();
        for step in &self.steps {
            let text = match step {
                Step::All(count) => pop(&mut stack, *count).join(" and "),
                Step::Any(count) => pop(&mut stack, *count).join(" or "),
                Step::Not(count) => pop(&mut stack, *count).join(" and not "),
                leaf => leaf.text(),
            };
            stack.push(text);
        }
        stack.pop().unwrap_or_default()
    }
}

fn pop<T>(stack: &mut Vec<T>, count: usize) -> Vec<T> {
    stack.split_off(stack.len().saturating_sub(count))
}

fn all(answers: &[Option<bool>]) -> Option<bool> {
    if answers.contains(&Some(false)) {
        return Some(false);
    }
    if answers.contains(&None) { None } else { Some(true) }
}

fn any(answers: &[Option<bool>]) -> Option<bool> {
    if answers.contains(&Some(true)) {
        return Some(true);
    }
    if answers.contains(&None) { None } else { Some(false) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::catalog::package::Bundle;

    fn answer(constraint: &str, kinds: &[&str]) -> Option<bool> {
        let provides = kinds.iter().map(|kind| gvk(kind)).collect();
        let bundle = Bundle { provides, ..Bundle::default() };
        let candidate = Candidate::installed(None, &bundle, true);
        let value = serde_json::from_str(constraint).unwrap();
        BundleCondition::new(&Requirement::Constraint(value)).unwrap().test(&candidate)
    }

    fn gvk(kind: &str) -> Gvk {
        Gvk { group: "lamp.io".into(), version: "v1".into(), kind: kind.into() }
    }

    #[test]
    fn a_rule_that_only_olm_evaluates_leaves_the_answer_open_unless_another_settles_it() {
        let bulb = r#"{"gvk":{"group":"lamp.io","version":"v1","kind":"Bulb"}}"#;
        let cel = r#"{"cel":{"rule":"true"}}"#;
        let both = format!(r#"{{"all":{{"constraints":[{bulb},{cel}]}}}}"#);
        assert_eq!(answer(&both, &["Bulb"]), None);
        assert_eq!(answer(&both, &[]), Some(false));
        let either = format!(r#"{{"any":{{"constraints":[{bulb},{cel}]}}}}"#);
        assert_eq!(answer(&either, &["Bulb"]), Some(true));
        let neither = format!(r#"{{"not":{{"constraints":[{bulb}]}}}}"#);
        assert_eq!(answer(&neither, &["Bulb"]), Some(false));
    }

    #[test]
    fn words_are_those_of_olm() {
        let name = "bulb".to_owned();
        let wish =
            BundleCondition::new(&Requirement::Package { name, range: ">=1.0.0".to_owned() })
                .unwrap();
        assert_eq!(wish.text(), "with package: bulb and with version in range: >=1.0.0");
    }
}
