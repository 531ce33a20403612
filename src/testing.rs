//! Exports internals to tests, benches, and fuzz targets, which compare them with other
//! computations. This interface is not stable: programs should use the command line and its JSON.

/// Stranded releases.
pub mod analysis {
    pub use crate::analysis::{
        AffectingRisks, AimProof, Budget, Cause, ChannelGraph, ChannelQuestion, ChosenRisks, Goal,
        Guarantee, MemberId, RiskNameId, RiskNames, Simulation, Stranded, Targets, stranded,
    };
}

/// Assembles the graph of a repository.
pub mod assembly {
    pub use crate::assembly::assemble;
    pub use crate::graph_data::Consumer;
}

/// Which operators hold clusters back.
pub mod bridge {
    pub use crate::bridge::{
        Arrival, Bridge, Cluster, Ending, Installed, Outcome, Stage, Step, Stop, Verdict,
        minors_between,
    };
}

/// Catalogs of operators.
pub mod catalog {
    pub use crate::catalog::declared::{EntryBlob, LoadCause, Text};
    pub use crate::catalog::openshift_limit::{InvalidLimit, OpenShiftLimit};
    pub use crate::catalog::package::{Bundle, Gvk, Package};
    pub use crate::catalog::resolver::{
        Installed, NoResolution, Pool, Resolution, ResolverNamespace, ResolverSubscription, order,
    };
    pub use crate::catalog::simulation::{ChannelEdit, ChannelMoves, Edits, Install, Resolver};
    pub use crate::catalog::substitution;
    pub use crate::catalog::version::BundleVersion;
    pub use crate::catalog::{
        Loaded, Objection, ObjectionKind, Owner, first_schema, objections, packages, verdict,
    };
    pub use crate::go::semver::{Range, Version};

    /// The bundle that OLM installs for a new subscription. `channel` and `starting` can be empty.
    pub fn first_install<'a>(
        pool: &Pool<'a>,
        package: &'a str,
        channel: &'a str,
        starting: &'a str,
    ) -> Result<Resolution<'a>, NoResolution> {
        let subscription =
            ResolverSubscription { name: "sub", package, channel, starting, installed: "" };
        let (subscriptions, installed) = (vec![subscription], Vec::new());
        pool.resolve(&ResolverNamespace { name: "ns", subscriptions, installed })
    }

    /// The update of a subscription whose bundle is the only one installed in its namespace.
    pub fn next_install<'a>(
        pool: &Pool<'a>,
        package: &'a str,
        channel: &'a str,
        alone: Installed<'a>,
    ) -> Result<Resolution<'a>, NoResolution> {
        let installed = alone.bundle.name.as_str();
        let subscription =
            ResolverSubscription { name: "sub", package, channel, starting: "", installed };
        let (subscriptions, installed) = (vec![subscription], vec![alone]);
        pool.resolve(&ResolverNamespace { name: "ns", subscriptions, installed })
    }

    /// Reads files that are in memory.
    pub fn load_texts(files: &std::collections::BTreeMap<String, String>) -> Loaded {
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        let texts: Vec<&String> = files.values().collect();
        let mut loading = crate::catalog::Loading::default();
        loading.add("", &paths, |at| {
            let mut condenser = crate::text::Condenser::keeping(&crate::catalog::NEEDLES);
            condenser.push(texts[at].as_bytes());
            Ok(condenser.finish())
        });
        loading.finish()
    }
}

/// What a change does.
pub mod change {
    pub use crate::change::{
        Comparison, Effect, ExitChange, ExitEntry, ExitQuestion, Fate, Seen, Side,
    };
}

/// What an update service says about its channels.
pub mod channel_list {
    pub use crate::channel_list::{ChannelList, Description};
}

/// The operator's evaluation of risks on a cluster.
pub mod cluster {
    pub use crate::cluster::object;
    pub use crate::cluster::{
        Acceptance, Applies, ClusterOperator, ConditionalEdges, EvaluatedRisk, Exposure, InCluster,
        Level, Log, LogLine, MatchingRule, Offer, Operator, Outcome, Recommendation, Request,
        Response, RiskText, ServiceAnswer, Settings, Status, Stored, Surroundings,
    };

    /// The behavior of the operator in a minor version, such as `4.16`.
    pub fn level(minor: &str) -> Option<Level> {
        crate::domain::Minor::parse(minor).map(Level::of)
    }

    /// The summary that the command `cluster` prints of an outcome.
    pub fn summary(
        answer: &ServiceAnswer,
        outcome: &Outcome,
        cluster: &object::ClusterVersion,
    ) -> String {
        let written = outcome.stored.written_to(cluster);
        let running = &cluster.status.desired.version;
        let report = crate::report::ClusterReport {
            cluster: &written,
            outcome,
            before: None,
            inside: &InCluster::default(),
            forward: &crate::cluster::MinorOutlook::all(answer, running, &outcome.stored),
            has_series: true,
            not_loaded: &[],
            now: 0,
            arch: crate::domain::Arch::default(),
            minor: crate::domain::Minor { major: 4, minor: 20 },
        };
        let style =
            crate::report::Style { color: false, width: Some(100), quiet: false, terminal: false };
        let mut out = Vec::new();
        report.write(style, &mut out).unwrap_or_default();
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// The types that all rooms share.
pub mod domain {
    pub use crate::domain::{Arch, ChannelName, FailOn, Format, Minor, Named, Severity};
}

/// Pictures of graphs.
pub mod draw {
    pub use crate::draw::{Bundle, Picture, PictureRequest, Run, UpdateFilter, UpdateKind};
}

/// Fixes of files.
pub mod edit {
    pub use crate::edit::{apply, replace, unified_diff};
}

/// Parsers of git's output.
pub mod git {
    pub use crate::git::{FileChange, TreeEntry, file_changes, next_content, tree_entries};
}

/// The update graph.
pub mod graph {
    pub use crate::graph::{Knowledge, Served, State, Update, UpdateGraph};

    /// Graphs as JSON.
    pub mod cincinnati {
        pub use crate::graph::cincinnati::{GraphFile, Readers, write_served, write_whole};
    }
}

/// Repositories.
pub mod graph_data {
    pub use crate::graph_data::{Channel, GraphData, LoadVerdict, blobs};
}

/// The history of repositories.
pub mod history {
    pub use crate::history::{Cache, History, cached_body, read_cached_body};
}

/// The updates that releases list.
pub mod lineage {
    pub use crate::lineage::{Lineage, LineageNodeId, Past, ReleaseSource};
}

/// Running the rules.
pub mod lint {
    pub use crate::lint::{
        CatalogState, Config, Outcome, Request, lint, lint_catalogs, lint_graphs, path_of,
    };
}

/// The language server.
#[cfg(feature = "lsp")]
pub mod lsp {
    pub use crate::lsp::{Received, Server, read};
}

/// Metric series.
pub mod metrics {
    pub use crate::domain::time::{parse_time, write_time};
    pub use crate::metrics::{
        FIXED_TIME, FaultyPart, QueryError, SampleCluster, Series, SeriesFault, SeriesFile,
        SeriesText, Server, ServerRequest, Source, series_of_answer,
    };
}

/// Tables of clusters.
pub mod fleet {
    pub use crate::fleet::{ClusterRow, Defaults, RowFault, read_rows};
}

/// Configurations of oc-mirror.
pub mod mirror {
    pub use crate::mirror::ImageSet;
}

/// Queries for stores with many clusters.
pub mod telemetry {
    pub use crate::telemetry::{ClusterIds, query_for_many};
}

/// What `oc adm upgrade` prints.
pub mod oc {
    pub use crate::oc::{Alerts, ClientLevel, Inside, Output, Situation, Switches, run};
}

/// OLM at work in a namespace.
pub mod olm {
    pub use crate::olm::{
        AboutPlan, Act, Advice, Change, ChannelAudit, Condition, Csv, CsvEvent, Csvs, Event,
        Health, ManualStep, Namespace, NamespaceChange, ObjectFinding, OlmReaction, Phase, Plan,
        PlanEvent, PlanPhase, ReadNamespace, Rescued, ResolverAnswer, Run, Scripted, ScriptedRun,
        Settled, Snapshot, State, Step, Strategy, Subscription, SyncOutcome, Visit, Wait,
        from_catalog, read_namespace,
    };
}

/// The answers of a running server to queries.
pub mod online {
    pub use crate::online::{
        Asked, AskedQuery, AskedSelector, Missing, Presence, QuestionLimits, ask,
    };
}

/// The order in which the operator applies a payload.
pub mod payload {
    pub use crate::payload::{
        Files, Manifest, ManifestId, Mode, Payload, Scope, TaskGraph, TaskNodeId, all_at_once,
    };
}

/// Pools of nodes.
pub mod pools {
    pub use crate::pools::{
        Cluster, Counts, Drain, Event, HOUR, MachineConfigNode, MaxUnavailable, Node,
        NodeCondition, NodeStage, Percentiles, Plan, Pool, PoolCondition, PoolMember, PoolSync,
        Rollout, Row, Run, RunEnd, SplitMix64, Start, Status, Time, Topology, What, candidates,
        max_unavailable, nodes_of, percentiles, status, sync, table,
    };
}

/// Reports.
pub mod report {
    /// The formats of `exitpath test`.
    pub fn formats_of_tests() -> Vec<crate::domain::Format> {
        crate::report::TestReport::formats()
    }

    pub use crate::report::{CheckReport, Listing, NamedCatalog, Printed, Style};
}

/// The progress of an update.
pub mod rollout {
    use crate::domain::Format;
    use crate::payload::Payload;
    use crate::report::{PayloadReport, Printed, StatusReport, Style};
    use crate::rollout::{Objects, UpdateStatus};

    /// The output of `rollout payload` and `rollout status` for some objects and a payload.
    pub fn reports(objects: &str, payload: &Payload) -> Result<Vec<u8>, String> {
        let style = Style { color: false, width: Some(80), quiet: false, terminal: false };
        let mut out = Vec::new();
        let report = PayloadReport::of(payload, Some(payload));
        for format in [Format::Human, Format::Json] {
            report.write(format, style, &mut out).map_err(|error| error.to_string())?;
        }
        out.extend(crate::draw::payload_svg(payload, &report.steps).into_bytes());
        let read = crate::objects::read(objects).map_err(|failure| failure.to_string())?;
        let objects = Objects::of(&read).map_err(|failure| failure.to_string())?;
        for payload in [None, Some(payload)] {
            let status = UpdateStatus::of(&objects, payload, None, &|_| 0);
            let report = StatusReport::of(&objects, status);
            for format in [Format::Human, Format::Json] {
                report.write(format, style, &mut out).map_err(|error| error.to_string())?;
            }
        }
        Ok(out)
    }

    pub use crate::rollout::{Effect, Hold, OperatorState, Pass, Situation, UpdateError, hold};
}

/// The rules.
pub mod rules {
    pub use crate::rules::{
        CatalogSubject, Check, Family, Finding, NextCatalog, REMOVED, RULES, Rule, Subject,
    };
}

/// The published schemas.
pub mod schema {
    pub use crate::schema::{
        ALL, BASELINE, BLOCKED_EDGES_1_1, CATALOG_BRIDGE, CATALOG_DIFF, CATALOG_FAIL_FORWARD,
        CATALOG_GRAPH, CATALOG_PATH, CATALOG_SIMULATION, CATALOG_SUBSTITUTION, CATALOG_SWITCH,
        CERTIFICATE, CHANNEL, CHANNEL_LIST, CHECK_REPORT, CLUSTER, CLUSTER_STATUS,
        CLUSTER_TIMELINE, COMPARE, CONFIG, DIFF, DIGEST, EDITS, FLEET, FLEET_QUERIES, FROM, GRAPH,
        PATH, PROMOTIONS, QUERY_ANSWER, QUERY_CHECK, RISK, RISK_EXPOSURE, RISK_LIST, RISK_TEST,
        ROLLOUT_PAYLOAD, ROLLOUT_POOL, ROLLOUT_STATUS, RULES, SIMULATION, Schema, TEST_REPORT,
        faults,
    };
}

/// Text with positions.
pub mod text {
    pub use crate::text::{Source, SourceId, Sources, is_printable};
}

/// The files of a work tree or a revision.
pub mod tree {
    pub use crate::tree::{Blob, TreeError};
}

/// YAML with positions.
pub mod yaml {
    pub use crate::yaml::{Style, ValueKind, parse, parse_with_library, read_plain, segments};
}
