//! Goes through all cases.

use std::collections::HashSet;
use std::rc::Rc;

use crate::promql::{Expr, NodeId, Query, Type};

use super::super::blame::blame;
use super::case::{self, Case, Fact};
use super::choices::Choices;
use super::proof::{CanBe, Obstacle, PartOutcome, Proof};
use super::source::Source;
use super::steps::{Steps, finds_all};
use super::stop::Stop;
use super::universe::Universe;
use super::vector::PartAnswer;

/// The most steps to evaluate.
const MOST: usize = 20_000;

/// Evaluates queries in one case after the other.
pub(super) struct Explorer<'q> {
    case: Case<'q>,
    /// What was found so far.
    proof: Proof,
    /// For each step, the number of facts before it.
    facts_before: Vec<usize>,
    /// For each step, the metrics that later selectors ask for, as bits.
    asked_later: Vec<u64>,
    /// The keys of cases whose later steps are all evaluated.
    known: HashSet<(usize, u64)>,
    evaluated: usize,
}

impl<'q> Explorer<'q> {
    pub(super) fn new(
        queries: &[&Query],
        steps: &'q Steps<'q>,
        universe: &'q Universe,
        is_thorough: bool,
    ) -> Self {
        let proof = Proof { unknown: universe.unknown.clone(), ..Proof::begun(queries) };
        let mut asked_later = vec![0; steps.len() + 1];
        for (at, step) in steps.iter().enumerate().collect::<Vec<_>>().into_iter().rev() {
            // A selector in a range is evaluated by the step of the range.
            let asks = match step.expr() {
                Expr::Range(of, _) => step.query.bare(*of),
                _ => step.id,
            };
            let own = match &step.query.node(asks).expr {
                Expr::Selector(selector) => universe.selector(selector),
                _ => None,
            };
            asked_later[at] = asked_later[at + 1] | own.map_or(0, |(metric, _)| 1 << (metric % 64));
        }
        let case = Case {
            universe,
            steps,
            moments: vec![case::NOW],
            choices: Choices::default(),
            facts: Vec::new(),
            answers: Vec::new(),
            is_thorough,
            step: 0,
            given: 0,
        };
        Self {
            case,
            proof,
            facts_before: vec![0; steps.len()],
            asked_later,
            known: HashSet::new(),
            evaluated: 0,
        }
    }

    pub(super) fn explore(mut self) -> Proof {
        loop {
            if let Err(gap) = self.follow() {
                self.proof.gap = Some(gap);
                return self.proof;
            }
            let Some(step) = self.case.choices.advance() else { return self.proof };
            self.case.facts.truncate(self.facts_before[step]);
            self.case.answers.truncate(step);
        }
    }

    /// Evaluates the remaining steps of one case.
    fn follow(&mut self) -> Result<(), Obstacle> {
        let steps = self.case.steps;
        while let Some(step) = steps.get(self.case.answers.len()) {
            let at = self.case.answers.len();
            if let Some(to) = self.jump(at) {
                self.case.answers.resize_with(to, || None);
                continue;
            }
            self.evaluated += 1;
            if self.evaluated > MOST {
                let words = "I cannot decide this query: it has too many cases".into();
                return Err(Obstacle { words, part: None });
            }
            self.facts_before[at] = self.case.facts.len();
            self.case.choices.begin(at);
            (self.case.step, self.case.given) = (step.same, 0);
            // The selector of a range has no answer of its own.
            let earlier = self.case.answers.get(step.same).cloned().flatten();
            let earlier = earlier.filter(|answer| !matches!(**answer, PartAnswer::Nothing));
            let answer = match earlier {
                Some(answer) => Ok(answer),
                None => self.case.evaluate(at).map(Rc::new),
            };
            match answer {
                Ok(answer) => self.case.answers.push(Some(answer)),
                Err(Stop::Impossible) => return Ok(()),
                Err(Stop::CanFail) => {
                    self.note_failure(at);
                    return Ok(());
                }
                Err(Stop::Gap(what)) => {
                    let part = self.place(at);
                    return Err(Obstacle { words: format!("I cannot decide {what}"), part });
                }
            }
            self.note_found(at);
            let later = self.asked_later[at + 1];
            let universe = self.case.universe;
            let is_asked = |metric: usize| later >> (metric % 64) & 1 != 0;
            let print = self.case.fingerprint(at + 1, |fact| match fact {
                Fact::There { metric, .. }
                | Fact::Number { name: Source::Series { metric, .. }, .. } => is_asked(*metric),
                Fact::State { condition, .. } => universe
                    .metrics
                    .iter()
                    .enumerate()
                    .any(|(at, metric)| metric.condition == *condition && is_asked(at)),
                Fact::IsOff { .. } => later != 0,
                Fact::Number { .. } => false,
            });
            if !self.known.insert(print) {
                return Ok(());
            }
        }
        self.note_answers();
        Ok(())
    }

    /// The operator to continue at if its left side shows that the right side does not matter.
    fn jump(&self, at: usize) -> Option<usize> {
        let step = self.case.steps.get(at)?;
        step.right_sides.iter().copied().find(|operator| {
            let Some(step) = self.case.steps.get(*operator) else { return false };
            let Expr::Binary(binary) = step.expr() else { return false };
            let right = self.case.steps.get(step.of(binary.right));
            if right.is_none_or(|right| right.can_fail) {
                return false;
            }
            let left = self.case.answers.get(step.of(binary.left)).cloned().flatten();
            match left.as_deref() {
                Some(PartAnswer::Vector(left)) if step.expr().is_or() => {
                    !left.is_empty() && finds_all(binary)
                }
                Some(PartAnswer::Vector(left)) => {
                    let is_vector = step.query.node(binary.right).kind == Type::Vector;
                    left.is_empty() && is_vector
                }
                _ => false,
            }
        })
    }

    /// The index of the query of a step, and the node.
    fn place(&self, at: usize) -> Option<(usize, NodeId)> {
        self.case.steps.get(at).map(|step| (step.nth, step.id))
    }

    /// The number of samples of a step. A family of several samples counts as 2.
    fn count(&self, at: usize) -> usize {
        match self.case.answers.get(at).and_then(Option::as_deref) {
            Some(PartAnswer::Vector(vector) | PartAnswer::Range(vector)) => {
                vector.families.iter().map(|family| 1 + usize::from(family.is_many)).sum()
            }
            Some(PartAnswer::Scalar(_)) => 1,
            Some(PartAnswer::Nothing) | None => 0,
        }
    }

    fn note_found(&mut self, at: usize) {
        let Some(step) = self.case.steps.get(at) else { return };
        let found = if self.count(at) > 0 { PartOutcome::Samples } else { PartOutcome::Nothing };
        let known = &mut self.proof.found[step.nth][step.id.index()];
        *known = found.max(*known);
        if let Expr::Binary(binary) = step.expr()
            && step.expr().is_or()
            && self.count(at) > self.count(step.of(binary.left))
        {
            self.proof.needed[step.nth][step.id.index()] = true;
        }
    }

    /// Notes that a query may fail in this case, so that anything is possible.
    fn note_failure(&mut self, at: usize) {
        self.proof.allow_anything();
        let words = "some clusters may get an error".to_owned();
        let part = self.place(at);
        self.proof.open.get_or_insert(Obstacle { words, part });
    }

    fn note_answers(&mut self) {
        let mut before: Option<(CanBe, Rc<PartAnswer>)> = None;
        for (query, at) in self.case.steps.answers().collect::<Vec<_>>().into_iter().enumerate() {
            let Some(answer) = self.case.answers.get(at).cloned().flatten() else { continue };
            let now = self.case.possible(&answer);
            self.proof.can_be[query].add(now);
            self.note_open(query, now);
            if let Some((then, earlier)) = before {
                let is_same = is_same_answer(&earlier, &answer);
                let [if_one, else_] = &mut self.proof.pairs[query];
                if then.one {
                    if_one.add(if is_same { CanBe { one: true, ..CanBe::default() } } else { now });
                }
                if then.zero || then.is_wrong() {
                    else_.add(if is_same { CanBe { one: false, ..now } } else { now });
                }
            }
            before = Some((now, answer));
        }
    }

    /// Notes why a query is not proved, if this is the first such case.
    fn note_open(&mut self, query: usize, can_be: CanBe) {
        let Some((outcome, words)) = can_be.wrong().filter(|_| self.proof.open.is_none()) else {
            return;
        };
        let Some(root) = self.case.steps.answers().nth(query) else { return };
        let Some(step) = self.case.steps.get(root) else { return };
        let counts: Vec<usize> = (step.first..=root).map(|at| self.count(at)).collect();
        let part = blame(step.query, &counts, &outcome);
        self.proof.open = Some(Obstacle { words: words.to_owned(), part: Some((query, part)) });
    }
}

/// Whether two answers are certainly the same sample.
fn is_same_answer(one: &PartAnswer, other: &PartAnswer) -> bool {
    match (one, other) {
        (PartAnswer::Vector(one), PartAnswer::Vector(other)) => {
            match (one.single(), other.single()) {
                (Some(one), Some(other)) => {
                    let (one, other) = (one.value, other.value);
                    one.name.is_some() && one.name == other.name
                }
                _ => one.is_empty() && other.is_empty(),
            }
        }
        _ => false,
    }
}
