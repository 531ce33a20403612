//! Operators between two vectors, or a vector and a scalar.

use crate::promql::{Binary, Matching, MatchingKind, Operator};

use super::case::Case;
use super::names::LabelSet;
use super::number::{Number, Relation};
use super::stop::Stop;
use super::vector::{Family, PartAnswer, Same, Text, Vector};

impl Case<'_> {
    pub(super) fn combined(
        &mut self,
        binary: &Binary,
        left: &PartAnswer,
        right: &PartAnswer,
    ) -> Result<PartAnswer, Stop> {
        let op = binary.op.value;
        Ok(match (left, right) {
            (PartAnswer::Scalar(left), PartAnswer::Scalar(right)) => {
                PartAnswer::Scalar(self.calculated(op, *left, *right))
            }
            (PartAnswer::Vector(vector), PartAnswer::Scalar(number)) => {
                PartAnswer::Vector(self.each(binary, vector, *number, false))
            }
            (PartAnswer::Scalar(number), PartAnswer::Vector(vector)) => {
                PartAnswer::Vector(self.each(binary, vector, *number, true))
            }
            (PartAnswer::Vector(left), PartAnswer::Vector(right)) => {
                let labels = self.matched(binary.matching.as_ref())?;
                PartAnswer::Vector(match op {
                    Operator::And => self.intersection(left, right, labels, true),
                    Operator::Unless => self.intersection(left, right, labels, false),
                    Operator::Or => self.union(left, right, labels),
                    _ => self.joined(binary, left, right, labels)?,
                })
            }
            _ => PartAnswer::Nothing,
        })
    }

    /// The labels by which samples are matched.
    fn matched(&self, matching: Option<&Matching>) -> Result<LabelSet, Stop> {
        let Some(matching) = matching else { return Ok(LabelSet::ALL) };
        let names = matching.labels.iter().map(|label| label.value.as_str());
        let is_on = matching.kind == MatchingKind::On;
        if is_on && names.clone().any(|name| name == "__name__") {
            return Err(Stop::Gap("`__name__` in a list of labels".into()));
        }
        let listed = self.universe.names.set(names);
        Ok(if is_on { listed } else { listed.but() })
    }

    /// The result of an operator that is not a comparison, on numbers that always exist.
    fn calculated(&mut self, op: Operator, left: Number, right: Number) -> Number {
        let (left, right) = (self.sharpened(left), self.sharpened(right));
        if !op.is_comparison() {
            return left.calculated(op, right);
        }
        let relations = left.relations(right);
        let holds = |relation: &Relation| relation.satisfies(op);
        match (relations.iter().any(holds), relations.iter().all(holds)) {
            (_, true) => Number::exactly(1.0),
            (false, _) => Number::exactly(0.0),
            _ if self.is_thorough && (left.name.is_some() || right.name.is_some()) => {
                let (relation, _) = self.decide(left, right, &relations);
                Number::exactly(if relation.satisfies(op) { 1.0 } else { 0.0 })
            }
            _ => Number::flag(),
        }
    }

    /// An operator on each sample of a vector and a scalar.
    fn each(&mut self, binary: &Binary, vector: &Vector, number: Number, is_right: bool) -> Vector {
        let op = binary.op.value;
        let is_filter = op.is_comparison() && binary.bool.is_none();
        let mut families = Vec::new();
        for family in &vector.families {
            let (left, right) =
                if is_right { (number, family.value) } else { (family.value, number) };
            let value = if is_filter {
                let Some((left, right)) = self.filtered(op, left, right, family.is_many) else {
                    continue;
                };
                if is_right { right } else { left }
            } else {
                self.operated(op, left, right, family.is_many)
            };
            families.push(family.with_value(value));
        }
        Vector { families, distinct: vector.distinct }
    }

    /// The result of an operator. `is_many` means for many samples instead of one.
    fn operated(&mut self, op: Operator, left: Number, right: Number, is_many: bool) -> Number {
        if is_many {
            let relations = left.nameless().relations(right);
            let holds = |relation: &Relation| relation.satisfies(op);
            return match (relations.iter().any(holds), relations.iter().all(holds)) {
                _ if !op.is_comparison() => left.calculated(op, right),
                (_, true) => Number::exactly(1.0),
                (false, _) => Number::exactly(0.0),
                _ => Number::flag(),
            };
        }
        let number = self.calculated(op, left, right);
        self.name(number)
    }

    /// What is known about both numbers of the samples that pass a comparison. None if no samples
    /// pass.
    fn filtered(
        &mut self,
        op: Operator,
        left: Number,
        right: Number,
        is_many: bool,
    ) -> Option<(Number, Number)> {
        let (left, right) = (self.sharpened(left), self.sharpened(right));
        let relations = left.relations(right);
        if relations.is_empty() {
            return None;
        }
        if is_many {
            let kept = relations.iter().filter(|relation| relation.satisfies(op)).copied();
            let narrowed = |relation: Relation| {
                (left.where_it_is(relation, right), right.where_it_is(relation.reversed(), left))
            };
            let kept =
                kept.map(narrowed).reduce(|one, other| (one.0.or(other.0), one.1.or(other.1)))?;
            let is_all = relations.iter().all(|relation| relation.satisfies(op));
            return (is_all || self.coin()).then_some(kept);
        }
        let (relation, left) = self.decide(left, right, &relations);
        let right = self.sharpened(right);
        relation.satisfies(op).then_some((left, right))
    }

    /// `and` if `is_in`, and `unless` otherwise.
    fn intersection(
        &mut self,
        left: &Vector,
        right: &Vector,
        labels: LabelSet,
        is_in: bool,
    ) -> Vector {
        let mut families = Vec::new();
        for family in &left.families {
            if self.is_found(family, right, labels) == is_in {
                families.push(family.clone());
            }
        }
        Vector { families, distinct: left.distinct }
    }

    /// Whether samples of a family have a match in a vector. If some may and others may not, both
    /// cases are tried: in one of them, the operator keeps samples.
    fn is_found(&mut self, family: &Family, vector: &Vector, labels: LabelSet) -> bool {
        let mut is_open = false;
        for other in &vector.families {
            match family.same(other, labels) {
                Same::Yes => return true,
                Same::Maybe => is_open = true,
                Same::No => {}
            }
        }
        is_open && self.coin()
    }

    fn union(&mut self, left: &Vector, right: &Vector, labels: LabelSet) -> Vector {
        let mut families = left.families.clone();
        for family in &right.families {
            if !self.is_found(family, left, labels) {
                families.push(family.clone());
            }
        }
        let distinct = match (left.is_empty(), families.len() == left.families.len()) {
            (true, _) => right.distinct,
            (_, true) => left.distinct,
            _ => left.distinct.and(right.distinct).and(labels),
        };
        Vector { families, distinct }
    }

    /// An arithmetic operator or a comparison, sample by sample.
    fn joined(
        &mut self,
        binary: &Binary,
        left: &Vector,
        right: &Vector,
        labels: LabelSet,
    ) -> Result<Vector, Stop> {
        if left.is_empty() || right.is_empty() {
            return Ok(Vector::empty());
        }
        let group = binary.matching.as_ref().and_then(|matching| matching.group.as_ref());
        // With `group_right`, the sides swap their roles.
        let is_turned = group.is_some_and(|group| !group.left);
        let (many, one) = if is_turned { (right, left) } else { (left, right) };
        if !one.is_distinct(labels) || group.is_none() && !many.is_distinct(labels) {
            return Err(Stop::CanFail);
        }
        let is_on =
            binary.matching.as_ref().is_some_and(|matching| matching.kind == MatchingKind::On);
        let is_listed = binary.matching.is_some() && !is_on;
        let copied: Vec<usize> = group
            .iter()
            .flat_map(|group| &group.labels)
            .filter_map(|label| self.universe.names.find(&label.value))
            .collect();
        let mut families = Vec::new();
        for family in &many.families {
            let Some(partners) = self.partners(family, one, labels) else { continue };
            let Some(value) = self.pair(binary, family, &partners, is_turned) else { continue };
            let mut result = family.with_value(value);
            if group.is_none() && (is_on || is_listed) {
                result = result.kept(labels);
            }
            for label in &copied {
                result.texts[*label] = match partners.as_slice() {
                    [partner] if !partner.is_many || partner.texts[*label].exact().is_some() => {
                        partner.texts[*label].clone()
                    }
                    _ => Text::any(self.new_name(), *label),
                };
            }
            families.push(result);
        }
        if group.is_none() {
            return Ok(Vector { families, distinct: labels });
        }
        let changed = copied.iter().fold(LabelSet::NONE, |set, label| set.with(*label));
        many.relabeled(families, changed)
    }

    /// The samples that may match a family, several if any of them can. None if none matches.
    fn partners(&mut self, family: &Family, one: &Vector, labels: LabelSet) -> Option<Vec<Family>> {
        let mut possible: Vec<Family> = Vec::new();
        for other in &one.families {
            match family.same(other, labels) {
                Same::Yes => return Some(vec![other.clone()]),
                Same::Maybe if !family.is_many && self.coin() => return Some(vec![other.clone()]),
                Same::Maybe if family.is_many => possible.push(other.clone()),
                Same::Maybe | Same::No => {}
            }
        }
        (!possible.is_empty() && self.coin()).then_some(possible)
    }

    /// The value of a sample and its match. None if a comparison is not true.
    fn pair(
        &mut self,
        binary: &Binary,
        family: &Family,
        partners: &[Family],
        is_turned: bool,
    ) -> Option<Number> {
        let op = binary.op.value;
        let is_many = family.is_many || partners.iter().any(|partner| partner.is_many);
        let other = partners.iter().map(|partner| partner.value).reduce(Number::or)?;
        let (left, right) = if is_turned { (other, family.value) } else { (family.value, other) };
        if op.is_comparison() && binary.bool.is_none() {
            return self.filtered(op, left, right, is_many).map(|(left, _)| left);
        }
        Some(self.operated(op, left, right, is_many))
    }
}
