//! Update graphs, as the service serves them, and exit paths.

mod downgrade;
mod draft_qualifiers;
mod dropped_target;
mod duplicate_conditional;
mod duplicate_node;
mod edge_beside_conditional;
mod edge_out_of_range;
mod giant_hop;
mod graph_cycle;
mod malformed_graph;
mod not_a_graph;
mod not_a_version;
mod rejected_metadata;
mod repeated_edge;
mod self_edge;
mod shared;
mod stranded_release;
mod unknown_node;
mod unstorable_update;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
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
];
