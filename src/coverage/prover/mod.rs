//! The proof that each cluster gets exactly one sample, 0 or 1.
//!
//! The queries are evaluated with what is known instead of samples (`vector`, `number`). Where more
//! than one thing is possible, all of them are tried (`choices`): whether there are series of a kind
//! (`universe`), whether two labels have the same text, how two numbers compare. What is decided in one
//! case stays decided there (`case`). Each cluster that the dictionary allows is in one of the cases, so
//! what holds in all cases holds on all clusters. The other way around, a case may stand for no cluster:
//! where the proof fails, the answer is not known.

mod aggregate;
mod binary;
mod case;
mod choices;
mod eras;
mod functions;
mod names;
mod number;
mod steps;
mod stop;
mod texts;
mod universe;
mod vector;

use std::collections::HashSet;
use std::rc::Rc;

use crate::promql::{Expr, NodeId, Query, Type};

use super::dictionary::Dictionary;
use case::{Case, Fact, Moment};
use choices::Choices;
use functions::Arguments;
use steps::{Steps, finds_all, shift};
use stop::Stop;
use universe::Universe;
use vector::{Answer, Vector};

/// Where something that is only partly known comes from. In one case, it is the same thing wherever it
/// is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    /// The only series of a kind.
    Series {
        metric: usize,
        kind: usize,
        moment: usize,
    },
    Step {
        step: usize,
        number: u32,
    },
}

/// The most steps that are evaluated.
const MOST: usize = 20_000;

/// What a query can answer in some case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CanBe {
    pub(super) zero: bool,
    pub(super) one: bool,
    /// Anything else: no sample, several, another value, or a failure.
    pub(super) other: bool,
}

/// A part of a query of which nothing can be said.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// After "I cannot judge".
    pub(super) what: String,
}

/// What all clusters together can answer.
pub(super) struct Proof {
    /// Why there may be more answers.
    pub(super) gap: Option<Gap>,
    /// For each query, what some cluster can answer.
    pub(super) can_be: Vec<CanBe>,
    /// What one query can answer where the one before it answers 1, and where it does not.
    pub(super) pairs: Vec<[CanBe; 2]>,
    /// For each query, whether a side of `or` was needed, by the node of the `or`.
    pub(super) needed: Vec<Vec<bool>>,
    /// The metrics that the dictionary does not know.
    pub(super) unknown: Vec<String>,
}

impl Proof {
    /// Evaluates queries in all cases.
    pub(super) fn of(queries: &[&Query], dictionary: &Dictionary) -> Self {
        let steps = Steps::of(queries);
        let universe = match Universe::of(queries, dictionary) {
            Ok(universe) => universe,
            Err(what) => return Self::nothing(queries, what),
        };
        let quick = Explorer::new(queries, &steps, &universe, false).explore();
        if quick.is_proved() || quick.gap.is_some() {
            return quick;
        }
        let thorough = Explorer::new(queries, &steps, &universe, true).explore();
        if thorough.gap.is_some() { quick } else { thorough }
    }

    fn nothing(queries: &[&Query], what: String) -> Self {
        let anything = CanBe { zero: true, one: true, other: true };
        Self {
            gap: Some(Gap { what }),
            can_be: vec![anything; queries.len()],
            pairs: vec![[anything; 2]; queries.len()],
            needed: queries.iter().map(|query| vec![true; query.root().index() + 1]).collect(),
            unknown: Vec::new(),
        }
    }

    /// Whether all clusters get exactly one sample, 0 or 1.
    pub(super) fn is_proved(&self) -> bool {
        self.gap.is_none() && self.can_be.iter().all(|can_be| !can_be.other)
    }
}

/// Evaluates queries in one case after the other.
struct Explorer<'q> {
    case: Case<'q>,
    /// What was seen so far.
    proof: Proof,
    /// For each step, how many facts there were before it.
    facts_before: Vec<usize>,
    /// For each step, which metrics later selectors ask for.
    asked_later: Vec<u64>,
    /// What was decided when a step was done, where all that follows from it was seen.
    known: HashSet<(usize, u64)>,
    evaluated: usize,
}

impl<'q> Explorer<'q> {
    fn new(
        queries: &[&Query],
        steps: &'q Steps<'q>,
        universe: &'q Universe,
        is_thorough: bool,
    ) -> Self {
        let nothing = [CanBe::default(); 2];
        let proof = Proof {
            gap: None,
            can_be: vec![CanBe::default(); queries.len()],
            pairs: vec![nothing; queries.len()],
            needed: queries.iter().map(|query| vec![false; query.root().index() + 1]).collect(),
            unknown: universe.unknown.clone(),
        };
        let mut asked_later = vec![0; steps.len() + 1];
        for (at, step) in steps.iter().enumerate().collect::<Vec<_>>().into_iter().rev() {
            // The series of a selector in a range are asked for by the range.
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

    fn explore(mut self) -> Proof {
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

    /// Evaluates the steps that are left, in one case.
    fn follow(&mut self) -> Result<(), Gap> {
        let steps = self.case.steps;
        while let Some(step) = steps.get(self.case.answers.len()) {
            let at = self.case.answers.len();
            if let Some(to) = self.jump(at) {
                self.case.answers.resize_with(to, || None);
                continue;
            }
            self.evaluated += 1;
            if self.evaluated > MOST {
                return Err(Gap { what: "the many cases of it".into() });
            }
            self.facts_before[at] = self.case.facts.len();
            self.case.choices.begin(at);
            (self.case.step, self.case.given) = (step.same, 0);
            // The selector of a range has no answer of its own.
            let earlier = self.case.answers.get(step.same).cloned().flatten();
            let earlier = earlier.filter(|answer| !matches!(**answer, Answer::Nothing));
            let answer = match earlier {
                Some(answer) => Ok(answer),
                None => self.case.evaluate(at).map(Rc::new),
            };
            match answer {
                Ok(answer) => self.case.answers.push(Some(answer)),
                Err(Stop::Impossible) => return Ok(()),
                Err(Stop::CanFail) => {
                    self.note_failure();
                    return Ok(());
                }
                Err(Stop::Gap(what)) => return Err(Gap { what }),
            }
            self.note_needed(at);
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

    /// The operator at which to go on, if the left side says that the right one does not matter.
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
                Some(Answer::Vector(left)) if step.expr().is_or() => {
                    !left.is_empty() && finds_all(binary)
                }
                Some(Answer::Vector(left)) => {
                    let is_vector = step.query.node(binary.right).kind == Type::Vector;
                    left.is_empty() && is_vector
                }
                _ => false,
            }
        })
    }

    fn note_needed(&mut self, at: usize) {
        let Some(step) = self.case.steps.get(at) else { return };
        let Expr::Binary(binary) = step.expr() else { return };
        if !step.expr().is_or() {
            return;
        }
        let families = |at: usize| match self.case.answers.get(at).and_then(Option::as_deref) {
            Some(Answer::Vector(vector)) => vector.families.len(),
            _ => 0,
        };
        if families(at) > families(step.of(binary.left)) {
            let query = self.case.steps.answers().filter(|root| *root < step.first).count();
            self.proof.needed[query][step.id.index()] = true;
        }
    }

    /// A query may fail in this case; what else it can answer is open.
    fn note_failure(&mut self) {
        let anything = CanBe { zero: true, one: true, other: true };
        self.proof.can_be.fill(anything);
        self.proof.pairs.fill([anything; 2]);
        for needed in &mut self.proof.needed {
            needed.fill(true);
        }
    }

    fn note_answers(&mut self) {
        let mut before: Option<(CanBe, Rc<Answer>)> = None;
        for (query, at) in self.case.steps.answers().collect::<Vec<_>>().into_iter().enumerate() {
            let Some(answer) = self.case.answers.get(at).cloned().flatten() else { continue };
            let now = self.case.possible(&answer);
            self.proof.can_be[query].add(now);
            if let Some((then, earlier)) = before {
                let is_same = is_same_answer(&earlier, &answer);
                let [if_one, else_] = &mut self.proof.pairs[query];
                if then.one {
                    if_one.add(if is_same { CanBe { one: true, ..CanBe::default() } } else { now });
                }
                if then.zero || then.other {
                    else_.add(if is_same { CanBe { one: false, ..now } } else { now });
                }
            }
            before = Some((now, answer));
        }
    }
}

impl CanBe {
    fn add(&mut self, other: Self) {
        self.zero |= other.zero;
        self.one |= other.one;
        self.other |= other.other;
    }
}

impl Case<'_> {
    fn evaluate(&mut self, at: usize) -> Result<Answer, Stop> {
        let Some(step) = self.steps.get(at) else { return Err(Stop::Impossible) };
        let answer = |case: &Self, id: NodeId| -> Answer {
            let answer = case.answers.get(step.of(id)).and_then(Option::as_deref);
            answer.cloned().unwrap_or(Answer::Vector(Vector::empty()))
        };
        match step.expr() {
            Expr::Number(number) => Ok(Answer::Scalar(number::Number::exactly(*number))),
            Expr::Text(_) => Ok(Answer::Nothing),
            Expr::Paren(of) => Ok(answer(self, *of)),
            Expr::Selector(selector) => {
                if step.is_in_range {
                    return Ok(Answer::Nothing);
                }
                let moment = Moment { window: 0, shift: shift(selector) };
                self.selected(selector, moment).map(Answer::Vector)
            }
            Expr::Range(of, window) => match &step.query.node(step.query.bare(*of)).expr {
                Expr::Selector(selector) => {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "it saturates"
                    )]
                    let window = (window.value * 1000.0) as u64;
                    let moment = Moment { window: window.max(1), shift: shift(selector) };
                    self.selected(selector, moment).map(Answer::Range)
                }
                _ => Err(Stop::Gap("this range".into())),
            },
            Expr::Subquery(_) => Err(Stop::Gap("a subquery".into())),
            Expr::Unary(is_minus, of) => Ok(match answer(self, *of) {
                Answer::Scalar(number) if *is_minus => Answer::Scalar(number.negated()),
                Answer::Vector(mut vector) if *is_minus => {
                    for family in &mut vector.families {
                        family.value = family.value.negated();
                    }
                    Answer::Vector(vector)
                }
                other => other,
            }),
            Expr::Call(call) => {
                let answers = call.arguments.iter().map(|id| answer(self, *id)).collect();
                self.called(&Arguments { query: step.query, call, answers })
            }
            Expr::Aggregation(aggregation) => {
                let parameter = aggregation.parameter.map(|id| answer(self, id));
                match answer(self, aggregation.of) {
                    Answer::Vector(vector) => self
                        .aggregated(aggregation, parameter.as_ref(), &vector)
                        .map(Answer::Vector),
                    _ => Ok(Answer::Nothing),
                }
            }
            Expr::Binary(binary) => {
                let (left, right) = (answer(self, binary.left), answer(self, binary.right));
                self.combined(binary, &left, &right)
            }
        }
    }

    fn possible(&self, answer: &Answer) -> CanBe {
        let Answer::Vector(vector) = answer else {
            return CanBe { other: true, ..CanBe::default() };
        };
        let Some(family) = vector.single() else {
            let can_be = |value: f64| {
                vector.families.len() == 1
                    && vector.families.iter().any(|family| family.value.can_be(value))
            };
            return CanBe { zero: can_be(0.0), one: can_be(1.0), other: true };
        };
        let value = self.sharpened(family.value);
        CanBe { zero: value.can_be(0.0), one: value.can_be(1.0), other: value.can_be_other() }
    }
}

/// Whether two answers are the same sample.
fn is_same_answer(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Answer::Vector(one), Answer::Vector(other)) => match (one.single(), other.single()) {
            (Some(one), Some(other)) => {
                let (one, other) = (one.value, other.value);
                one.name.is_some() && one.name == other.name
            }
            _ => one.is_empty() && other.is_empty(),
        },
        _ => false,
    }
}
