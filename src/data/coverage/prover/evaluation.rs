//! Evaluates each part of a query in one case.

use crate::promql::{Expr, NodeId};

use super::case::{Case, Moment};
use super::functions::Arguments;
use super::number::Number;
use super::proof::CanBe;
use super::steps::shift;
use super::stop::Stop;
use super::vector::{PartAnswer, Vector};

impl Case<'_> {
    pub(super) fn evaluate(&mut self, at: usize) -> Result<PartAnswer, Stop> {
        let Some(step) = self.steps.get(at) else { return Err(Stop::Impossible) };
        let answer = |case: &Self, id: NodeId| -> PartAnswer {
            let answer = case.answers.get(step.of(id)).and_then(Option::as_deref);
            answer.cloned().unwrap_or(PartAnswer::Vector(Vector::empty()))
        };
        match step.expr() {
            Expr::Number(number) => Ok(PartAnswer::Scalar(Number::exactly(*number))),
            Expr::Text(_) => Ok(PartAnswer::Nothing),
            Expr::Paren(of) => Ok(answer(self, *of)),
            Expr::Selector(selector) => {
                if step.is_in_range {
                    return Ok(PartAnswer::Nothing);
                }
                let moment = Moment { window: 0, shift: shift(selector) };
                self.selected(selector, moment).map(PartAnswer::Vector)
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
                    self.selected(selector, moment).map(PartAnswer::Range)
                }
                _ => Err(Stop::Gap("this range".into())),
            },
            Expr::Subquery(_) => Err(Stop::Gap("a subquery".into())),
            Expr::Unary(is_minus, of) => Ok(match answer(self, *of) {
                PartAnswer::Scalar(number) if *is_minus => PartAnswer::Scalar(number.negated()),
                PartAnswer::Vector(mut vector) if *is_minus => {
                    for family in &mut vector.families {
                        family.value = family.value.negated();
                    }
                    PartAnswer::Vector(vector)
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
                    PartAnswer::Vector(vector) => self
                        .aggregated(aggregation, parameter.as_ref(), &vector)
                        .map(PartAnswer::Vector),
                    _ => Ok(PartAnswer::Nothing),
                }
            }
            Expr::Binary(binary) => {
                let (left, right) = (answer(self, binary.left), answer(self, binary.right));
                self.combined(binary, &left, &right)
            }
        }
    }

    /// What a query may answer, if this is the answer of its root.
    pub(super) fn possible(&self, answer: &PartAnswer) -> CanBe {
        let PartAnswer::Vector(vector) = answer else {
            return CanBe { an_error: true, ..CanBe::default() };
        };
        let [family] = vector.families.as_slice() else {
            let nothing = vector.is_empty();
            return CanBe { nothing, several: !nothing, ..CanBe::default() };
        };
        let value = if family.is_many { family.value } else { self.sharpened(family.value) };
        CanBe {
            zero: value.can_be(0.0),
            one: value.can_be(1.0),
            another_value: value.can_be_other(),
            several: family.is_many,
            ..CanBe::default()
        }
    }
}
