//! One case: what is decided about a cluster, and the answers of the parts of the queries.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use crate::promql::Selector;

use super::super::eras::Lack;
use super::choices::Choices;
use super::known::There;
use super::number::{Number, Relation};
use super::source::Source;
use super::steps::Steps;
use super::stop::Stop;
use super::universe::Universe;
use super::vector::{Family, PartAnswer, Rest, Text, Vector};

/// The times at which a query looks at series.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Moment {
    /// The length of a range, in milliseconds. 0 for an instant.
    pub(super) window: u64,
    /// The modifiers `offset` and `@`.
    pub(super) shift: Option<String>,
}

pub(super) const NOW: Moment = Moment { window: 0, shift: None };

/// How far Prometheus looks back for a sample, in milliseconds. A range that is at least as long
/// has every series that exists now.
const LOOKBACK: u64 = 300_000;

/// Something that is decided about the cluster.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) enum Fact {
    /// Whether there are series of a kind at a moment.
    There { metric: usize, kind: usize, moment: usize, is_there: bool },
    /// Which of the metrics with some condition exist.
    State { condition: usize, state: usize },
    /// Whether a capability is off.
    IsOff { capability: String, is_off: bool },
    /// What is known about a number.
    Number { name: Source, number: Number },
}

/// What is decided about a cluster, and the answers of the parts of the queries there.
pub(super) struct Case<'q> {
    pub(super) universe: &'q Universe,
    pub(super) steps: &'q Steps<'q>,
    /// The moments that queries have asked about so far.
    pub(super) moments: Vec<Moment>,
    pub(super) choices: Choices,
    pub(super) facts: Vec<Fact>,
    /// The answers of the steps so far. None for a step that is not needed.
    pub(super) answers: Vec<Option<Rc<PartAnswer>>>,
    /// Whether to try each possible answer of a comparison with `bool` as a case of its own. If
    /// not, the answer is only known to be 0 or 1.
    pub(super) is_thorough: bool,
    /// The current step.
    pub(super) step: usize,
    pub(super) given: u32,
}

impl Case<'_> {
    pub(super) fn choose(&mut self, of: usize) -> usize {
        self.choices.take(of)
    }

    pub(super) fn coin(&mut self) -> bool {
        self.choose(2) == 0
    }

    /// Makes a new name.
    pub(super) fn new_name(&mut self) -> Source {
        self.given += 1;
        Source::Step { step: self.step, number: self.given }
    }

    /// The series that a selector selects at a moment.
    pub(super) fn selected(&mut self, selector: &Selector, moment: Moment) -> Result<Vector, Stop> {
        let Some((metric, selector)) = self.universe.selector(selector) else {
            return Err(Stop::Gap("a selector that names no metric".into()));
        };
        let known = self.moments.iter().position(|known| *known == moment);
        let at = known.unwrap_or(self.moments.len());
        if known.is_none() {
            self.moments.push(moment);
        }
        self.select(metric, selector, at)
    }

    fn select(&mut self, metric: usize, selector: usize, moment: usize) -> Result<Vector, Stop> {
        let universe = self.universe;
        let known = &universe.metrics[metric];
        let at = &self.moments[moment];
        let is_moment = at.window == 0;
        let is_now = *at == NOW;
        let exists = !is_now || self.exists(metric)?;
        let mut families = Vec::new();
        for (place, kind) in known.kinds.iter().enumerate() {
            let is_possible = kind.selected[selector] && (exists || kind.is_foreign);
            if !is_possible || !self.is_there(metric, place, moment)? {
                continue;
            }
            let source = Source::Series { metric, kind: place, moment };
            let mut value = kind.value;
            if let (true, Some(capability)) = (is_now, &kind.capability) {
                value = if self.is_off(capability) {
                    Number::exactly(0.0)
                } else {
                    Number::exactly(1.0)
                };
            }
            let is_many = !(kind.is_single && is_moment);
            let texts = kind.groups.iter().enumerate();
            let texts =
                texts.map(|(label, groups)| Text::of(source, label, &known.texts[label], groups));
            let value = if is_many { value } else { value.named(source) };
            let rest = Some(Rest { source, unnamed: known.unnamed });
            families.push(Family { is_many, texts: texts.collect(), rest, value });
        }
        let distinct = if is_moment { known.per } else { super::names::LabelSet::ALL };
        Ok(Vector { families, distinct })
    }

    /// Whether the cluster has a metric now.
    fn exists(&mut self, metric: usize) -> Result<bool, Stop> {
        let universe = self.universe;
        let known = &universe.metrics[metric];
        let states = &universe.conditions[known.condition];
        if let Some(state) = self.state(known.condition) {
            return Ok(states.all[state][known.member]);
        }
        let options: Vec<usize> =
            (0..states.all.len()).filter(|state| self.allows(&states.lack, *state)).collect();
        if options.is_empty() {
            return Err(Stop::Impossible);
        }
        let state = options[self.choose(options.len())];
        self.facts.push(Fact::State { condition: known.condition, state });
        let is_lacking = states.lack != Lack::Never && state == 0;
        if let Lack::WithoutCapability(name) | Lack::OrWithoutCapability(name) = &states.lack {
            let is_only_cause = matches!(states.lack, Lack::WithoutCapability(_));
            if !is_lacking || is_only_cause {
                self.switch(name, is_lacking)?;
            }
        }
        Ok(states.all[state][known.member])
    }

    fn state(&self, condition: usize) -> Option<usize> {
        self.facts.iter().find_map(|fact| match fact {
            Fact::State { condition: known, state } if *known == condition => Some(*state),
            _ => None,
        })
    }

    /// Whether the known capabilities allow a state.
    fn allows(&self, lack: &Lack, state: usize) -> bool {
        match lack {
            Lack::Never | Lack::Possible => true,
            Lack::WithoutCapability(name) => {
                self.known_off(name).is_none_or(|is_off| is_off == (state == 0))
            }
            Lack::OrWithoutCapability(name) => state == 0 || self.known_off(name) != Some(true),
        }
    }

    fn known_off(&self, capability: &str) -> Option<bool> {
        self.facts.iter().find_map(|fact| match fact {
            Fact::IsOff { capability: known, is_off } if known == capability => Some(*is_off),
            _ => None,
        })
    }

    /// Decides whether a capability is off.
    fn switch(&mut self, capability: &str, is_off: bool) -> Result<(), Stop> {
        if let Some(known) = self.known_off(capability) {
            return if known == is_off { Ok(()) } else { Err(Stop::Impossible) };
        }
        // A capability that is off has a series that says so.
        let moment = self.moments.iter().position(|moment| *moment == NOW);
        let series = self.universe.capability(capability).filter(|_| is_off);
        if let (Some((metric, kind)), Some(moment)) = (series, moment) {
            if self.known(metric, kind, moment) == Some(false) {
                return Err(Stop::Impossible);
            }
            self.facts.push(Fact::There { metric, kind, moment, is_there: true });
        }
        self.facts.push(Fact::IsOff { capability: capability.to_owned(), is_off });
        Ok(())
    }

    /// Decides whether a capability with a series is off.
    fn is_off(&mut self, capability: &str) -> bool {
        if let Some(known) = self.known_off(capability) {
            return known;
        }
        let is_off = self.coin();
        self.facts.push(Fact::IsOff { capability: capability.to_owned(), is_off });
        is_off
    }

    /// Decides whether there are series of a kind.
    fn is_there(&mut self, metric: usize, kind: usize, moment: usize) -> Result<bool, Stop> {
        if let Some(known) = self.known(metric, kind, moment) {
            return Ok(known);
        }
        let mut options = [true, false].to_vec();
        options.retain(|is_there| self.allows_series(metric, kind, moment, *is_there));
        if options.is_empty() {
            return Err(Stop::Impossible);
        }
        let is_there = options[self.choose(options.len())];
        self.facts.push(Fact::There { metric, kind, moment, is_there });
        let capability = self.universe.metrics[metric].kinds[kind].capability.as_deref();
        let is_now = self.moments[moment] == NOW;
        if let Some(name) = capability.filter(|_| is_now && !is_there) {
            self.switch(name, false)?;
        }
        Ok(is_there)
    }

    /// Whether there are series of a kind, if earlier decisions imply it.
    fn known(&self, metric: usize, kind: usize, moment: usize) -> There {
        let wanted = &self.moments[moment];
        self.facts.iter().find_map(|fact| match fact {
            Fact::There { metric: m, kind: k, moment: at, is_there }
                if (*m, *k) == (metric, kind) =>
            {
                let decided = &self.moments[*at];
                let follows = *at == moment
                    || *is_there && decided.is_within(wanted)
                    || !*is_there && wanted.is_within(decided);
                follows.then_some(*is_there)
            }
            _ => None,
        })
    }

    /// Whether the dictionary allows that there are (or are not) series of this kind at this
    /// moment.
    fn allows_series(&self, metric: usize, kind: usize, moment: usize, is_there: bool) -> bool {
        let at = &self.moments[moment];
        // A series that is not in a range up to now does not exist now.
        let says_now = *at == NOW || !is_there && NOW.is_within(at);
        if !says_now {
            return true;
        }
        let known = &self.universe.metrics[metric];
        if known.kinds[kind].is_foreign {
            return true;
        }
        let states = &self.universe.conditions[known.condition];
        let exists = match self.state(known.condition) {
            Some(state) => states.all[state][known.member],
            None => states.all.iter().all(|state| state[known.member]),
        };
        if !exists {
            return true;
        }
        let mut there: Vec<There> =
            (0..known.kinds.len()).map(|kind| self.known_at(metric, kind, &NOW)).collect();
        there[kind] = Some(is_there);
        known.is_possible(&there)
    }

    fn known_at(&self, metric: usize, kind: usize, wanted: &Moment) -> There {
        self.facts.iter().find_map(|fact| match fact {
            Fact::There { metric: m, kind: k, moment: at, is_there }
                if (*m, *k) == (metric, kind) =>
            {
                let decided = &self.moments[*at];
                let follows = decided == wanted || !*is_there && wanted.is_within(decided);
                follows.then_some(*is_there)
            }
            _ => None,
        })
    }

    /// Combines a number with all that is known about it.
    pub(super) fn sharpened(&self, number: Number) -> Number {
        let Some(name) = number.name else { return number };
        self.facts.iter().fold(number, |number, fact| match fact {
            Fact::Number { name: known, number: other } if *known == name => number.and(*other),
            _ => number,
        })
    }

    /// Decides which of the relations two numbers have. Returns the first number with what follows
    /// for it.
    pub(super) fn decide(
        &mut self,
        number: Number,
        other: Number,
        relations: &[Relation],
    ) -> (Relation, Number) {
        let relation = relations[self.choose(relations.len())];
        let narrowed = number.where_it_is(relation, other);
        if relations.len() > 1 {
            self.learn(narrowed);
            self.learn(other.where_it_is(relation.reversed(), number));
        }
        (relation, narrowed)
    }

    fn learn(&mut self, number: Number) {
        if let Some(name) = number.name {
            self.facts.push(Fact::Number { name, number });
        }
    }

    /// A hash of everything in the case that later steps can see. Cases with equal hashes continue
    /// equally.
    pub(super) fn fingerprint(&self, next: usize, matters: impl Fn(&Fact) -> bool) -> (usize, u64) {
        let mut hasher = DefaultHasher::new();
        let mut seen: Vec<Source> = Vec::new();
        for (at, (answer, step)) in self.answers.iter().zip(self.steps.iter()).enumerate() {
            if step.last_use >= next {
                (at, answer).hash(&mut hasher);
                seen.extend(answer.iter().flat_map(|answer| answer.names()));
            }
        }
        let facts = self.facts.iter().filter(|fact| match fact {
            Fact::Number { name, .. } if seen.contains(name) => true,
            fact => matters(fact),
        });
        let mut of_facts: Vec<u64> = facts
            .map(|fact| {
                let mut hasher = DefaultHasher::new();
                fact.hash(&mut hasher);
                hasher.finish()
            })
            .collect();
        of_facts.sort_unstable();
        of_facts.hash(&mut hasher);
        (next, hasher.finish())
    }
}

impl Moment {
    /// Whether series that exist at this moment also exist in the other one.
    fn is_within(&self, other: &Self) -> bool {
        self.shift.is_none()
            && other.shift.is_none()
            && self.window <= other.window
            && (self.window > 0 || other.window >= LOOKBACK)
    }
}
