//! Proves that each cluster gets exactly one sample, 0 or 1.
//!
//! The prover evaluates queries on what is known instead of on samples (`vector`, `number`). If
//! several things are possible, it tries all of them (`choices`): whether there are series of a
//! kind (`universe`), whether two labels have the same text, how two numbers compare. What is
//! decided in a case stays decided in that case (`case`). Each cluster that the dictionary allows
//! is in one of the cases, so what is true in all cases is true on all clusters. The converse is
//! not true: a case may be about no cluster, so if the proof fails, the answer is unknown.

mod aggregate;
mod binary;
mod case;
mod choices;
mod evaluation;
mod explorer;
mod finder;
mod functions;
mod known;
mod names;
mod number;
mod proof;
mod source;
mod steps;
mod stop;
mod texts;
mod universe;
mod vector;

use crate::promql::Query;

use super::dictionary::Dictionary;
use explorer::Explorer;
use finder::Unprovable;
use steps::Steps;
use universe::Universe;

pub(super) use known::{Clusters, HOSTED_ID};
pub(super) use proof::{PartOutcome, Proof};

/// Finds what queries answer in all cases.
pub(super) fn prove(queries: &[&Query], dictionary: &Dictionary, clusters: Clusters) -> Proof {
    let steps = Steps::of(queries);
    let universe = match Universe::of(queries, dictionary, clusters) {
        Ok(universe) => universe,
        Err(Unprovable(what)) => {
            return Proof::unknown(queries, format!("I cannot decide {what}"));
        }
    };
    let quick = Explorer::new(queries, &steps, &universe, false).explore();
    if quick.is_proved() || quick.gap.is_some() {
        return quick;
    }
    let thorough = Explorer::new(queries, &steps, &universe, true).explore();
    if thorough.gap.is_some() { quick } else { thorough }
}
