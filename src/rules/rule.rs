//! What a rule is.

use std::collections::BTreeMap;

use crate::change::{GraphChange, Stated};
use crate::graph_data::GraphData;
use crate::schema::Fault;
use crate::text::{SourceId, Span};

use super::{Finding, GraphSubject, RULES, Severity, Subject, Updates};

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
    /// It looks at what `blocked-edges/` declares and at which releases there are, and at nothing
    /// else: of the same declarations and releases, it finds the same.
    Declarations(fn(&GraphData, &mut Vec<Finding>)),
    /// It looks at all files together.
    Repository(fn(&GraphData, &mut Vec<Finding>)),
    /// It looks at an update graph in a file of Cincinnati JSON.
    Graph(fn(&GraphSubject<'_>, &mut Vec<Finding>)),
    /// It looks at what `blocked-edges/` declares and at the updates that releases list, and at
    /// nothing else.
    Updates(fn(&Updates<'_>, &mut Vec<Finding>)),
    /// Likewise, and at an update graph in a file. What it finds changes with all that is around it:
    /// of a change, another rule tells what it brings in.
    Exits(fn(&Updates<'_>, &mut Vec<Finding>), fn(&GraphSubject<'_>, &mut Vec<Finding>)),
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
    /// What it does to updates and exit paths, where that was asked for.
    pub graphs: Option<&'a GraphChange<'a>>,
    /// What its author says that it does.
    pub expectations: &'a [Stated],
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

    /// Whether the change adds a file or changes what it says.
    #[must_use]
    pub fn is_changed(&self, file: SourceId) -> bool {
        let path = self.after.path(file);
        let renamed = self.renames.iter().find(|(_, after)| *after == path);
        let before = renamed.map_or(path, |(before, _)| before);
        !self.after.file(file).is_shared_with(self.before.at_path(before))
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
        let Self { check, .. } = self;
        matches!(check, Check::Updates(_) | Check::Exits(..) | Check::UpdatesChange(_))
    }

    /// The rule called `word`.
    #[must_use]
    pub fn find(word: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.is_called(word)).copied()
    }
}
