//! What a query answers on every cluster that the dictionary of metrics allows.
//!
//! `prover` evaluates a query on what is known about clusters instead of on samples, in all cases
//! that the dictionary allows. If each case gets exactly one sample, 0 or 1, that is a proof.
//! `trial` tests the proof: it evaluates the query on sample clusters and on random ones.
//!
//! Without a proof, `search` looks for witnesses. A query sees little of a cluster: which of its
//! selectors select a series, and the values and labels of those series that its operators need
//! (`sight`). So the series of a metric fall into a few kinds (`kinds`), the possible series of one
//! metric in a cluster into a few populations (`population`), and clusters into a few classes
//! (`classes`). `search` evaluates the query on one cluster of each class. Parts of the query that
//! depend on one metric are evaluated only once for each population (`by_part`). A cluster with a
//! wrong answer is a witness. It is made as small as possible, and `blame` finds the part of the
//! query that is to blame. Without a witness, the verdict is "not decided".

mod blame;
mod by_part;
mod classes;
mod dictionary;
mod difference;
mod eras;
mod kinds;
mod outcome;
mod population;
mod prover;
mod random_clusters;
mod rarity;
mod search;
mod sight;
mod small_cluster;
mod traps;
mod trial;
mod verdict;
mod witness;

pub(crate) use dictionary::{Absence, Dictionary, Discrepancy, Metric, discrepancies};
pub(crate) use difference::{Difference, Example};
pub(crate) use outcome::Outcome;
pub(crate) use rarity::Rarity;
pub(crate) use small_cluster::{Examples, SmallCluster};
pub(crate) use traps::value_traps;
pub(crate) use verdict::{Coverage, ProofVerdict};
pub(crate) use witness::Witness;
