//! The functions that queries call.

use crate::promql::{self, Call, Expr, MatchOp, Query, Selector};

use super::case::Case;
use super::names::{Label, LabelSet};
use super::number::Number;
use super::stop::Stop;
use super::vector::{Family, PartAnswer, Text, Vector};

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    pub(super) query: &'a Query,
    pub(super) call: &'a Call,
    pub(super) answers: Vec<PartAnswer>,
}

impl Arguments<'_> {
    fn number(&self, at: usize) -> Option<Number> {
        match self.answers.get(at) {
            Some(PartAnswer::Scalar(number)) => Some(*number),
            _ => None,
        }
    }

    fn vector(&self) -> Option<&Vector> {
        self.answers.iter().find_map(|answer| match answer {
            PartAnswer::Vector(vector) | PartAnswer::Range(vector) => Some(vector),
            _ => None,
        })
    }

    fn text(&self, at: usize) -> &str {
        let node = self.call.arguments.get(at).map(|id| self.query.node(self.query.bare(*id)));
        match node.map(|node| &node.expr) {
            Some(Expr::Text(text)) => text,
            _ => "",
        }
    }

    fn selector(&self) -> Option<&Selector> {
        let id = self.query.bare(self.call.vector(self.query)?);
        let id = match &self.query.node(id).expr {
            Expr::Range(of, _) => self.query.bare(*of),
            _ => id,
        };
        match &self.query.node(id).expr {
            Expr::Selector(selector) => Some(selector),
            _ => None,
        }
    }
}

impl Case<'_> {
    pub(super) fn called(&mut self, arguments: &Arguments<'_>) -> Result<PartAnswer, Stop> {
        let name = arguments.call.function.name;
        let labels = self.universe.names.len();
        let Some(vector) = arguments.vector() else {
            return Ok(match (name, arguments.number(0)) {
                ("vector", Some(number)) => {
                    PartAnswer::Vector(Vector::one(Family::bare(number, labels)))
                }
                ("time", _) => PartAnswer::Scalar(Number::time()),
                ("pi", _) => PartAnswer::Scalar(Number::exactly(std::f64::consts::PI)),
                // A function about dates.
                (_, None) => {
                    let family = Family::bare(Number::time(), labels);
                    self.mapped(arguments, &Vector::one(family))?
                }
                _ => return Err(gap(name)),
            });
        };
        match name {
            "absent" | "absent_over_time" => Ok(PartAnswer::Vector(self.absent(arguments, vector))),
            "scalar" => Ok(PartAnswer::Scalar(match vector.single() {
                Some(family) => self.sharpened(family.value),
                None if vector.families.iter().all(|family| !family.is_many) => Number::nan(),
                None => vector
                    .families
                    .iter()
                    .fold(Number::nan(), |number, family| number.or(family.value.nameless())),
            })),
            "sort" | "sort_desc" => Ok(PartAnswer::Vector(vector.clone())),
            "label_replace" => self.replaced(arguments, vector).map(PartAnswer::Vector),
            "label_join" => self.label_joined(arguments, vector).map(PartAnswer::Vector),
            _ => self.mapped(arguments, vector),
        }
    }

    fn absent(&self, arguments: &Arguments<'_>, vector: &Vector) -> Vector {
        if !vector.is_empty() {
            return Vector::empty();
        }
        let mut family = Family::bare(Number::exactly(1.0), self.universe.names.len());
        let matchers = arguments.selector().map(|selector| selector.matchers.as_slice());
        for (label, name) in self.universe.names.iter() {
            let mut own = matchers.unwrap_or_default().iter().filter(|m| m.label.value == name);
            if let (Some(matcher), None) = (own.next(), own.next())
                && matcher.op == MatchOp::Equal
            {
                family.texts[label] = Text::Exactly(matcher.value.value.as_str().into());
            }
        }
        Vector::one(family)
    }

    /// A function that is applied to each sample or series alone.
    fn mapped(&mut self, arguments: &Arguments<'_>, vector: &Vector) -> Result<PartAnswer, Stop> {
        let name = arguments.call.function.name;
        // These functions return nothing without two samples of a series, or without a histogram.
        let is_choosy = matches!(
            name,
            "rate" | "irate" | "increase" | "delta" | "idelta" | "deriv" | "predict_linear"
        );
        let mut families = Vec::new();
        for family in &vector.families {
            if is_choosy && !self.coin() {
                continue;
            }
            let value = self.sharpened(family.value);
            let value = result(name, value, arguments).ok_or_else(|| gap(name))?;
            let value = if family.is_many { value.nameless() } else { self.name(value) };
            families.push(family.with_value(value));
        }
        Ok(PartAnswer::Vector(Vector { families, distinct: vector.distinct }))
    }

    fn replaced(&mut self, arguments: &Arguments<'_>, vector: &Vector) -> Result<Vector, Stop> {
        let (target, replacement) = (arguments.text(1), arguments.text(2));
        let (source, pattern) = (arguments.text(3), arguments.text(4));
        let Some(label) = self.label(target) else { return Err(gap("label_replace")) };
        let mut families = Vec::new();
        let mut is_changed = false;
        for family in &vector.families {
            // No series has a label whose name is invalid.
            let from = self.universe.names.find(source);
            let from = from.map_or_else(Text::missing, |source| family.texts[source].clone());
            let old = family.texts[label].clone();
            let new = match from.exact() {
                Some(text) => promql::label_replaced(pattern, text, replacement)
                    .map_err(|_| gap("label_replace"))?
                    .map(|new| Text::Exactly(new.as_str().into())),
                None => self.replacement(pattern, replacement, label, family.is_many),
            };
            is_changed |= new.is_some();
            let mut result = family.clone();
            result.texts[label] = new.unwrap_or(old);
            families.push(result);
        }
        let changed = if is_changed { LabelSet::NONE.with(label) } else { LabelSet::NONE };
        vector.relabeled(families, changed)
    }

    /// What `label_replace` makes of a text that is not known. None if the label stays as it is.
    fn replacement(
        &mut self,
        pattern: &str,
        replacement: &str,
        label: Label,
        is_many: bool,
    ) -> Option<Text> {
        let matches_all = matches!(pattern, ".*" | "(.*)");
        if !matches_all && !is_many && !self.coin() {
            return None;
        }
        // Without a `$`, all texts that match get the same replacement.
        let is_fixed = !replacement.contains('$') && (matches_all || !is_many);
        let text = if is_fixed {
            Text::Exactly(replacement.into())
        } else {
            Text::any(self.new_name(), label)
        };
        Some(text)
    }

    fn label_joined(&mut self, arguments: &Arguments<'_>, vector: &Vector) -> Result<Vector, Stop> {
        let (target, separator) = (arguments.text(1), arguments.text(2));
        let Some(label) = self.label(target) else { return Err(gap("label_join")) };
        let sources: Vec<&str> =
            (3..arguments.call.arguments.len()).map(|at| arguments.text(at)).collect();
        let mut families = Vec::new();
        for family in &vector.families {
            let texts = sources.iter().map(|source| {
                let label = self.universe.names.find(source)?;
                family.texts[label].exact()
            });
            let texts: Option<Vec<&str>> = texts.collect();
            let text = match texts {
                Some(texts) => Text::Exactly(texts.join(separator).into()),
                None => Text::any(self.new_name(), label),
            };
            let mut result = family.clone();
            result.texts[label] = text;
            families.push(result);
        }
        vector.relabeled(families, LabelSet::NONE.with(label))
    }

    fn label(&self, name: &str) -> Option<usize> {
        let names = &self.universe.names;
        names.find(name)
    }
}

fn gap(name: &str) -> Stop {
    Stop::Gap(format!("`{name}`"))
}

/// The result of a function for one sample or series, whose values are within `value`.
fn result(name: &str, value: Number, arguments: &Arguments<'_>) -> Option<Number> {
    let is_finite = value.lo.is_finite() && value.hi.is_finite();
    let can_be_nan = value.can_be_nan || !is_finite;
    let nan = |number: Number| Number { can_be_nan: can_be_nan || number.can_be_nan, ..number };
    let positive = |number: Number| {
        if value.lo < 0.0 { Number { lo: f64::NEG_INFINITY, ..number } } else { number }
    };
    let unbounded = Number::between(0.0, f64::INFINITY);
    Some(match name {
        "abs" if value.lo >= 0.0 => value,
        "abs" => {
            let hi = value.hi.max(-value.lo);
            Number { lo: if value.hi < 0.0 { -value.hi } else { 0.0 }, hi, ..value.nameless() }
        }
        "ceil" => value.mapped(f64::ceil, true),
        "floor" => value.mapped(f64::floor, true),
        "round" => match arguments.number(1).map(Number::point) {
            // Halves are rounded up.
            None | Some(Some(1.0)) => value.mapped(|value| (value + 0.5).floor(), true),
            Some(Some(to)) if to > 0.0 && is_finite => {
                let inverse = 1.0 / to;
                value.mapped(|value| (value * inverse + 0.5).floor() / inverse, false)
            }
            _ => Number::any(),
        },
        "sgn" => value.mapped(|value| if value == 0.0 { 0.0 } else { value.signum() }, true),
        "clamp" => {
            let (lo, hi) = (arguments.number(1)?.point()?, arguments.number(2)?.point()?);
            if lo > hi || lo.is_nan() || hi.is_nan() {
                return None;
            }
            clamped(value, lo, hi)
        }
        "clamp_min" => clamped(value, arguments.number(1)?.point()?, f64::INFINITY),
        "clamp_max" => clamped(value, f64::NEG_INFINITY, arguments.number(1)?.point()?),
        "last_over_time" | "max_over_time" | "min_over_time" => value,
        "present_over_time" => Number::exactly(1.0),
        "count_over_time" => Number { lo: 1.0, ..Number::count() },
        "sum_over_time" => {
            let lo = if value.lo < 0.0 { Number::finite().lo } else { value.lo };
            let hi = if value.hi > 0.0 { Number::finite().hi } else { value.hi };
            nan(Number { lo: lo.min(value.lo), hi: hi.max(value.hi), ..value.nameless() })
        }
        "avg_over_time" => match value.point() {
            Some(_) if is_finite => value,
            _ => {
                let slack = value.lo.abs().max(value.hi.abs()) * 1e-12;
                nan(Number::between(value.lo - slack, value.hi + slack))
            }
        },
        "quantile_over_time" => {
            let phi = arguments.number(0)?;
            let is_usual = phi.lo >= 0.0 && phi.hi <= 1.0 && !phi.can_be_nan && !can_be_nan;
            match value.point() {
                Some(_) if is_usual => value,
                _ if is_usual => Number { is_whole: false, ..value.nameless() },
                _ => Number::any(),
            }
        }
        "stddev_over_time" | "stdvar_over_time" => nan(unbounded),
        "changes" | "resets" => Number::count(),
        "rate" | "irate" | "increase" => positive(nan(unbounded)),
        "delta" | "idelta" | "deriv" | "predict_linear" => Number::any(),
        "timestamp" => Number::time(),
        "acos" | "acosh" | "asin" | "asinh" | "atan" | "atanh" | "cos" | "cosh" | "deg" | "exp"
        | "ln" | "log10" | "log2" | "rad" | "sin" | "sinh" | "sqrt" | "tan" | "tanh" => {
            Number::any()
        }
        _ => return part_of_time(name),
    })
}

/// The result of a function that takes a part of a time, such as its hour.
fn part_of_time(name: &str) -> Option<Number> {
    Some(match name {
        "hour" => Number::whole(0.0, 23.0),
        "minute" => Number::whole(0.0, 59.0),
        "day_of_week" => Number::whole(0.0, 6.0),
        "day_of_month" => Number::whole(1.0, 31.0),
        "day_of_year" => Number::whole(1.0, 366.0),
        "days_in_month" => Number::whole(28.0, 31.0),
        "month" => Number::whole(1.0, 12.0),
        "year" => Number::whole(f64::NEG_INFINITY, f64::INFINITY),
        _ => return None,
    })
}

fn clamped(value: Number, lo: f64, hi: f64) -> Number {
    if lo.is_nan() || hi.is_nan() {
        return Number::nan();
    }
    let bound = Number::one_of([lo, hi].into_iter().filter(|bound| bound.is_finite()));
    let is_whole = value.is_whole && bound.is_whole;
    value.mapped(|value| value.clamp(lo, hi), is_whole)
}
