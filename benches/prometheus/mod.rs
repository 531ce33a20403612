//! A Prometheus that runs for a while, and how long it takes to answer.

#[path = "../../tests/suite/data/prometheus.rs"]
mod connection;

use std::fs;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use promql::Store;

use connection::Prometheus;

/// A Prometheus in an empty folder, on a free port of this machine only.
pub(crate) struct Server {
    connection: Prometheus,
    _running: Running,
}

/// A process and a folder that are removed when they are no longer used.
struct Running {
    process: Child,
    folder: PathBuf,
}

impl Server {
    /// Starts the one of the variable `PROMETHEUS`, or of the `PATH`. None: there is none.
    pub(crate) fn start() -> Option<Self> {
        let binary = std::env::var("PROMETHEUS").unwrap_or_else(|_| "prometheus".into());
        let folder = std::env::temp_dir().join(format!("exitpath-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let host = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let host = host.unwrap().to_string();
        let Ok(process) = started(&binary, &folder, &host) else {
            let _ = fs::remove_dir_all(folder);
            return None;
        };
        let mut running = Running { process, folder };
        let connection = running.connected(&host);
        Some(Self { connection, _running: running })
    }

    /// The first two numbers of its version.
    pub(crate) fn version(&mut self) -> String {
        let version = self.connection.version();
        version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")
    }

    pub(crate) fn write(&mut self, store: &Store) {
        self.connection.write(store);
    }

    /// How long it takes to answer a query.
    pub(crate) fn time(&mut self, query: &str, at: i64) -> Duration {
        let start = Instant::now();
        let answer = self.connection.ask(query, at);
        let time = start.elapsed();
        assert!(is_success(&answer), "{query}");
        time
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn started(binary: &str, folder: &Path, host: &str) -> io::Result<Child> {
    let config = folder.join("prometheus.yml");
    fs::write(&config, "global: {}\n")?;
    Command::new(binary)
        .arg(format!("--config.file={}", config.display()))
        .arg(format!("--storage.tsdb.path={}", folder.join("data").display()))
        .arg("--storage.tsdb.retention.time=100y")
        .arg(format!("--web.listen-address={host}"))
        .args(["--web.enable-remote-write-receiver", "--log.level=error"])
        .stdout(Stdio::null())
        .spawn()
}

impl Running {
    /// Waits until the server answers.
    fn connected(&mut self, host: &str) -> Prometheus {
        for _ in 0..300 {
            assert!(self.process.try_wait().unwrap().is_none(), "Prometheus ended");
            if let Ok(mut connection) = Prometheus::at(host.to_owned())
                && is_success(&connection.ask("1", 0))
            {
                return connection;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("Prometheus is not ready after 30 seconds");
    }
}

fn is_success(answer: &[u8]) -> bool {
    answer.starts_with(br#"{"status":"success""#)
}
