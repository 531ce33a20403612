//! What is known about the samples of a vector.

use std::rc::Rc;

use super::names::{Label, LabelSet};
use super::number::Number;
use super::source::Source;
use super::stop::Stop;
use super::texts::{TextGroup, Texts};

/// The text of a label, which may be only partly known. An empty text stands for a missing label.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Exactly(Rc<str>),
    Any(Any),
}

#[derive(Clone, Debug)]
pub(super) struct Any {
    /// The name of the text. For single samples, texts with equal names are equal.
    name: (Source, Label),
    /// The texts that the label may have, and the groups that its text may be in, if they come from
    /// a metric.
    texts: Option<(Rc<Texts>, Rc<[TextGroup]>)>,
}

/// Whether two things are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    Yes,
    No,
    Maybe,
}

impl Text {
    pub(super) fn missing() -> Self {
        Self::Exactly("".into())
    }

    pub(super) fn any(source: Source, label: Label) -> Self {
        Self::Any(Any { name: (source, label), texts: None })
    }

    /// The label texts of a series of a metric.
    pub(super) fn of(
        source: Source,
        label: Label,
        texts: &Rc<Texts>,
        groups: &Rc<[TextGroup]>,
    ) -> Self {
        match **groups {
            [group] if texts.exact(group).is_some() => {
                texts.exact(group).cloned().map_or_else(Self::missing, Self::Exactly)
            }
            _ => Self::Any(Any {
                name: (source, label),
                texts: Some((Rc::clone(texts), Rc::clone(groups))),
            }),
        }
    }

    pub(super) fn exact(&self) -> Option<&str> {
        match self {
            Self::Exactly(text) => Some(text),
            Self::Any(_) => None,
        }
    }

    fn same(&self, other: &Self, are_single: bool) -> Same {
        match (self, other) {
            (Self::Exactly(one), Self::Exactly(two)) if one == two => Same::Yes,
            (Self::Exactly(_), Self::Exactly(_)) => Same::No,
            (Self::Exactly(text), Self::Any(any)) | (Self::Any(any), Self::Exactly(text)) => {
                if any.can_be(text) { Same::Maybe } else { Same::No }
            }
            (Self::Any(one), Self::Any(two)) if one.name == two.name && are_single => Same::Yes,
            (Self::Any(one), Self::Any(two)) => {
                if one.is_apart(two) {
                    Same::No
                } else {
                    Same::Maybe
                }
            }
        }
    }
}

impl Any {
    fn can_be(&self, text: &str) -> bool {
        let Some((texts, groups)) = &self.texts else { return true };
        texts.group_of(text).is_some_and(|group| groups.contains(&group))
    }

    /// Whether the two texts are certainly different.
    fn is_apart(&self, other: &Self) -> bool {
        let (Some((texts, groups)), Some((others, theirs))) = (&self.texts, &other.texts) else {
            return false;
        };
        if Rc::ptr_eq(texts, others) {
            return !groups.iter().any(|group| theirs.contains(group));
        }
        let is_foreign =
            |group: &TextGroup| texts.exact(*group).is_some_and(|text| !other.can_be(text));
        groups.iter().all(is_foreign)
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::Exactly(text) => text.hash(state),
            Self::Any(any) => {
                any.name.hash(state);
                any.texts.as_ref().map(|(texts, groups)| (Rc::as_ptr(texts), groups)).hash(state);
            }
        }
    }
}

/// The labels of a sample that no query names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rest {
    /// Where the labels come from. Single samples with equal sources have equal labels.
    pub(super) source: Source,
    /// What the dictionary says about these labels.
    pub(super) unnamed: Unnamed,
}

/// What the dictionary says about the labels of a metric that no query names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Unnamed {
    pub(super) metric: usize,
    /// Whether each series has such labels.
    pub(super) is_certain: bool,
    /// The metrics, as bits, whose series always differ in these labels.
    pub(super) apart: u64,
}

impl Rest {
    fn same(one: Option<Self>, other: Option<Self>, are_single: bool) -> Same {
        match (one, other) {
            (None, None) => Same::Yes,
            (Some(only), None) | (None, Some(only)) if only.unnamed.is_certain => Same::No,
            (Some(one), Some(other)) if one.source == other.source && are_single => Same::Yes,
            (Some(one), Some(other)) if one.unnamed.apart >> other.unnamed.metric & 1 != 0 => {
                Same::No
            }
            _ => Same::Maybe,
        }
    }
}

/// One sample, or several about which the same is known.
#[derive(Clone, Debug, Hash)]
pub(super) struct Family {
    /// Whether there can be more than one.
    pub(super) is_many: bool,
    /// The texts of the labels that queries name.
    pub(super) texts: Vec<Text>,
    /// The other labels, if it can have any.
    pub(super) rest: Option<Rest>,
    pub(super) value: Number,
}

impl Family {
    /// A single sample without labels.
    pub(super) fn bare(value: Number, labels: usize) -> Self {
        Self { is_many: false, texts: vec![Text::missing(); labels], rest: None, value }
    }

    /// Whether samples of two families agree on the labels in the set.
    pub(super) fn same(&self, other: &Self, labels: LabelSet) -> Same {
        let are_single = !self.is_many && !other.is_many;
        let rest = labels.has_rest().then(|| Rest::same(self.rest, other.rest, are_single));
        let pairs = self.texts.iter().zip(&other.texts).enumerate();
        let named = pairs.filter(|(label, _)| labels.has(*label));
        let named = named.map(|(_, (one, two))| one.same(two, are_single));
        let mut all = Same::Yes;
        for same in rest.into_iter().chain(named) {
            match same {
                Same::No => return Same::No,
                Same::Maybe => all = Same::Maybe,
                Same::Yes => {}
            }
        }
        all
    }

    /// The family with only the labels in the set.
    pub(super) fn kept(&self, labels: LabelSet) -> Self {
        let mut kept = self.clone();
        for (label, text) in kept.texts.iter_mut().enumerate() {
            if !labels.has(label) {
                *text = Text::missing();
            }
        }
        if !labels.has_rest() {
            kept.rest = None;
        }
        kept
    }

    /// Whether all samples agree on the labels in the set.
    pub(super) fn is_uniform(&self, labels: LabelSet) -> bool {
        let mut texts = self.texts.iter().enumerate();
        !self.is_many
            || texts.all(|(label, text)| !labels.has(label) || text.exact().is_some())
                && !(labels.has_rest() && self.rest.is_some())
    }

    pub(super) fn with_value(&self, value: Number) -> Self {
        Self { value, ..self.clone() }
    }
}

/// The samples of a vector.
#[derive(Clone, Debug, Hash)]
pub(super) struct Vector {
    pub(super) families: Vec<Family>,
    /// Any two samples differ in at least one of these labels.
    pub(super) distinct: LabelSet,
}

impl Vector {
    pub(super) fn empty() -> Self {
        Self { families: Vec::new(), distinct: LabelSet::NONE }
    }

    pub(super) fn one(family: Family) -> Self {
        Self { families: vec![family], distinct: LabelSet::NONE }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.families.is_empty()
    }

    /// The sample, if there is certainly exactly one.
    pub(super) fn single(&self) -> Option<&Family> {
        match self.families.as_slice() {
            [family] if !family.is_many => Some(family),
            _ => None,
        }
    }

    /// Whether any two samples differ in at least one of these labels.
    pub(super) fn is_distinct(&self, labels: LabelSet) -> bool {
        self.families.iter().enumerate().all(|(at, one)| {
            (!one.is_many || self.differ(one, one).is_in(labels))
                && self.families[at + 1..].iter().all(|other| {
                    one.same(other, labels) == Same::No || self.differ(one, other).is_in(labels)
                })
        })
    }

    /// The vector with other labels in its families. The error means that some samples may have
    /// become equal.
    pub(super) fn relabeled(&self, families: Vec<Family>, changed: LabelSet) -> Result<Self, Stop> {
        let same = Self { families, distinct: self.distinct };
        if !changed.overlaps(self.distinct) || same.single().is_some() {
            return Ok(same);
        }
        if !self.is_distinct(changed.but()) {
            return Err(Stop::CanFail);
        }
        Ok(Self { distinct: changed.but(), ..same })
    }

    /// The labels in which samples of two families may differ. They differ in at least one.
    fn differ(&self, one: &Family, other: &Family) -> LabelSet {
        let pairs = one.texts.iter().zip(&other.texts).enumerate();
        pairs.fold(self.distinct, |labels, (label, (text, other))| {
            let is_same = text.exact().is_some() && text.exact() == other.exact();
            if is_same { labels.without(LabelSet::NONE.with(label)) } else { labels }
        })
    }
}

/// The answer of a part of a query.
#[derive(Clone, Debug, Hash)]
pub(super) enum PartAnswer {
    Scalar(Number),
    Vector(Vector),
    /// The series of a range.
    Range(Vector),
    /// No value: the part is a text, or the selector in a range.
    Nothing,
}

impl PartAnswer {
    /// The names of the numbers in the answer.
    pub(super) fn names(&self) -> impl Iterator<Item = Source> {
        let (number, families) = match self {
            Self::Scalar(number) => (Some(number), &[][..]),
            Self::Vector(vector) | Self::Range(vector) => (None, vector.families.as_slice()),
            Self::Nothing => (None, &[][..]),
        };
        let values = families.iter().map(|family| &family.value);
        number.into_iter().chain(values).filter_map(|number| number.name)
    }
}
