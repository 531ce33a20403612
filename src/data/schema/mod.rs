//! The published schemas, and their errors in a document. `schemas/` is the only definition of the
//! structure of files.

mod fault;
#[cfg(feature = "lsp")]
mod keys;
mod plain;

pub use fault::faults;
pub(crate) use fault::{Fault, Problem};
#[cfg(feature = "lsp")]
pub(crate) use keys::SchemaKey;

use std::sync::OnceLock;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::yaml::Document;

/// A published schema.
#[derive(Debug)]
pub struct Schema {
    /// The name for `exitpath schema NAME`.
    pub name: &'static str,
    /// The text as it is published.
    pub text: &'static str,
    /// The faults of a document in a form that nearly all files have.
    plain_faults: fn(&Document) -> Option<Vec<Fault>>,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    json: Value,
    validator: Validator,
}

pub(crate) static BLOCKED_EDGES_1_0: Schema = Schema::of_plain(
    "blocked-edges-1.0.0",
    include_str!("../../../schemas/blocked-edges-1.0.0.json"),
    plain::block,
);
/// `blocked-edges/` from 1.1 on.
pub static BLOCKED_EDGES_1_1: Schema = Schema::of_plain(
    "blocked-edges-1.1.0",
    include_str!("../../../schemas/blocked-edges-1.1.0.json"),
    plain::block_or_risk,
);
/// `channels/` and `internal-channels/`.
pub static CHANNEL: Schema =
    Schema::of_plain("channel", include_str!("../../../schemas/channel.json"), plain::channel);
/// `build-suggestions/`.
pub(crate) static BUILD_SUGGESTIONS: Schema = Schema::of_plain(
    "build-suggestions",
    include_str!("../../../schemas/build-suggestions.json"),
    plain::build_suggestions,
);
/// `raw/metadata.json`.
pub(crate) static RAW_METADATA: Schema = Schema::of_plain(
    "raw-metadata",
    include_str!("../../../schemas/raw-metadata.json"),
    plain::raw_metadata,
);
/// An update graph, as the service returns it.
pub static GRAPH: Schema = Schema::new("graph", include_str!("../../../schemas/graph.json"));
/// `exitpath.toml`.
pub static CONFIG: Schema = Schema::new("config", include_str!("../../../schemas/config.json"));
/// The output of `check --format json`.
pub static CHECK_REPORT: Schema =
    Schema::new("check-report", include_str!("../../../schemas/check-report.json"));

/// The output of `simulate --format json`.
pub static SIMULATION: Schema =
    Schema::new("simulation", include_str!("../../../schemas/simulation.json"));

/// What `simulate --certificate` writes.
pub static CERTIFICATE: Schema =
    Schema::new("certificate", include_str!("../../../schemas/certificate.json"));

/// The output of `diff --format json`.
pub static DIFF: Schema = Schema::new("diff", include_str!("../../../schemas/diff.json"));

/// The output of `path --format json`.
pub static PATH: Schema = Schema::new("path", include_str!("../../../schemas/path.json"));

/// The output of `catalog simulate --format json`.
pub static CATALOG_SIMULATION: Schema =
    Schema::new("catalog-simulation", include_str!("../../../schemas/catalog-simulation.json"));

/// The output of `catalog graph --format json`.
pub static CATALOG_GRAPH: Schema =
    Schema::new("catalog-graph", include_str!("../../../schemas/catalog-graph.json"));

/// The output of `catalog path --format json`.
pub static CATALOG_PATH: Schema =
    Schema::new("catalog-path", include_str!("../../../schemas/catalog-path.json"));

/// The output of `catalog fail-forward --format json`.
pub static CATALOG_FAIL_FORWARD: Schema =
    Schema::new("catalog-fail-forward", include_str!("../../../schemas/catalog-fail-forward.json"));

/// The output of `catalog switch --format json`.
pub static CATALOG_SWITCH: Schema =
    Schema::new("catalog-switch", include_str!("../../../schemas/catalog-switch.json"));

/// The output of `catalog diff --format json`.
pub static CATALOG_DIFF: Schema =
    Schema::new("catalog-diff", include_str!("../../../schemas/catalog-diff.json"));

/// The output of `catalog substitute --format json`.
pub static CATALOG_SUBSTITUTION: Schema =
    Schema::new("catalog-substitution", include_str!("../../../schemas/catalog-substitution.json"));

/// The output of `catalog bridge --format json`.
pub static CATALOG_BRIDGE: Schema =
    Schema::new("catalog-bridge", include_str!("../../../schemas/catalog-bridge.json"));

/// The output of `rollout payload --format json`.
pub static ROLLOUT_PAYLOAD: Schema =
    Schema::new("rollout-payload", include_str!("../../../schemas/rollout-payload.json"));

/// The output of `rollout status --format json`.
pub static ROLLOUT_STATUS: Schema =
    Schema::new("rollout-status", include_str!("../../../schemas/rollout-status.json"));

/// The output of `rollout pool --format json`.
pub static ROLLOUT_POOL: Schema =
    Schema::new("rollout-pool", include_str!("../../../schemas/rollout-pool.json"));

/// The output of `rules --format json`.
pub static RULES: Schema = Schema::new("rules", include_str!("../../../schemas/rules.json"));

/// The output of `check --write-baseline`.
pub static BASELINE: Schema =
    Schema::new("baseline", include_str!("../../../schemas/baseline.json"));

/// `risk-tests/`.
pub static RISK_TEST: Schema =
    Schema::new("risk-test", include_str!("../../../schemas/risk-test.json"));

/// The output of `promql eval --format json`.
pub static QUERY_ANSWER: Schema =
    Schema::new("query-answer", include_str!("../../../schemas/query-answer.json"));

/// The output of `promql check --format json`.
pub static QUERY_CHECK: Schema =
    Schema::new("query-check", include_str!("../../../schemas/query-check.json"));

/// The output of `risk show --format json`.
pub static RISK: Schema = Schema::new("risk", include_str!("../../../schemas/risk.json"));

/// The output of `risk list --format json`.
pub static RISK_LIST: Schema =
    Schema::new("risk-list", include_str!("../../../schemas/risk-list.json"));

/// The output of `risk new --format json`, and of the other commands that change risks.
pub static EDITS: Schema = Schema::new("edits", include_str!("../../../schemas/edits.json"));

/// The output of `promote --format json`.
pub static PROMOTIONS: Schema =
    Schema::new("promotions", include_str!("../../../schemas/promotions.json"));

/// The output of `digest --format json`.
pub static DIGEST: Schema = Schema::new("digest", include_str!("../../../schemas/digest.json"));

/// The output of `risk exposure --format json`.
pub static RISK_EXPOSURE: Schema =
    Schema::new("risk-exposure", include_str!("../../../schemas/risk-exposure.json"));

/// The output of `test --format json`.
pub static TEST_REPORT: Schema =
    Schema::new("test-report", include_str!("../../../schemas/test-report.json"));

/// The output of `fleet --format json`.
pub static FLEET: Schema = Schema::new("fleet", include_str!("../../../schemas/fleet.json"));

/// The output of `fleet --promql --format json`.
pub static FLEET_QUERIES: Schema =
    Schema::new("fleet-queries", include_str!("../../../schemas/fleet-queries.json"));

/// The output of `cluster --format json`.
pub static CLUSTER: Schema = Schema::new("cluster", include_str!("../../../schemas/cluster.json"));

/// The output of `cluster --timeline --format json`.
pub static CLUSTER_TIMELINE: Schema =
    Schema::new("cluster-timeline", include_str!("../../../schemas/cluster-timeline.json"));

/// The output of `cluster --as status`.
pub static CLUSTER_STATUS: Schema =
    Schema::new("cluster-status", include_str!("../../../schemas/cluster-status.json"));

/// The output of `channels --format json`.
pub static CHANNEL_LIST: Schema =
    Schema::new("channel-list", include_str!("../../../schemas/channel-list.json"));

/// The output of `from --format json`.
pub static FROM: Schema = Schema::new("from", include_str!("../../../schemas/from.json"));

/// The output of `compare --format json`.
pub static COMPARE: Schema = Schema::new("compare", include_str!("../../../schemas/compare.json"));

/// Every published schema.
pub static ALL: &[&Schema] = &[
    &BLOCKED_EDGES_1_0,
    &BLOCKED_EDGES_1_1,
    &CHANNEL,
    &BUILD_SUGGESTIONS,
    &RAW_METADATA,
    &RISK_TEST,
    &GRAPH,
    &CONFIG,
    &CHECK_REPORT,
    &SIMULATION,
    &CERTIFICATE,
    &DIFF,
    &PATH,
    &CATALOG_SIMULATION,
    &CATALOG_GRAPH,
    &CATALOG_PATH,
    &CATALOG_SWITCH,
    &CATALOG_DIFF,
    &CATALOG_SUBSTITUTION,
    &CATALOG_BRIDGE,
    &CATALOG_FAIL_FORWARD,
    &ROLLOUT_PAYLOAD,
    &ROLLOUT_STATUS,
    &ROLLOUT_POOL,
    &CLUSTER,
    &CLUSTER_STATUS,
    &CLUSTER_TIMELINE,
    &CHANNEL_LIST,
    &FLEET,
    &FLEET_QUERIES,
    &FROM,
    &COMPARE,
    &QUERY_ANSWER,
    &QUERY_CHECK,
    &RISK,
    &RISK_LIST,
    &EDITS,
    &RISK_EXPOSURE,
    &PROMOTIONS,
    &DIGEST,
    &TEST_REPORT,
    &RULES,
    &BASELINE,
];

impl Schema {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self::of_plain(name, text, |_| None)
    }

    const fn of_plain(
        name: &'static str,
        text: &'static str,
        plain_faults: fn(&Document) -> Option<Vec<Fault>>,
    ) -> Self {
        Self { name, text, plain_faults, compiled: OnceLock::new() }
    }

    /// The faults of a document in one of the forms that nearly all files have. No mapping of such
    /// a document has a key twice. None if it has another form. This compiles no schema.
    pub fn plain_faults(&self, document: &Document) -> Option<Vec<Fault>> {
        (self.plain_faults)(document)
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| compile(self.text))
    }

    /// The schema as JSON.
    pub fn json(&self) -> &Value {
        &self.compiled().json
    }

    /// The compiled schema.
    pub fn validator(&self) -> &Validator {
        &self.compiled().validator
    }
}

#[expect(clippy::expect_used, reason = "the schemas are compiled in, and a test compiles each")]
fn compile(text: &str) -> Compiled {
    let json = serde_json::from_str(text).expect("a schema is JSON");
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        // Our patterns need no look-around, and this engine runs in linear time.
        .with_pattern_options(PatternOptions::regex())
        .build(&json)
        .expect("a schema is a schema");
    Compiled { json, validator }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_schema_compiles_and_describes_itself_to_an_editor() {
        for schema in ALL {
            assert!(jsonschema::meta::is_valid(schema.json()), "{}", schema.name);
            let _ = schema.validator();
            for text in ["title", "description", "$id"] {
                assert!(schema.json()[text].is_string(), "{} has no {text}", schema.name);
            }
        }
    }
}
