//! The proof that each cluster gets exactly one sample, 0 or 1.
//!
//! The queries are evaluated with what is known instead of samples (`vector`, `number`). Where more
//! than one thing is possible, all of them are tried (`choices`): whether there are series of a kind
//! (`universe`), whether two labels have the same text, how two numbers compare. What is decided in one
//! case stays decided there (`case`). Each cluster that the dictionary allows is in one of the cases, so
//! what holds in all cases holds on all clusters. The other way around, a case may stand for no cluster:
//! where the proof fails, the answer is not known.

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
use steps::Steps;
use universe::Universe;

pub(super) use known::{Clusters, HOSTED_ID};
pub(super) use proof::{Found, Proof};

/// What queries answer in all cases.
pub(super) fn prove(queries: &[&Query], dictionary: &Dictionary, clusters: Clusters) -> Proof {
    let steps = Steps::of(queries);
    let universe = match Universe::of(queries, dictionary, clusters) {
        Ok(universe) => universe,
        Err(what) => return Proof::unknown(queries, format!("I cannot decide {what}")),
    };
    let quick = Explorer::new(queries, &steps, &universe, false).explore();
    if quick.is_proved() || quick.gap.is_some() {
        return quick;
    }
    let thorough = Explorer::new(queries, &steps, &universe, true).explore();
    if thorough.gap.is_some() { quick } else { thorough }
}
