//! Aggregations, which combine samples with the same labels into one.

#![allow(clippy::cast_precision_loss, reason = "there are few families")]

use std::rc::Rc;

use crate::promql::{Aggregation, Aggregator};

use super::case::Case;
use super::names::LabelSet;
use super::number::Number;
use super::stop::Stop;
use super::vector::{Family, PartAnswer, Rest, Same, Text, Vector};

/// Samples with the same labels.
struct FamilyGroup {
    /// The labels of the group, and whether it stands for several groups.
    family: Family,
    members: Vec<GroupMember>,
}

#[derive(Clone)]
struct GroupMember {
    family: Family,
    /// Whether the group may exist without this member.
    is_optional: bool,
}

impl Case<'_> {
    pub(super) fn aggregated(
        &mut self,
        aggregation: &Aggregation,
        parameter: Option<&PartAnswer>,
        vector: &Vector,
    ) -> Result<Vector, Stop> {
        let labels = match &aggregation.grouping {
            None => LabelSet::NONE,
            Some(grouping) => {
                let names = grouping.labels.iter().map(|label| label.value.as_str());
                if names.clone().any(|name| name == "__name__") {
                    return Err(Stop::Gap("`__name__` in a list of labels".into()));
                }
                let listed = self.universe.names.set(names);
                if grouping.without { listed.but() } else { listed }
            }
        };
        let op = aggregation.op.value;
        let groups = self.groups(labels, vector);
        if op.picks() {
            return self.picked(op, parameter, groups, vector);
        }
        let phi = match parameter {
            Some(PartAnswer::Scalar(number)) => Some(*number),
            _ => None,
        };
        let mut families = Vec::new();
        for group in groups {
            let value = match op {
                Aggregator::CountValues => {
                    return Err(Stop::Gap(format!("`{}`", op.name())));
                }
                _ => value(op, phi, &group.members),
            };
            let value = if group.family.is_many { value.nameless() } else { self.name(value) };
            families.push(group.family.with_value(value));
        }
        Ok(Vector { families, distinct: labels })
    }

    /// Gives the number a name if it has none.
    pub(super) fn name(&mut self, number: Number) -> Number {
        if number.name.is_some() { number } else { number.named(self.new_name()) }
    }

    fn groups(&mut self, labels: LabelSet, vector: &Vector) -> Vec<FamilyGroup> {
        let mut groups: Vec<FamilyGroup> = Vec::new();
        for family in &vector.families {
            let mut kept = family.kept(labels);
            kept.is_many = family.is_many && !kept.is_uniform(labels);
            let mut members = vec![GroupMember { family: family.clone(), is_optional: false }];
            let mut is_absorbed = false;
            for group in &mut groups {
                let is_one = !kept.is_many && !group.family.is_many;
                let same = match kept.same(&group.family, labels) {
                    Same::No => continue,
                    Same::Yes if is_one => Same::Yes,
                    _ if is_one => {
                        if self.choices.take(2) == 0 {
                            Same::Yes
                        } else {
                            Same::No
                        }
                    }
                    _ => Same::Maybe,
                };
                match same {
                    Same::Yes => {
                        group.members.append(&mut members);
                        is_absorbed = true;
                    }
                    Same::No => {}
                    // The two families may have some groups in common, so each may get the members
                    // of the other.
                    Same::Maybe => {
                        let optional = |member: &GroupMember| GroupMember {
                            is_optional: true,
                            ..member.clone()
                        };
                        let theirs: Vec<GroupMember> = group.members.iter().map(optional).collect();
                        group.members.push(optional(&members[0]));
                        members.extend(theirs);
                        // Tries both cases: the other family has all groups of this one, or not.
                        is_absorbed = self.choices.take(2) == 1;
                    }
                }
                if is_absorbed {
                    break;
                }
            }
            if !is_absorbed {
                groups.push(FamilyGroup { family: kept, members });
            }
        }
        groups
    }

    /// The result of `topk` and similar aggregations: the greatest or the least samples of each
    /// group.
    fn picked(
        &mut self,
        op: Aggregator,
        parameter: Option<&PartAnswer>,
        groups: Vec<FamilyGroup>,
        vector: &Vector,
    ) -> Result<Vector, Stop> {
        let gap = || Stop::Gap(format!("how many samples `{}` takes", op.name()));
        let Some(PartAnswer::Scalar(number)) = parameter else { return Err(gap()) };
        let count = number.point().ok_or_else(gap)?;
        if matches!(op, Aggregator::Limitk | Aggregator::LimitRatio) || count.is_nan() {
            return Err(gap());
        }
        if count < 1.0 {
            return Ok(Vector::empty());
        }
        let mut families: Vec<Family> = Vec::new();
        for group in groups {
            let is_few = |members: &[GroupMember]| {
                let count_of = members.iter().filter(|member| !member.family.is_many).count();
                count_of == members.len() && count_of as f64 <= count
            };
            let is_certain = group.members.iter().all(|member| !member.is_optional);
            if is_few(&group.members) && is_certain {
                families.extend(group.members.into_iter().map(|member| member.family));
            } else if count < 2.0 && !group.family.is_many {
                let family = self.first(op, &group.members);
                families.push(family);
            } else {
                let taken = Rc::<[GroupMember]>::from(group.members);
                let first = self.choices.take(taken.len());
                for (at, member) in taken.iter().enumerate() {
                    if at == first || at > first && self.coin() {
                        families.push(member.family.clone());
                    }
                }
            }
        }
        Ok(Vector { families, distinct: vector.distinct })
    }

    /// One of the samples that may be the greatest or the least.
    fn first(&mut self, op: Aggregator, members: &[GroupMember]) -> Family {
        let is_greatest = op == Aggregator::Topk;
        let reach = |number: Number| if is_greatest { number.hi } else { -number.lo };
        let sure = |number: Number| if is_greatest { number.lo } else { -number.hi };
        let certain = members.iter().filter(|member| !member.is_optional);
        let certain = certain.filter(|member| !member.family.value.can_be_nan);
        let least =
            certain.map(|member| sure(member.family.value)).fold(f64::NEG_INFINITY, f64::max);
        let can_be_first = |member: &&GroupMember| {
            member.family.value.can_be_nan || reach(member.family.value) >= least
        };
        let candidates: Vec<&GroupMember> = members.iter().filter(can_be_first).collect();
        let Some(chosen) = candidates.get(self.choices.take(candidates.len())) else {
            return Family::bare(Number::any(), self.universe.names.len());
        };
        let mut family = chosen.family.clone();
        if family.is_many {
            let source = self.new_name();
            family.is_many = false;
            for (label, text) in family.texts.iter_mut().enumerate() {
                if text.exact().is_none() {
                    *text = Text::any(source, label);
                }
            }
            family.rest = family.rest.map(|rest| Rest { source, ..rest });
            family.value = self.name(family.value.nameless());
        }
        family
    }
}

fn value(op: Aggregator, phi: Option<Number>, members: &[GroupMember]) -> Number {
    if op == Aggregator::Group {
        return Number::exactly(1.0);
    }
    let only = match members {
        [only] if !only.family.is_many && !only.is_optional => Some(only.family.value),
        _ => None,
    };
    let values = members.iter().map(|member| member.family.value);
    let hull = values.clone().reduce(Number::or).unwrap_or_else(Number::any).nameless();
    let is_finite = values.clone().all(|value| value.lo.is_finite() && value.hi.is_finite());
    match op {
        Aggregator::Count => {
            let certain = members.iter().filter(|member| !member.is_optional).count();
            let has_many = members.iter().any(|member| member.family.is_many);
            let most = if has_many { Number::count().hi } else { members.len() as f64 };
            Number::whole(certain.max(1) as f64, most)
        }
        Aggregator::Sum => members.iter().map(summand).reduce(add).unwrap_or_else(Number::any),
        Aggregator::Max | Aggregator::Min | Aggregator::Avg => match only {
            Some(value) => value,
            None if op == Aggregator::Max => extreme(members, false),
            None if op == Aggregator::Min => extreme(members, true).negated(),
            None if hull.point().is_some() => hull,
            // Floating-point errors can make a mean slightly less or greater.
            None => {
                let slack = hull.lo.abs().max(hull.hi.abs()) * 1e-12;
                let mean = Number::between(hull.lo - slack, hull.hi + slack);
                let can_be_nan = hull.can_be_nan || !is_finite;
                Number { can_be_nan, ..mean }
            }
        },
        Aggregator::Stddev | Aggregator::Stdvar => match only {
            Some(value) if is_finite && !value.can_be_nan => Number::exactly(0.0),
            _ => Number {
                can_be_nan: hull.can_be_nan || !is_finite,
                ..Number::between(0.0, f64::INFINITY)
            },
        },
        Aggregator::Quantile => {
            let is_usual = phi.is_some_and(|phi| phi.lo >= 0.0 && phi.hi <= 1.0 && !phi.can_be_nan);
            match only {
                Some(value) if is_usual => value,
                _ if is_usual && is_finite && !hull.can_be_nan => {
                    Number { is_whole: false, ..hull }
                }
                _ => Number::any(),
            }
        }
        _ => Number::any(),
    }
}

/// What the samples of a member add to a sum.
fn summand(member: &GroupMember) -> Number {
    let value = member.family.value;
    let mut sum = value;
    if member.family.is_many {
        let lo = if value.lo < 0.0 { Number::finite().lo } else { value.lo };
        let hi = if value.hi > 0.0 { Number::finite().hi } else { value.hi };
        sum = Number { lo: lo.min(value.lo), hi: hi.max(value.hi), ..value.nameless() };
        let infinite = value.lo == f64::NEG_INFINITY && value.hi == f64::INFINITY;
        sum.can_be_nan |= infinite;
    }
    if member.is_optional { sum.or(Number::exactly(0.0)) } else { sum }
}

fn add(one: Number, other: Number) -> Number {
    one.calculated(crate::promql::Operator::Add, other)
}

/// The greatest value, or the least if `is_negated`. NaN counts only if there is nothing else.
fn extreme(members: &[GroupMember], is_negated: bool) -> Number {
    let turned = |member: &GroupMember| {
        let value = member.family.value.nameless();
        if is_negated { value.negated() } else { value }
    };
    let all = members.iter().map(turned).reduce(Number::or).unwrap_or_else(Number::any);
    let certain = members.iter().filter(|member| !member.is_optional).map(turned);
    let certain = certain.filter(|value| !value.can_be_nan).map(|value| value.lo);
    let least = certain.reduce(f64::max);
    let can_be_nan = all.can_be_nan && least.is_none();
    Number { lo: least.map_or(all.lo, |least| least.max(all.lo)), can_be_nan, ..all }
}
