//! The meaning of a declaration in the notation of the enhancement's first draft.

use std::sync::Arc;

use crate::domain::{Named, RuleKind};
use crate::graph::{MatchingRule, Risk};
use crate::graph_data::{Affected, BlockedEdge, Text};

/// The risk of a declaration. The draft has no names, so the URL serves as the name.
pub(super) fn risk(edge: &BlockedEdge) -> Risk {
    let query = query(&edge.affected);
    let text =
        |text: &Option<Text>| -> Arc<str> { text.as_ref().map_or("", |text| &text.value).into() };
    let url = text(&edge.url);
    let name = match &query {
        Some(query) if url.is_empty() => query.clone(),
        _ => Arc::clone(&url),
    };
    let kind = if query.is_some() { RuleKind::PromQl } else { RuleKind::Always };
    let rule = MatchingRule { kind: kind.name().into(), promql: query };
    Risk { url, name, message: text(&edge.message), matching_rules: vec![rule] }
}

/// The query that is 1 for clusters that match any property, and 0 for others. None if all clusters
/// match.
fn query(affected: &Affected) -> Option<Arc<str>> {
    let Affected::Clusters { promql, platform, .. } = affected else { return None };
    let promql = promql.as_ref().map(|query| query.value.as_str());
    let platform = platform.as_ref().map(|platform| of_platform(&platform.value));
    match (promql, platform) {
        (None, None) => None,
        (Some(query), None) => Some(query.into()),
        (None, Some(platform)) => Some(platform.into()),
        // The query has no answer if one of the two has none.
        (Some(query), Some(platform)) => {
            Some(format!("1 - (1 - max({query})) * (1 - ({platform}))").into())
        }
    }
}

fn of_platform(platform: &str) -> String {
    let platform = platform.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let metric = "cluster_infrastructure_provider";
    format!("group({metric}{{_id=\"\",type=\"{platform}\"}}) or 0 * group({metric}{{_id=\"\"}})")
}
