//! What a rule is.

use crate::catalog::Objection;
use crate::change::{GraphChange, Stated};
use crate::domain::Named;
use crate::graph_data::{GraphData, Renames};
use crate::online::Asked;
use crate::schema::Fault;
use crate::text::{SourceId, Span};

use super::{
    CatalogChange, CatalogSubject, Finding, GraphSubject, Outlook, RULES, Severity, Subject,
    Updates,
};

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its code, such as `EP025`. No other rule ever gets it.
    pub code: &'static str,
    /// The name of the bad pattern. A released name stays valid.
    pub name: &'static str,
    /// Properties that only a few rules have.
    pub properties: Properties,
    /// Its topic.
    pub family: Family,
    /// The severity of its findings, unless the config sets another.
    pub severity: Severity,
    /// The bad pattern in one line, for tables.
    pub summary: &'static str,
    /// What the bad pattern causes and what to do, as Markdown.
    pub explanation: &'static str,
    /// An example that the rule reports.
    pub bad: &'static str,
    /// The same example, fixed.
    pub good: &'static str,
    /// The code that finds the bad pattern.
    pub check: Check,
}

/// Properties that set a few rules apart from most.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they do not depend on each other")]
pub struct Properties {
    /// Its former names.
    pub aliases: &'static [&'static str],
    /// Whether a comment in the file can allow its findings. A file that cannot be read, or that is
    /// not YAML, has no such comments.
    pub is_allowed_by_comments: bool,
    /// Whether it runs by default. Otherwise, it runs only if the config or `--select` names it.
    pub is_on_by_default: bool,
    /// Whether it looks at risks that were removed long ago. Finding these takes time.
    pub looks_at_former_risks: bool,
    /// Whether it is about exit paths. All rules with the check `Exits` are.
    pub is_about_exits: bool,
    /// What its findings depend on, if it looks at all files.
    pub extent: Extent,
    /// The names of rules whose findings in the same file explain its own, which are then omitted.
    pub explained_by: &'static [&'static str],
}

/// What the findings of a rule about all files depend on. After an edit of other files, an editor
/// keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// On any file.
    Everything,
    /// On the channels only.
    Channels,
    /// For each channel on its own file, and on which minors have releases. Each finding is in
    /// that file.
    OneChannel,
    /// On the texts of the declarations, on the minors of the clusters that their queries are for,
    /// and on the risk tests.
    Texts,
    /// For each risk, on the texts of its own declarations. Each finding is in a file of its risk.
    TextsOfOneRisk,
    /// On the declarations, the releases and the updates that these list, the tombstones, and the
    /// risk tests.
    Declarations,
    /// Like `Declarations`, but the findings about a risk depend only on its own declarations, and
    /// on whether some releases exist: the possible origins, the releases of the minors of its
    /// targets and fixes, those that are the only match of a pattern or of an alternative in it,
    /// those that decide which pattern exitpath suggests, and those that its files name. All blocks
    /// without a name count as one risk. Each finding is in a file of its risk; if one is
    /// elsewhere, the rule runs again, unless its check says what it finds elsewhere.
    OneRisk,
    /// Like `OneRisk`, but findings also depend on which channels have the possible origins of the
    /// risk and the releases of the minors of its targets.
    OneRiskInChannels,
}

impl Properties {
    /// The properties of most rules.
    pub const USUAL: Self = Self {
        aliases: &[],
        is_allowed_by_comments: true,
        is_on_by_default: true,
        looks_at_former_risks: false,
        is_about_exits: false,
        extent: Extent::Everything,
        explained_by: &[],
    };

    /// The properties of most rules about channels.
    pub const OF_CHANNELS: Self = Self { extent: Extent::Channels, ..Self::USUAL };

    /// The properties of most rules about one channel.
    pub const OF_ONE_CHANNEL: Self = Self { extent: Extent::OneChannel, ..Self::USUAL };

    /// The properties of most rules about the texts of declarations.
    pub const OF_TEXTS: Self = Self { extent: Extent::Texts, ..Self::USUAL };

    /// The properties of most rules about the texts of one risk's declarations.
    pub const OF_TEXTS_OF_ONE_RISK: Self = Self { extent: Extent::TextsOfOneRisk, ..Self::USUAL };

    /// The properties of most rules about declarations whose check gets more than these.
    pub const OF_DECLARATIONS: Self = Self { extent: Extent::Declarations, ..Self::USUAL };

    /// The properties of most rules about the declarations of one risk.
    pub const OF_ONE_RISK: Self = Self { extent: Extent::OneRisk, ..Self::USUAL };

    /// The properties of most rules about one risk and the channels.
    pub const OF_ONE_RISK_IN_CHANNELS: Self =
        Self { extent: Extent::OneRiskInChannels, ..Self::USUAL };
}

/// The input of a rule, and the function that checks it.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// One fault that a schema finds. Exactly one rule reports each fault.
    Fault(fn(&Subject<'_>, &Fault) -> Option<Finding>),
    /// One file.
    File(fn(&Subject<'_>, &mut Vec<Finding>)),
    /// The declarations in `blocked-edges/`, the releases that exist, and the tombstones. The check
    /// must not look at anything else, because `lint` does not repeat it if a change leaves these
    /// as they are.
    Declarations(fn(&GraphData, &mut Vec<Finding>)),
    /// All files together.
    Repository(fn(&GraphData, &mut Vec<Finding>)),
    /// All files together: what is wrong with a risk in its own files, and what is wrong elsewhere.
    Risks(fn(&GraphData, &mut Vec<Finding>), fn(&GraphData, &mut Vec<Finding>)),
    /// All files together, when releases were promoted, and the updates that releases list. The
    /// check also runs if only the files are known.
    Promotions(fn(&Updates<'_>, &mut Vec<Finding>)),
    /// An update graph in a file of Cincinnati JSON.
    Graph(fn(&GraphSubject<'_>, &mut Vec<Finding>)),
    /// The declarations in `blocked-edges/`, and the updates that releases list.
    Updates(fn(&Updates<'_>, &mut Vec<Finding>)),
    /// Exit paths in a repository, and in an update graph in a file. With a base, these checks do
    /// not run: another rule reports what a change does to exit paths.
    Exits(fn(&Updates<'_>, &mut Vec<Finding>), fn(&GraphSubject<'_>, &mut Vec<Finding>)),
    /// All files together, and the answers of a running server to their queries.
    Server(fn(&GraphData, &Asked, &mut Vec<Finding>)),
    /// A repository before and after a change.
    Change(fn(&Change<'_>, &mut Vec<Finding>)),
    /// A repository and its updates before and after a change.
    UpdatesChange(fn(&Change<'_>, &mut Vec<Finding>)),
    /// One objection of opm to a catalog. Exactly one rule reports each objection.
    Objection(fn(&CatalogSubject<'_>, &Objection) -> Option<Finding>),
    /// A catalog.
    Catalog(fn(&CatalogSubject<'_>, &mut Vec<Finding>)),
    /// A catalog before and after a change.
    CatalogChange(fn(&CatalogChange<'_>, &mut Vec<Finding>)),
    /// A comment that allows a rule. `lint` runs these checks last.
    Allow(fn(&Allowance<'_>) -> Option<Finding>),
}

/// A repository before and after a change.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The repository before. It only gives context: the place of a finding must be in the
    /// repository after the change.
    pub before: &'a GraphData,
    /// The repository after.
    pub after: &'a GraphData,
    /// The effect on updates and exit paths, if it was computed.
    pub graphs: Option<&'a GraphChange<'a>>,
    /// The expectations of its author.
    pub expectations: &'a [Stated],
    /// The files that the change renames.
    pub(crate) renames: &'a Renames,
    /// The update graph after the change, and related data, if they are known.
    pub outlook: Option<&'a Outlook>,
    /// Files of removed risks: for each risk that the change adds, a file of the former risk with
    /// the same name.
    pub former_risks: &'a GraphData,
}

impl<'a> Change<'a> {
    /// The path that a file of the repository before the change has after the change.
    pub fn path_after(&self, file: SourceId) -> &'a str {
        self.renames.path_after(self.before.path(file))
    }

    /// Whether the change adds a file or changes what it says.
    pub fn is_changed(&self, file: SourceId) -> bool {
        let before = self.renames.path_before(self.after.path(file));
        !self.after.file(file).is_shared_with(self.before.at_path(before))
    }
}

/// A comment that allows a rule, and whether it had an effect.
#[derive(Clone, Copy, Debug)]
pub struct Allowance<'a> {
    /// The place of the comment.
    pub span: Span,
    /// The name or code between the parentheses.
    pub rule: &'a str,
    /// Whether a reason follows.
    pub has_reason: bool,
    /// Whether it hid anything.
    pub used: bool,
}

/// The topic of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Files and their syntax.
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
    /// Update graphs, as the service returns them.
    Graph,
    /// What a change does.
    Change,
    /// Catalogs of operators.
    Catalog,
    /// Comments that allow rules.
    Allow,
}

impl Named for Family {
    const ALL: &'static [Self] = &[
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
        Self::Catalog,
        Self::Allow,
    ];

    fn name(self) -> &'static str {
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
            Self::Catalog => "catalog",
            Self::Allow => "allow",
        }
    }
}

impl Rule {
    /// Whether a comment in the file can allow its findings. Graphs are JSON, and have none.
    pub fn is_allowed_by_comments(&self) -> bool {
        self.properties.is_allowed_by_comments && !matches!(self.check, Check::Graph(_))
    }

    /// What its findings depend on.
    pub(crate) fn extent(&self) -> Extent {
        match (self.properties.extent, self.check) {
            (Extent::Everything, Check::Declarations(_)) => Extent::Declarations,
            (extent, _) => extent,
        }
    }

    /// Whether it is about exit paths.
    pub fn is_about_exits(&self) -> bool {
        self.properties.is_about_exits || matches!(self.check, Check::Exits(..))
    }

    /// Whether `word` is the rule's code or one of its present and former names.
    pub fn is_called(&self, word: &str) -> bool {
        self.code.eq_ignore_ascii_case(word)
            || self.name == word
            || self.properties.aliases.contains(&word)
    }

    /// Whether it finds more if the updates that releases list are known. To get these, the whole
    /// graph is built.
    pub fn looks_at_updates(&self) -> bool {
        self.needs_updates() || matches!(self.check, Check::Promotions(_))
    }

    /// Whether it finds nothing without the updates that releases list.
    pub fn needs_updates(&self) -> bool {
        let Self { check, .. } = self;
        matches!(check, Check::Updates(_) | Check::Exits(..) | Check::UpdatesChange(_))
    }

    /// Whether it finds nothing if no server is asked about the queries.
    pub fn needs_server(&self) -> bool {
        matches!(self.check, Check::Server(_))
    }

    /// Finds the rule with this code or name.
    pub fn find(word: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.is_called(word)).copied()
    }
}
