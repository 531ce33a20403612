//! The query that counts the clusters that a risk affects, by release and channel.

use crate::text::Failure;

use super::asked_risk::{AskedRisk, Rule};
use super::per_cluster::{CURRENT, ClusterIds, query_for_many};

/// A query that counts clusters. Its label `affected` is 1 for clusters that the risk affects, 0
/// for those that it does not affect, and anything else if the cluster cannot tell. The error says
/// why there is no such query.
pub(crate) fn counting_query(risk: &AskedRisk, ids: &ClusterIds<'_>) -> Result<String, Failure> {
    let [rules] = risk.variants.as_slice() else {
        return Err(Failure::new("its declarations have different queries"));
    };
    let answers = rules.iter().map(|rule| match rule {
        Rule::Always => Ok(ids.each_cluster()),
        Rule::PromQl(query) => Ok(only_answers(&query_for_many(query, ids)?, ids)),
    });
    let answers = answers.collect::<Result<Vec<_>, Failure>>()?;
    let label = ids.label;
    let answer = match answers.as_slice() {
        [one] => one.clone(),
        // The next rule counts if a cluster cannot tell by this one.
        several => {
            let decided = several.iter().map(|one| format!("(({one}) == 0 or ({one}) == 1)"));
            decided.collect::<Vec<_>>().join(&format!(" or on ({label}) "))
        }
    };
    let clusters = release_and_channel(ids);
    let each = ids.each_cluster();
    Ok(format!(
        "count_values by (version, channel) (\"affected\", {clusters} * on ({label}) group_left () \
         ({answer} or on ({label}) -1 * {each}))"
    ))
}

/// A query that counts clusters by what their operators say of risks.
pub(crate) fn counting_own_words(ids: &ClusterIds<'_>) -> String {
    let own = ids.selector("cluster_version_risk_conditions", &[r#"condition="Applies""#]);
    let (label, clusters) = (ids.label, release_and_channel(ids));
    format!(
        "count_values by (risk, version, channel) (\"affected\", max by ({label}, risk) ({own}) \
         * on ({label}) group_left (version, channel) ({clusters}))"
    )
}

/// The answers of clusters that have exactly one.
fn only_answers(query: &str, ids: &ClusterIds<'_>) -> String {
    let label = ids.label;
    format!("({query}) and on ({label}) count by ({label}) ({query}) == 1")
}

/// One sample for each cluster, with the value 1 and its release and channel.
fn release_and_channel(ids: &ClusterIds<'_>) -> String {
    let (label, each) = (ids.label, ids.each_cluster());
    let one = |name: &str, series: String| {
        format!("topk by ({label}) (1, group by ({label}, {name}) ({series}))")
    };
    let release = one("version", ids.selector("cluster_version", &[CURRENT]));
    let channel = one("channel", ids.selector("cluster_version_available_updates", &[]));
    // A cluster without a known update may say no channel.
    format!("{release} * on ({label}) group_left (channel) ({channel} or on ({label}) {each})")
}
