//! Channels.

mod ahead_of_feeder;
mod channel_file_name;
mod channel_without_origins;
mod channel_without_own_minor;
mod contradictory_description;
mod distant_version;
mod duplicate_channel;
mod empty_description;
mod feeder_without_filter;
mod filter_unlike_siblings;
mod invalid_feeder;
mod missing_from_own_minor;
mod mixed_architecture;
mod newer_minor_in_channel;
mod passed_over;
mod shared;
mod unservable_channel_name;
mod unsorted_channel;
mod unusual_prerelease;
mod useless_feeder;
mod wrong_filter;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
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
    &feeder_without_filter::RULE,
    &empty_description::RULE,
    &contradictory_description::RULE,
    &distant_version::RULE,
    &newer_minor_in_channel::RULE,
    &channel_without_own_minor::RULE,
    &wrong_filter::RULE,
];
