//! What a command prints and sends, in order, and how it ends.

use serde_json::Value as Json;

use crate::cluster::object::ClusterVersion;

use super::Situation;

/// What a command of `oc` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its exit status.
    pub exit: u8,
    /// The standard output.
    pub stdout: String,
    /// The warnings and errors.
    pub stderr: String,
    /// What is missing in the objects that the command looks at. `oc` does not print this.
    pub remarks: Vec<String>,
    /// The merge patches for `ClusterVersion` that it sends, in order.
    pub patches: Vec<Json>,
    /// Whether it reads anything from the cluster.
    pub reads_cluster: bool,
}

/// Why a command gives up.
#[derive(Debug)]
pub(super) struct OcError(String);

impl OcError {
    pub(super) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// A fault in the arguments of a command.
    pub(super) fn usage(path: &str, words: &str) -> Self {
        Self(format!("{words}\nSee '{path} -h' for help and examples"))
    }
}

/// The output and the patches of a command while it runs.
#[derive(Debug, Default)]
pub(super) struct Console {
    stdout: String,
    stderr: String,
    remarks: Vec<String>,
    patches: Vec<Json>,
    reads_cluster: bool,
}

impl Console {
    /// Prints text. It adds no line feed.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        self.stdout.push_str(text.as_ref());
    }

    /// Prints text as a warning.
    pub(super) fn warn(&mut self, text: impl AsRef<str>) {
        self.stderr.push_str(text.as_ref());
    }

    /// Notes what is missing in the objects, in a sentence without a period.
    pub(super) fn remark(&mut self, text: impl Into<String>) {
        self.remarks.push(text.into());
    }

    /// Sends a patch for `ClusterVersion`.
    pub(super) fn send(&mut self, patch: Json) {
        self.patches.push(patch);
    }

    /// Reads the cluster's `ClusterVersion`. `missing` is the error if there is none.
    pub(super) fn read<'a>(
        &mut self,
        situation: &Situation<'a>,
        missing: &str,
    ) -> Result<&'a ClusterVersion, OcError> {
        self.reads_cluster = true;
        situation.cluster_version.ok_or_else(|| OcError::new(missing))
    }

    pub(super) fn end(mut self, ended: Result<(), OcError>) -> Output {
        let exit = u8::from(ended.is_err());
        if let Err(OcError(words)) = ended {
            let prefix = if words.starts_with("error: ") { "" } else { "error: " };
            let end = if words.ends_with('\n') { "" } else { "\n" };
            self.warn(format!("{prefix}{words}{end}"));
        }
        let Self { stdout, stderr, remarks, patches, reads_cluster } = self;
        Output { exit, stdout, stderr, remarks, patches, reads_cluster }
    }
}
