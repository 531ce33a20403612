//! The rules: what can be wrong with a repository, one file each.
//!
//! A rule's file holds all there is to it: code, name, severity, documentation
//! with a bad and a good example, and the check. To add one, write the file,
//! enter it below (its module and its line in [`RULES`]), and give it a folder
//! in `fixtures/rules`. Everything else that speaks of rules (`explain`, the
//! tables, SARIF, the config's schema) is made from [`RULES`].

mod finding;
mod graph_subject;

pub use finding::{Edit, Finding, Fix, Place, Related, Severity};
pub use graph_subject::{Conditional, GraphSubject, Update};
pub use updates::{Origin, Outlook, Updates};

mod ahead_of_feeder;
mod allow_without_reason;
mod always_with_promql;
mod answer_not_0_or_1;
mod auto_extend_missing;
mod block_beside_risk;
mod borrowed_text;
mod channel_file_name;
mod channel_without_origins;
mod contradictory_matchers;
mod downgrade;
mod draft_clusters;
mod draft_qualifiers;
mod dropped_label;
mod dropped_risk;
mod dropped_target;
mod duplicate_block;
mod duplicate_channel;
mod duplicate_conditional;
mod duplicate_key;
mod duplicate_node;
mod duplicate_risk;
mod edge_beside_conditional;
mod edge_out_of_range;
mod empty_file;
mod empty_from;
mod empty_matching_rules;
mod empty_promql;
mod empty_text;
mod expensive_query;
mod feeders;
mod filter_unlike_siblings;
mod fixed_in_misplaced;
mod fixed_in_unserved;
mod from_dialect;
mod from_disagrees;
mod from_idle_branch;
mod from_inline_flags;
mod from_inside_version;
mod from_leaves_out;
mod from_matches_nothing;
mod from_names_target;
mod from_never_applies;
mod from_not_text;
mod from_odd_class;
mod from_wild_dot;
mod giant_hop;
mod graph_cycle;
mod ignored_file;
mod image_regex_without_path;
mod invalid_feeder;
mod invalid_from;
mod invalid_json;
mod invalid_promql;
mod invalid_url;
mod invalid_version;
mod loaded_by_accident;
mod losses;
mod malformed_graph;
mod merge_conflict;
mod message_version;
mod missing_from_own_minor;
mod missing_key;
mod missing_part;
mod mixed_architecture;
mod mixed_cluster_id;
mod moved_fix;
mod neither_block_nor_risk;
mod never_affected;
mod never_unaffected;
mod newer_schema_version;
mod newer_than_declared;
mod newly_stranded;
mod no_cluster_id;
mod not_a_graph;
mod not_a_version;
mod origins;
mod overwritten_metadata;
mod passed_over;
mod production_rejects;
mod promoted_tombstone;
mod pruned_rule;
mod query;
mod redundant_anchor;
mod regex_as_text;
mod rejected_metadata;
mod removed_version;
mod repeated_edge;
mod repeated_rule_type;
mod repeated_version;
mod result_not_a_vector;
mod risk_disagrees;
mod risk_file_name;
mod risk_for_one_architecture;
mod risk_name;
mod risk_not_extended;
mod risk_past_fix;
mod rule_after_always;
mod schema_version_ahead;
mod self_edge;
mod several_answers;
mod several_documents;
mod stranded_release;
mod suggestions_empty_range;
mod suggestions_idle_block;
mod suggestions_stale_floor;
mod suggestions_wrong_minor;
mod tally;
mod unknown_key;
mod unknown_label;
mod unknown_node;
mod unknown_rule_type;
mod unquoted_text;
mod unreachable_arm;
mod unreadable_file;
mod unservable_channel_name;
mod unserved_target;
mod unsorted_channel;
mod unstorable_update;
mod unsupported_schema_version;
mod unused_allow;
mod unusual_line_break;
mod unusual_prerelease;
mod updates;
mod useless_feeder;
mod vague_url;
mod wrong_type;
mod yaml_syntax;

use std::collections::BTreeMap;

use crate::graph_data::{DataFile, GraphData};
use crate::schema::Fault;
use crate::text::{SourceId, Span, Spanned};
use crate::yaml::{Document, NodeId, Style, Value};

/// Every rule, in the order of the codes.
pub static RULES: &[&Rule] = &[
    &unreadable_file::RULE,
    &yaml_syntax::RULE,
    &merge_conflict::RULE,
    &duplicate_key::RULE,
    &several_documents::RULE,
    &ignored_file::RULE,
    &loaded_by_accident::RULE,
    &production_rejects::RULE,
    &unusual_line_break::RULE,
    &empty_file::RULE,
    &unknown_key::RULE,
    &missing_key::RULE,
    &wrong_type::RULE,
    &unquoted_text::RULE,
    &invalid_version::RULE,
    &repeated_version::RULE,
    &empty_text::RULE,
    &empty_from::RULE,
    &from_not_text::RULE,
    &from_matches_nothing::RULE,
    &invalid_from::RULE,
    &from_never_applies::RULE,
    &from_inside_version::RULE,
    &from_wild_dot::RULE,
    &from_idle_branch::RULE,
    &from_leaves_out::RULE,
    &neither_block_nor_risk::RULE,
    &duplicate_block::RULE,
    &from_odd_class::RULE,
    &from_inline_flags::RULE,
    &from_dialect::RULE,
    &block_beside_risk::RULE,
    &unserved_target::RULE,
    &from_names_target::RULE,
    &risk_name::RULE,
    &invalid_url::RULE,
    &vague_url::RULE,
    &empty_matching_rules::RULE,
    &unknown_rule_type::RULE,
    &pruned_rule::RULE,
    &rule_after_always::RULE,
    &repeated_rule_type::RULE,
    &empty_promql::RULE,
    &always_with_promql::RULE,
    &draft_clusters::RULE,
    &risk_file_name::RULE,
    &duplicate_risk::RULE,
    &risk_disagrees::RULE,
    &risk_for_one_architecture::RULE,
    &message_version::RULE,
    &risk_not_extended::RULE,
    &fixed_in_misplaced::RULE,
    &fixed_in_unserved::RULE,
    &risk_past_fix::RULE,
    &auto_extend_missing::RULE,
    &from_disagrees::RULE,
    &borrowed_text::RULE,
    &unservable_channel_name::RULE,
    &duplicate_channel::RULE,
    &channel_file_name::RULE,
    &unusual_prerelease::RULE,
    &invalid_feeder::RULE,
    &useless_feeder::RULE,
    &ahead_of_feeder::RULE,
    &mixed_architecture::RULE,
    &missing_from_own_minor::RULE,
    &passed_over::RULE,
    &unsorted_channel::RULE,
    &filter_unlike_siblings::RULE,
    &channel_without_origins::RULE,
    &suggestions_wrong_minor::RULE,
    &suggestions_empty_range::RULE,
    &suggestions_idle_block::RULE,
    &suggestions_stale_floor::RULE,
    &missing_part::RULE,
    &unsupported_schema_version::RULE,
    &newer_schema_version::RULE,
    &schema_version_ahead::RULE,
    &newer_than_declared::RULE,
    &invalid_json::RULE,
    &overwritten_metadata::RULE,
    &invalid_promql::RULE,
    &result_not_a_vector::RULE,
    &regex_as_text::RULE,
    &contradictory_matchers::RULE,
    &image_regex_without_path::RULE,
    &unknown_label::RULE,
    &dropped_label::RULE,
    &several_answers::RULE,
    &unreachable_arm::RULE,
    &never_affected::RULE,
    &never_unaffected::RULE,
    &answer_not_0_or_1::RULE,
    &no_cluster_id::RULE,
    &mixed_cluster_id::RULE,
    &redundant_anchor::RULE,
    &expensive_query::RULE,
    &not_a_graph::RULE,
    &malformed_graph::RULE,
    &draft_qualifiers::RULE,
    &not_a_version::RULE,
    &duplicate_node::RULE,
    &edge_out_of_range::RULE,
    &unknown_node::RULE,
    &rejected_metadata::RULE,
    &graph_cycle::RULE,
    &self_edge::RULE,
    &repeated_edge::RULE,
    &downgrade::RULE,
    &giant_hop::RULE,
    &edge_beside_conditional::RULE,
    &duplicate_conditional::RULE,
    &dropped_target::RULE,
    &unstorable_update::RULE,
    &stranded_release::RULE,
    &removed_version::RULE,
    &dropped_risk::RULE,
    &moved_fix::RULE,
    &promoted_tombstone::RULE,
    &newly_stranded::RULE,
    &unused_allow::RULE,
    &allow_without_reason::RULE,
];

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its code, for short: `EP025`. Never given to another rule.
    pub code: &'static str,
    /// Its name, which names the bad pattern. Once released, a name stays valid.
    pub name: &'static str,
    /// Names that it had before.
    pub aliases: &'static [&'static str],
    /// What it is about.
    pub family: Family,
    /// How bad a finding is, unless the config says otherwise.
    pub severity: Severity,
    /// The bad pattern in one line.
    pub summary: &'static str,
    /// What happens then, and what to do, as Markdown.
    pub explanation: &'static str,
    /// An example that the rule finds.
    pub bad: &'static str,
    /// The same example, mended.
    pub good: &'static str,
    /// How it is found.
    pub check: Check,
}

/// How a rule finds what it is about.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// It gives words to an objection of a schema. Exactly one rule takes each objection.
    Fault(fn(&Subject<'_>, &Fault) -> Option<Finding>),
    /// It looks at one file at a time.
    File(fn(&Subject<'_>, &mut Vec<Finding>)),
    /// It looks at all files together.
    Repository(fn(&GraphData, &mut Vec<Finding>)),
    /// It looks at an update graph in a file of Cincinnati JSON.
    Graph(fn(&GraphSubject<'_>, &mut Vec<Finding>)),
    /// It looks at all files together, and at the updates that releases list.
    Updates(fn(&Updates<'_>, &mut Vec<Finding>)),
    /// Likewise, and what it finds changes with all that is around it: of a change, another rule
    /// tells what it brings in.
    Standing(fn(&Updates<'_>, &mut Vec<Finding>)),
    /// It holds a repository against what it was before a change.
    Change(fn(&Change<'_>, &mut Vec<Finding>)),
    /// Likewise, and at the updates that releases list.
    UpdatesChange(fn(&Change<'_>, &mut Vec<Finding>)),
    /// It judges comments that silence rules; `lint` asks it once all else is found.
    Allow(fn(&Allowance<'_>) -> Option<Finding>),
}

/// A repository before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Before. Places in it cannot be shown: findings stand on what is there after.
    pub before: &'a GraphData,
    /// After.
    pub after: &'a GraphData,
    /// What was known of updates before.
    pub updates_before: &'a Updates<'a>,
    /// What is known of them after.
    pub updates_after: &'a Updates<'a>,
    /// The files that the change renames: paths before and after.
    pub renames: &'a BTreeMap<String, String>,
}

impl<'a> Change<'a> {
    /// The path that a file of before has after the change, if it is still there.
    #[must_use]
    pub fn path_after(&self, file: SourceId) -> &'a str {
        let path = self.before.path(file);
        self.renames.get(path).map_or(path, String::as_str)
    }
}

/// A comment that silences a rule, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    /// The comment.
    pub span: Span,
    /// The name or code between the parentheses.
    pub rule: &'a str,
    /// Whether a reason follows.
    pub has_reason: bool,
    /// Whether it silenced anything.
    pub used: bool,
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Files and their notation.
    File,
    /// Keys and values, in every kind of file.
    Structure,
    /// Blocked edges in general.
    Block,
    /// Conditional risks.
    Risk,
    /// Channels.
    Channel,
    /// Build suggestions.
    BuildSuggestions,
    /// The repository as a whole.
    Repository,
    /// Queries.
    Promql,
    /// Update graphs, as the service answers them.
    Graph,
    /// What a change does.
    Change,
    /// Comments that silence rules.
    Allow,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 11] = [
        Self::File,
        Self::Structure,
        Self::Block,
        Self::Risk,
        Self::Channel,
        Self::BuildSuggestions,
        Self::Repository,
        Self::Promql,
        Self::Graph,
        Self::Change,
        Self::Allow,
    ];

    /// Its name, as `--select` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Structure => "structure",
            Self::Block => "block",
            Self::Risk => "risk",
            Self::Channel => "channel",
            Self::BuildSuggestions => "build-suggestions",
            Self::Repository => "repository",
            Self::Change => "change",
            Self::Graph => "graph",
            Self::Promql => "promql",
            Self::Allow => "allow",
        }
    }
}

impl Rule {
    /// Whether `word` is this rule's code or name, past names included.
    #[must_use]
    pub fn is_called(&self, word: &str) -> bool {
        self.code.eq_ignore_ascii_case(word) || self.name == word || self.aliases.contains(&word)
    }

    /// Whether it looks at the updates that releases list, for which the whole graph is built.
    #[must_use]
    pub fn looks_at_updates(&self) -> bool {
        matches!(self.check, Check::Updates(_) | Check::Standing(_) | Check::UpdatesChange(_))
    }

    /// The rule called `word`.
    #[must_use]
    pub fn find(word: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.is_called(word)).copied()
    }
}

/// A file that a rule looks at, and the repository around it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The repository.
    pub data: &'a GraphData,
    /// The file.
    pub file: &'a DataFile,
}

impl<'a> Subject<'a> {
    /// The file's path, relative to the repository.
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.data.path(self.file.id)
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.data.sources.get(self.file.id).text()
    }

    /// The document, for a file that is known to have one.
    #[must_use]
    pub fn document(&self) -> Option<&'a Document> {
        self.file.document()
    }

    /// The place of a node.
    #[must_use]
    pub fn span(&self, node: NodeId) -> Span {
        self.file.span(node)
    }

    /// The place to underline for a value: its key where the value is absent.
    #[must_use]
    pub fn visible_span(&self, node: NodeId, pointer: &str) -> Span {
        let span = self.span(node);
        if span.start < span.end {
            return span;
        }
        let parent = pointer.rsplit_once('/').and_then(|(parent, key)| {
            let document = self.document()?;
            document.entry(document.at_pointer(parent)?, key)
        });
        parent.map_or(span, |entry| self.span(entry.key))
    }

    /// The finding with a fix that puts `word` where the scalar `node` stands, in its quotes.
    #[must_use]
    pub fn renaming(&self, finding: Finding, node: NodeId, word: &str) -> Finding {
        let span = self.span(node);
        let quote = match self.document().map(|document| &document.node(node).value) {
            Some(Value::Scalar(scalar)) => match scalar.style {
                Style::Plain => "",
                Style::SingleQuoted => "'",
                Style::DoubleQuoted => "\"",
                // A block of text has its own lines around it.
                Style::Literal | Style::Folded => return finding,
            },
            _ => return finding,
        };
        finding.fix(format!("write `{word}`"), span, format!("{quote}{word}{quote}"))
    }

    /// The value as written, shortened to be quoted in a sentence.
    #[must_use]
    pub fn quoted(&self, node: NodeId) -> String {
        let text = self.document().and_then(|document| document.text(node)).unwrap_or_default();
        shortened(text)
    }
}

/// At most some forty characters of `text`, on one line.
#[must_use]
pub fn shortened(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Groups values that say the same; only groups of two or more are returned,
/// each in the order given, the groups in the order of their first member.
fn repeated<'v, K: std::hash::Hash + Eq + Clone, T>(
    values: impl IntoIterator<Item = (K, &'v Spanned<T>)>,
) -> Vec<Vec<&'v Spanned<T>>> {
    let mut groups: Vec<Vec<&Spanned<T>>> = Vec::new();
    let mut by_key: std::collections::HashMap<K, usize> = std::collections::HashMap::new();
    for (key, value) in values {
        let at = *by_key.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(value);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Family, RULES};

    #[test]
    fn codes_and_names_belong_to_one_rule_each() {
        let mut seen = HashSet::new();
        for rule in RULES {
            assert!(seen.insert(rule.code), "{}", rule.code);
            for name in rule.aliases.iter().chain([&rule.name]) {
                assert!(seen.insert(name), "{name}");
                assert!(
                    Family::ALL.iter().all(|family| family.name() != *name),
                    "{name} is a family"
                );
            }
        }
        assert!(
            RULES.is_sorted_by_key(|rule| rule.code),
            "rules stand in the order of their codes"
        );
    }

    #[test]
    fn every_rule_is_documented() {
        for rule in RULES {
            for text in [rule.summary, rule.explanation, rule.bad, rule.good] {
                assert!(!text.trim().is_empty(), "{}", rule.name);
            }
            assert!(!rule.summary.ends_with('.'), "a summary is a line of a table: {}", rule.name);
            assert!(rule.summary.len() <= 90, "too long for a table: {}", rule.name);
        }
    }
}
