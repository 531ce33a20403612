//! Queries.

mod answer_not_0_or_1;
mod answer_on_server;
mod contradictory_matchers;
mod costly_on_server;
mod csv_name_without_version;
mod dropped_label;
mod expensive_query;
mod image_regex_without_path;
mod invalid_promql;
mod label_not_on_server;
mod metric_not_on_server;
mod mixed_cluster_id;
mod never_affected;
mod never_matches;
mod never_unaffected;
mod no_answer;
mod no_cluster_id;
mod redundant_anchor;
mod regex_as_text;
mod result_not_a_vector;
mod several_answers;
mod shared;
mod unknown_label;
mod unknown_metric;
mod unknown_value;
mod unreachable_arm;
mod value_not_on_server;
mod wrong_value;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
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
    &csv_name_without_version::RULE,
    &unknown_metric::RULE,
    &unknown_value::RULE,
    &no_answer::RULE,
    &wrong_value::RULE,
    &never_matches::RULE,
    &metric_not_on_server::RULE,
    &label_not_on_server::RULE,
    &value_not_on_server::RULE,
    &costly_on_server::RULE,
    &answer_on_server::RULE,
];
