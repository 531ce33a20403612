//! What maintainers do with risks and channels. Each operation reads the repository and plans the
//! new texts of its files; everything else in them stays byte for byte. Nothing is written here.

mod declare;
mod default_origins;
mod delay;
mod drop;
mod extend;
mod fix;
mod fixed_in;
mod missing;
mod new_values;
mod phases;
mod plan;
mod promote;
mod promotion;
mod rename;
mod risk_files;
mod risk_index;
mod spread;
mod state;
mod targets;
mod text;

pub(crate) use declare::{Declaration, RiskTemplate, declare};
pub(crate) use drop::drop_risk;
pub(crate) use extend::{Extension, extend};
pub(crate) use fix::{Fixing, fix};
pub(crate) use missing::{Continuations, MissingExtension};
pub(crate) use new_values::NewValues;
pub(crate) use phases::{end_minor, make_generally_available, open_minor};
pub(crate) use plan::{Plan, PlannedFile};
pub(crate) use promote::promote;
pub(crate) use promotion::{Promotion, PromotionOutlook, PromotionQuestion, WhyPromoted};
pub(crate) use rename::rename;
pub(crate) use risk_index::{RiskIndex, fixed_in_version};
pub(crate) use spread::{Spread, spread};
pub(crate) use state::{RiskInMinor, RiskState, risk_states};
pub(crate) use text::RiskRules;

use crate::graph_data::GraphData;
use crate::risks::TestFile;

/// If a minor has this many more generally available releases, nobody will extend a risk to them.
pub(crate) const LONG_PAST: usize = 4;

/// The files with tests of a risk.
fn tests_of<'d>(data: &'d GraphData, name: &str) -> impl Iterator<Item = TestFile<'d>> {
    let is_of_risk =
        move |test: &TestFile<'_>| test.tests.as_ref().is_ok_and(|tests| tests.risk.value == *name);
    TestFile::all(data).filter(is_of_risk)
}
