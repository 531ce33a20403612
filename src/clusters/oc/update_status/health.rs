//! The last section: what is wrong with the update.

use super::time::{Duration, Time};
use crate::go::tabwriter::{Layout, laid_out};

/// How bad an issue is. The worst is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IssueLevel {
    Info,
    Warning,
    Error,
    Critical,
}

impl IssueLevel {
    fn name(self) -> &'static str {
        match self {
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Error => "Error",
            Self::Critical => "Critical",
        }
    }
}

/// What an issue affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Impact {
    None,
    Unknown,
    ApiAvailability,
    UpdateSpeed,
    UpdateStalled,
}

impl Impact {
    fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Unknown => "Unknown",
            Self::ApiAvailability => "API Availability",
            Self::UpdateSpeed => "Update Speed",
            Self::UpdateStalled => "Update Stalled",
        }
    }
}

/// The object that has an issue, with its name.
#[derive(Clone, Debug)]
pub(super) enum Resource {
    ClusterVersion(String),
    ClusterOperator(String),
    Node(String),
    Pool(String),
    Alert(String),
}

impl Resource {
    fn described(&self) -> String {
        let (kind, name) = match self {
            Self::ClusterVersion(name) => ("clusterversions.config.openshift.io", name),
            Self::ClusterOperator(name) => ("clusteroperators.config.openshift.io", name),
            Self::Node(name) => ("nodes", name),
            Self::Pool(name) => ("machineconfigpools.machineconfiguration.openshift.io", name),
            Self::Alert(name) => ("alerts.config.openshift.io", name),
        };
        format!("{kind}: {name}")
    }
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub(super) struct Issue {
    /// The zero time if it is unknown.
    pub(super) since: Time,
    pub(super) level: IssueLevel,
    pub(super) impact: Impact,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) reference: String,
    pub(super) resource: Resource,
}

impl Issue {
    /// `oc` does not show an issue that lacks a text.
    fn is_complete(&self) -> bool {
        ![&self.summary, &self.description, &self.reference].iter().any(|text| text.is_empty())
    }

    fn age(&self, now: Time) -> String {
        if self.since.is_zero() {
            return "-".to_owned();
        }
        now.since(self.since).truncated(Duration::SECOND).short()
    }

    fn row(&self, now: Time) -> String {
        let (level, impact) = (self.level.name(), self.impact.name());
        format!("{}\t{level}\t{impact}\t{}\n", self.age(now), self.summary)
    }

    fn details(&self, now: Time) -> String {
        let Self { level, impact, summary, description, reference, .. } = self;
        // The comma after the line feed is a bug of `oc`.
        let description = description.replace('\n', "\n               , ");
        format!(
            "Message: {summary}\n  Since:       {}\n  Level:       {}\n  Impact:      {}\n  \
             Reference:   {reference}\n  Resources:\n    {}\n  Description: {description}\n",
            self.age(now),
            level.name(),
            impact.name(),
            self.resource.described(),
        )
    }
}

/// The section about issues: the worst first, then the newest.
pub(super) fn section(
    issues: Vec<Issue>,
    updating_for: Duration,
    now: Time,
    is_detailed: bool,
) -> String {
    let mut issues: Vec<Issue> = issues.into_iter().filter(Issue::is_complete).collect();
    issues.sort_by(|a, b| b.level.cmp(&a.level).then(b.since.cmp(&a.since)));
    let title = "= Update Health =\n";
    let head = "SINCE\tLEVEL\tIMPACT\tMESSAGE\n";
    if issues.is_empty() {
        let age = updating_for.truncated(Duration::SECOND).short();
        let row = format!("{age}\tInfo\tNone\tUpdate is proceeding well\n");
        return format!("{title}{}", laid_out(&format!("{head}{row}"), Layout::WIDE));
    }
    if is_detailed {
        let all: Vec<String> = issues.iter().map(|issue| issue.details(now)).collect();
        return format!("{title}{}", all.join("\n"));
    }
    let rows: String = issues.iter().map(|issue| issue.row(now)).collect();
    let hint = "\nRun with --details=health for additional description and links to related online \
                documentation\n";
    let is_info = matches!(issues.as_slice(), [only] if only.level == IssueLevel::Info);
    let hint = if is_info { "" } else { hint };
    format!("{title}{}{hint}", laid_out(&format!("{head}{rows}"), Layout::WIDE))
}
