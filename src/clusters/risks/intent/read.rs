//! Reads `appliesTo`. The schema checks its structure, and this file its words.

use crate::coverage::{Dictionary, Metric};
use crate::graph_data::{DataFile, Text};
use crate::promql::{self, Expr, MatchOp, Selector};
use crate::risks::test_fault::TestFault;
use crate::text::words::{listed, quoted};
use crate::text::{Failure, Span, closest};
use crate::yaml::{Document, NodeId, ValueKind};

use super::amount::Amount;
use super::condition::{Condition, Has, Selection};
use super::keys::{self, Operator};
use super::versions::{Of, Versions};

/// Which clusters a risk should apply to.
#[derive(Debug)]
pub(crate) struct Intent {
    /// Each alternative with its place. There is at least one.
    pub(super) alternatives: Vec<(Span, Condition)>,
}

/// How deep conditions can be nested.
const DEEPEST: usize = 10;

/// Reads the value of `appliesTo`, which already fits the schema.
pub(crate) fn read_intent(
    file: &DataFile,
    document: &Document,
    node: NodeId,
    dictionary: &Dictionary,
) -> Result<Intent, TestFault> {
    let reader = Reader { file, document, dictionary };
    let alternatives = match document.kind(node) {
        ValueKind::List => document.items(node),
        _ => &[node],
    };
    let read = |one: &NodeId| Ok((file.span(*one), reader.condition(*one, 0)?));
    Ok(Intent { alternatives: alternatives.iter().map(read).collect::<Result<_, _>>()? })
}

struct Reader<'a> {
    file: &'a DataFile,
    document: &'a Document,
    dictionary: &'a Dictionary,
}

type Read<T> = Result<T, TestFault>;

impl Reader<'_> {
    fn condition(&self, node: NodeId, depth: usize) -> Read<Condition> {
        if depth > DEEPEST {
            return Err(self.fault(node, "too many conditions in each other"));
        }
        match self.document.kind(node) {
            ValueKind::List => {
                let items = self.document.items(node).iter();
                let all: Read<_> = items.map(|item| self.condition(*item, depth + 1)).collect();
                Ok(keys::any(all?))
            }
            ValueKind::Mapping => {
                let entries = self.document.entries(node).iter();
                let all: Read<_> = entries
                    .map(|entry| {
                        let key = self.document.text(entry.key).unwrap_or_default();
                        self.under(key, entry.value, depth)
                    })
                    .collect();
                Ok(keys::all(all?))
            }
            _ => Ok(Condition::Always),
        }
    }

    /// The condition of a key with a value.
    fn under(&self, key: &str, node: NodeId, depth: usize) -> Read<Condition> {
        Ok(match key {
            "platforms" => keys::platforms(&self.platforms(node)?),
            "bornIn" => {
                let texts = self.texts(node);
                let all: Read<_> = texts.iter().map(born_in).collect();
                keys::any(all?)
            }
            "capabilities" => keys::capabilities(&self.capabilities(node)?, 1.0),
            "notCapabilities" => keys::capabilities(&self.capabilities(node)?, 0.0),
            "operators" => {
                let items = self.items(node).into_iter();
                let all: Read<Vec<_>> = items.map(|item| self.operator(item)).collect();
                keys::operators(&all?)
            }
            "clusterOperators" => {
                let items = self.items(node).into_iter();
                let all: Read<_> = items.map(|item| self.cluster_operator(item)).collect();
                keys::any(all?)
            }
            "hosted" => match self.document.text(node) {
                Some("false") => Condition::not(keys::hosted()),
                _ => keys::hosted(),
            },
            "nodes" => self.amount(node)?.of_things(&keys::nodes()),
            "objects" => self
                .counts(node, |resource, amount| Ok(amount.of_things(&self.objects(resource)?)))?,
            "metrics" => self.counts(node, |series, amount| self.series(series, Some(amount)))?,
            "series" => {
                let texts = self.texts(node);
                let all: Read<_> = texts.iter().map(|text| self.series(text, None)).collect();
                keys::any(all?)
            }
            _ => Condition::not(self.condition(node, depth + 1)?),
        })
    }

    fn platforms(&self, node: NodeId) -> Read<Vec<String>> {
        let provider = self.dictionary.metric(keys::PROVIDER);
        let known = provider.and_then(|metric| metric.listed_values("type")).unwrap_or_default();
        self.known(node, "platform", known.iter().map(String::as_str), "")
    }

    fn capabilities(&self, node: NodeId) -> Read<Vec<String>> {
        let hint = "; for a new one, write `metrics` with `cluster_version_capability`";
        self.known(node, "capability", self.dictionary.capabilities(), hint)
    }

    /// Names that must all be known.
    fn known<'k>(
        &self,
        node: NodeId,
        what: &str,
        known: impl Iterator<Item = &'k str>,
        hint: &str,
    ) -> Read<Vec<String>> {
        let known: Vec<&str> = known.collect();
        let one = |text: Text| {
            let name = text.value.as_str();
            if known.contains(&name) {
                return Ok(name.to_owned());
            }
            let meant = match closest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the known ones are {}{hint}", listed(&quoted(&known), "and")),
            };
            Err(TestFault::at(text.span, format!("unknown {what} `{name}`; {meant}")))
        };
        self.texts(node).into_iter().map(one).collect()
    }

    /// `metallb-operator`, or a mapping with its `name` and `version`.
    fn operator(&self, node: NodeId) -> Read<Operator> {
        let name = self.document.get(node, "name").unwrap_or(node);
        let name = self.name(name, "the name of an operator", &['.'])?;
        let version = self.document.get(node, "version").and_then(|one| self.file.text_of(one));
        let versions = version.map(|text| versions(&text, Of::Operators)).transpose()?;
        Ok(Operator { name, versions })
    }

    /// `aro`, or a mapping with its `name` and a `condition`.
    fn cluster_operator(&self, node: NodeId) -> Read<Condition> {
        let name = self.document.get(node, "name").unwrap_or(node);
        let name = self.name(name, "the name of a cluster operator", &[])?;
        let condition = self.document.get(node, "condition").map(|condition| {
            self.name(condition, "the type of a condition, such as `Degraded`", &[])
        });
        Ok(keys::cluster_operator(&name, condition.transpose()?.as_deref()))
    }

    fn objects(&self, resource: &Text) -> Read<Vec<Selection>> {
        let what = "a resource, such as `egressips.k8s.ovn.org`";
        Ok(keys::objects(&self.name(resource.node, what, &['.'])?))
    }

    /// A name that has no special characters of patterns except those in `also`.
    fn name(&self, node: NodeId, what: &str, also: &[char]) -> Read<String> {
        let name = self.document.text(node).unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || also.contains(&c);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(self.fault(node, format!("`{name}` is not {what}")));
        }
        Ok(name.to_owned())
    }

    fn amount(&self, node: NodeId) -> Read<Amount> {
        let text = self.document.text(node).unwrap_or_default();
        let wrong = || self.fault(node, format!("`{text}` is not clear; write {}", Amount::FORMS));
        Amount::read(text).ok_or_else(wrong)
    }

    /// A mapping from names to amounts. All of them must be true.
    fn counts(
        &self,
        node: NodeId,
        condition: impl Fn(&Text, Amount) -> Read<Condition>,
    ) -> Read<Condition> {
        let entries = self.document.entries(node).iter();
        let all: Read<_> = entries
            .filter_map(|entry| Some((self.file.text_of(entry.key)?, entry.value)))
            .map(|(name, value)| condition(&name, self.amount(value)?))
            .collect();
        Ok(keys::all(all?))
    }

    /// The condition that the cluster has a series that a selector selects, optionally with a value
    /// in an amount.
    fn series(&self, text: &Text, amount: Option<Amount>) -> Read<Condition> {
        let wrong = |message: &str| TestFault::at(text.span, message.to_owned());
        let written = text.value.as_str();
        let query = promql::parse(written).map_err(|error| wrong(&error.message))?;
        let Expr::Selector(selector) = &query.node(query.root()).expr else {
            return Err(wrong("only the name of a metric, and labels in braces, belong here"));
        };
        let Some(name) = selector.metric().filter(|_| selector.modifiers.is_empty()) else {
            return Err(wrong("only the name of a metric, and labels in braces, belong here"));
        };
        let Some(metric) = self.dictionary.metric(name) else {
            let failure = Failure::new(format!("unknown metric `{name}`"));
            let failure = failure.did_you_mean(name, self.dictionary.names());
            return Err(wrong(&failure.or_hint(KNOWN_METRICS).to_string()));
        };
        self.check_labels(selector, name, metric).map_err(|failure| wrong(&failure.to_string()))?;
        let own = selector.matchers.iter().filter(|matcher| {
            !matches!(matcher.label.value.as_str(), "__name__" | promql::CLUSTER_ID)
        });
        let sources = vec![Selection::of(name, own.map(ToString::to_string))];
        let value = amount.map(|amount| (amount.comparison, amount.number));
        Ok(Condition::Has(Has::of(sources, value)))
    }

    /// Checks that the series of a metric can have these labels. The error names a label or a value
    /// that they cannot have.
    fn check_labels(
        &self,
        selector: &Selector,
        name: &str,
        metric: &Metric,
    ) -> Result<(), Failure> {
        for matcher in &selector.matchers {
            let label = matcher.label.value.as_str();
            if label == "__name__" || metric.is_open() {
                continue;
            }
            if !self.dictionary.lists_label(metric, label) {
                let known: Vec<&str> = metric.own_labels().collect();
                let failure = Failure::new(format!("`{name}` has no label `{label}`"));
                let failure = failure.did_you_mean(label, known.iter().copied());
                if known.is_empty() {
                    return Err(failure);
                }
                let known = listed(&quoted(&known), "and");
                return Err(failure.or_hint(format!("its labels are {known}")));
            }
            let value = &matcher.value.value;
            if let (MatchOp::Equal, Some(values)) = (matcher.op, metric.listed_values(label))
                && !values.contains(value)
                && !value.is_empty()
            {
                let failure = Failure::new(format!("`{label}` of `{name}` is never `{value}`"));
                return Err(failure.did_you_mean(value, values.iter().map(String::as_str)));
            }
        }
        Ok(())
    }

    /// The value, or the values in a list.
    fn items(&self, node: NodeId) -> Vec<NodeId> {
        match self.document.kind(node) {
            ValueKind::List => self.document.items(node).to_vec(),
            _ => vec![node],
        }
    }

    fn texts(&self, node: NodeId) -> Vec<Text> {
        self.items(node).into_iter().filter_map(|item| self.file.text_of(item)).collect()
    }

    fn fault(&self, node: NodeId, message: impl Into<String>) -> TestFault {
        TestFault::at(self.file.span(node), message)
    }
}

const KNOWN_METRICS: &str = "`exitpath promql metrics` lists the known ones";

fn born_in(text: &Text) -> Read<Condition> {
    Ok(keys::born_in(&versions(text, Of::OpenShift)?))
}

fn versions(text: &Text, of: Of) -> Read<Versions> {
    let written = text.value.as_str();
    let Some(versions) = Versions::read(written) else {
        let message = format!("`{written}` is not clear; write {}", Versions::FORMS);
        return Err(TestFault::at(text.span, message));
    };
    if versions.is_possible(of) {
        return Ok(versions);
    }
    Err(TestFault::at(text.span, format!("there are no versions like `{written}`")))
}
