//! What a query answers on every cluster that the dictionary of metrics allows.
//!
//! A query sees little of a cluster: which of its selectors select a series, and of those series the
//! values and the labels that its operators ask for (`sight`). So the series of a metric fall into a
//! few kinds (`kinds`), what one cluster has of a metric into a few populations (`population`), and
//! clusters into a few classes (`classes`). The query is evaluated on one cluster of each class
//! (`proof`). Its nodes that depend on one metric are evaluated only once for each population
//! (`by_part`). If all answers are 0 or 1, each cluster gets exactly one. If one is not, its cluster is
//! a witness, as small as possible, and `blame` says which part of the query is to blame.
//!
//! That is a proof only if two clusters of one class get the same answer. Where a query can count,
//! calculates, or joins metrics by their labels, they may not: `sight` and `limits` notice such parts,
//! and the verdict is "not decided" unless there is a witness.

mod affected;
mod blame;
mod by_part;
mod classes;
mod dictionary;
mod difference;
mod kinds;
mod outcome;
mod population;
mod proof;
mod prover;
mod rarity;
mod sight;
mod traps;

pub(crate) use affected::affected_cluster;
pub(crate) use dictionary::{Absence, Dictionary, Discrepancy, Metric, discrepancies};
pub(crate) use difference::{Difference, Example};
pub(crate) use outcome::Outcome;
pub(crate) use proof::{Coverage, Verdict, Witness};
pub(crate) use rarity::Rarity;
pub(crate) use traps::value_traps;
