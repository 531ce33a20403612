//! The metrics for Prometheus: those of the real policy engine and graph builder, and a few of our
//! own.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Counts what the service does.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: [AtomicU64; GRAPH_PATHS.len()],
    raw_requests: AtomicU64,
    answers: Histogram<11>,
    loads: AtomicU64,
    failed_loads: AtomicU64,
    first_load: AtomicU64,
    later_loads: Histogram<9>,
    /// In seconds since 1970.
    loaded_at: AtomicI64,
    releases: AtomicU64,
    is_outdated: AtomicU64,
    connections: AtomicI64,
    refused_connections: AtomicU64,
}

/// An open connection, which is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct OpenConnection<'m>(&'m AtomicI64);

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The paths of graphs for clusters.
pub(super) const GRAPH_PATHS: [&str; 2] =
    ["/api/upgrades_info/graph", "/api/upgrades_info/v1/graph"];

/// The upper bounds of the buckets, in seconds. They are those of the real services.
const ANSWER_BUCKETS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 5.0];
const LOAD_BUCKETS: [f64; 9] = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 30.0];

#[derive(Debug)]
struct Histogram<const N: usize> {
    /// The counts of the buckets. The last bucket has no bound.
    buckets: [AtomicU64; N],
    beyond: AtomicU64,
    microseconds: AtomicU64,
}

impl<const N: usize> Default for Histogram<N> {
    fn default() -> Self {
        let buckets = [const { AtomicU64::new(0) }; N];
        Self { buckets, beyond: AtomicU64::new(0), microseconds: AtomicU64::new(0) }
    }
}

impl<const N: usize> Histogram<N> {
    fn observe(&self, limits: &[f64; N], duration: Duration) {
        let seconds = duration.as_secs_f64();
        let fitting = limits.iter().zip(&self.buckets).find(|(limit, _)| seconds <= **limit);
        fitting.map_or(&self.beyond, |(_, bucket)| bucket).fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    fn write(&self, name: &str, help: &str, limits: &[f64; N], out: &mut String) {
        head(name, help, "histogram", out);
        let mut count = 0;
        for (limit, bucket) in limits.iter().zip(&self.buckets) {
            count += bucket.load(Ordering::Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{limit}\"}} {count}");
        }
        count += self.beyond.load(Ordering::Relaxed);
        let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "{name}_sum {}", seconds(self.microseconds.load(Ordering::Relaxed)));
        let _ = writeln!(out, "{name}_count {count}");
    }
}

impl Metrics {
    pub(super) fn count_request(&self, path: &str) {
        let place = GRAPH_PATHS.iter().position(|known| *known == path);
        if let Some(counter) = place.and_then(|place| self.requests.get(place)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn count_raw_request(&self) {
        self.raw_requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn observe_answer(&self, duration: Duration) {
        self.answers.observe(&ANSWER_BUCKETS, duration);
    }

    /// Counts a load whose result is now served.
    pub(super) fn count_load(&self, releases: usize, duration: Duration, now: i64) {
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        if self.loads.fetch_add(1, Ordering::Relaxed) == 0 {
            self.first_load.store(microseconds, Ordering::Relaxed);
        } else {
            self.later_loads.observe(&LOAD_BUCKETS, duration);
        }
        self.loaded_at.store(now, Ordering::Relaxed);
        self.releases.store(releases as u64, Ordering::Relaxed);
        self.is_outdated.store(0, Ordering::Relaxed);
    }

    /// Counts a load whose result is not served.
    pub(super) fn count_failed_load(&self) {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.failed_loads.fetch_add(1, Ordering::Relaxed);
        self.is_outdated.store(1, Ordering::Relaxed);
    }

    /// Counts a connection until the guard is dropped.
    pub(crate) fn connection(&self) -> OpenConnection<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        OpenConnection(&self.connections)
    }

    pub(crate) fn count_refused_connection(&self) {
        self.refused_connections.fetch_add(1, Ordering::Relaxed);
    }

    /// All metrics in the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write_policy_engine(&mut out);
        self.write_graph_builder(&mut out);
        self.write_own(&mut out);
        out
    }

    fn write_policy_engine(&self, out: &mut String) {
        let name = "cincinnati_pe_graph_incoming_requests_total";
        head(name, "Total number of incoming HTTP client request", "counter", out);
        for (path, counter) in GRAPH_PATHS.iter().zip(&self.requests) {
            let count = counter.load(Ordering::Relaxed);
            let _ = writeln!(out, "{name}{{uri_path=\"{path}\"}} {count}");
        }
        let name = "cincinnati_pe_graph_serve_duration_seconds";
        self.answers.write(name, "HTTP graph serving latency in seconds", &ANSWER_BUCKETS, out);
        let name = "cincinnati_pe_http_upstream_requests_total";
        counter(name, "Total number of HTTP upstream requests", 0, out);
        let name = "cincinnati_pe_http_upstream_errors_total";
        counter(name, "Total number of HTTP upstream unreachable errors", 0, out);
        build_info("cincinnati_pe_build_info", out);
    }

    fn write_graph_builder(&self, out: &mut String) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let name = "cincinnati_gb_graph_final_releases";
        let help = "Number of releases in the final graph, after processing";
        gauge(name, help, &of(&self.releases).to_string(), out);
        let name = "cincinnati_gb_graph_last_successful_refresh_timestamp";
        let help = "UTC timestamp of last successful graph refresh";
        gauge(name, help, &self.loaded_at.load(Ordering::Relaxed).to_string(), out);
        let name = "cincinnati_gb_graph_upstream_errors_total";
        counter(name, "Total number of upstream scraping errors", of(&self.failed_loads), out);
        let name = "cincinnati_gb_graph_upstream_scrapes_total";
        counter(name, "Total number of upstream scrapes", of(&self.loads), out);
        let name = "cincinnati_gb_graph_initial_upstream_scrape_duration";
        let help = "Duration of initial upstream scrape";
        gauge(name, help, &seconds(of(&self.first_load)).to_string(), out);
        let name = "cincinnati_gb_graph_upstream_scrapes_duration";
        self.later_loads.write(name, "Upstream scrape duration in seconds", &LOAD_BUCKETS, out);
        let name = "cincinnati_gb_v1_graph_incoming_requests_total";
        let help = "Total number of incoming HTTP client request to /v1/graph";
        counter(name, help, of(&self.raw_requests), out);
        build_info("cincinnati_gb_build_info", out);
    }

    fn write_own(&self, out: &mut String) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let help = "1 if the newest state of the data is broken, so that an older one is served";
        gauge("exitpath_serves_older_graph", help, &of(&self.is_outdated).to_string(), out);
        let open = self.connections.load(Ordering::Relaxed).to_string();
        gauge("exitpath_connections", "Open connections", &open, out);
        let name = "exitpath_refused_connections_total";
        let help = "Connections that were refused because too many were open";
        counter(name, help, of(&self.refused_connections), out);
    }
}

#[allow(clippy::cast_precision_loss, reason = "nobody counts years in microseconds")]
fn seconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1e6
}

fn head(name: &str, help: &str, kind: &str, out: &mut String) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn counter(name: &str, help: &str, value: u64, out: &mut String) {
    head(name, help, "counter", out);
    let _ = writeln!(out, "{name} {value}");
}

fn gauge(name: &str, help: &str, value: &str, out: &mut String) {
    head(name, help, "gauge", out);
    let _ = writeln!(out, "{name} {value}");
}

/// Writes the build information. The real services have their commit here.
fn build_info(name: &str, out: &mut String) {
    head(name, "Build information", "counter", out);
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(out, "{name}{{git_commit=\"exitpath-{version}\"}} 1");
}
