//! Decides which settings a check uses. A change must not be able to disable the check that checks
//! it, so the settings of its base count.

use std::path::{Path, PathBuf};

use crate::domain::Named;
use crate::lint::{Baseline, Config};
use crate::text::words::counted;
use crate::text::{Failure, printable};
use crate::tree;

use super::{Note, absolute, working_directory};

/// Which state of a change has the settings that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ConfigFrom {
    #[default]
    Base,
    Change,
}

impl Named for ConfigFrom {
    const ALL: &'static [Self] = &[Self::Base, Self::Change];

    fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Change => "change",
        }
    }
}

/// What the command line says about settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettingsRequest<'a> {
    pub root: &'a Path,
    /// None for the file that the config names.
    pub baseline: Option<&'a Path>,
    /// Whether the baseline will be written. If so, it is not read.
    pub writes_baseline: bool,
    pub base: Option<&'a str>,
    /// The revision that is checked. None for the work tree.
    pub revision: Option<&'a str>,
    pub config_from: ConfigFrom,
}

/// The settings of a check.
#[derive(Debug)]
pub(crate) struct Settings {
    pub config: Config,
    pub baseline: Baseline,
    /// The file of the baseline, which may not exist yet.
    pub baseline_file: PathBuf,
    /// How the change alters the settings, in words.
    pub edits: Vec<String>,
}

const CONFIG: &str = "exitpath.toml";

impl Settings {
    pub(crate) fn read(request: &SettingsRequest<'_>) -> Result<Self, Failure> {
        match request.base {
            None => request.without_base(),
            Some(base) => Change::of(request, base)?.settings(),
        }
    }

    /// A note on how the change alters the settings, for the first line of the output.
    pub(crate) fn note(&self, config_from: ConfigFrom) -> Option<Note> {
        if self.edits.is_empty() {
            return None;
        }
        let decides = match config_from {
            ConfigFrom::Base => {
                "the settings of the base apply (`--config-from change` applies the new ones)"
            }
            ConfigFrom::Change => "the new settings apply",
        };
        let text = format!("this change {}; {decides}", self.edits.join(", and "));
        Some(Note { text, is_important: true })
    }
}

impl SettingsRequest<'_> {
    fn without_base(&self) -> Result<Settings, Failure> {
        let config = Config::read(self.root)?;
        let (baseline_file, is_named) = self.baseline_file(&config);
        let is_read = is_named && !self.writes_baseline;
        let baseline = if is_read { read_baseline(&baseline_file)? } else { Baseline::default() };
        Ok(Settings { config, baseline, baseline_file, edits: Vec::new() })
    }

    /// The file of the baseline, and whether the command line or the config names it.
    fn baseline_file(&self, config: &Config) -> (PathBuf, bool) {
        let configured = || config.baseline.as_ref().map(|file| self.root.join(file));
        match self.baseline.map(Path::to_owned).or_else(configured) {
            Some(file) => (file, true),
            None => (self.root.join("exitpath-baseline.json"), false),
        }
    }
}

fn read_baseline(file: &Path) -> Result<Baseline, Failure> {
    let hint = "`--write-baseline` writes a new one";
    Baseline::read(file).map_err(|failure| failure.hint(hint))
}

/// The settings before and after a change.
struct Change<'a> {
    request: &'a SettingsRequest<'a>,
    /// The commits of the two states.
    before: String,
    after: String,
}

impl<'a> Change<'a> {
    fn of(request: &'a SettingsRequest<'a>, base: &str) -> Result<Self, Failure> {
        let before = tree::base(request.root, base, request.revision)?.commit;
        let after = tree::commit(request.root, request.revision.unwrap_or("HEAD"))?;
        Ok(Self { request, before, after })
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let mut edits = Vec::new();
        let config = self.config(&mut edits)?;
        let (baseline_file, is_named) = self.request.baseline_file(&config);
        let baseline =
            if is_named { self.baseline(&baseline_file, &mut edits)? } else { Baseline::default() };
        Ok(Settings { config, baseline, baseline_file, edits })
    }

    fn config(&self, edits: &mut Vec<String>) -> Result<Config, Failure> {
        let SettingsRequest { root, revision, config_from, .. } = *self.request;
        let after = match revision {
            Some(_) => self
                .text(&self.after, CONFIG)
                .map_or(Ok(Config::default()), |text| Config::parse(&text)),
            None => Config::read(root),
        }?;
        let text = self.text(&self.before, CONFIG);
        let before = text.as_deref().map_or(Ok(Config::default()), Config::parse);
        let Ok(before) = before else {
            edits.push(format!("has a base whose {CONFIG} cannot be read"));
            return Ok(after);
        };
        if let Some(words) = before.difference(&after) {
            let verb = match (text.is_some(), after.is_empty()) {
                (false, _) => "adds",
                (_, true) => "removes",
                _ => "edits",
            };
            let words =
                if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
            edits.push(format!("{verb} {CONFIG}{words}"));
        }
        Ok(if config_from == ConfigFrom::Base { before } else { after })
    }

    /// The baseline of the base, or of a file that is not in git.
    fn baseline(&self, file: &Path, edits: &mut Vec<String>) -> Result<Baseline, Failure> {
        let Some(path) = self.in_repository(file)? else { return read_baseline(file) };
        let text = self.text(&self.before, &path);
        let committed = self.text(&self.after, &path);
        if text.is_none() && committed.is_none() {
            return read_baseline(file);
        }
        let parsed = |text: Option<&str>| {
            text.map_or(Ok(Baseline::default()), |text| Baseline::parse(file, text))
        };
        let before = parsed(text.as_deref())?;
        let after = match self.request.revision {
            Some(_) => parsed(committed.as_deref())?,
            None => parsed(tree::read_text(file).ok().flatten().as_deref())?,
        };
        let newly = before.newly_hidden(&after);
        if newly > 0 {
            let (findings, path) = (counted(newly, "finding"), printable(&path));
            edits.push(format!("hides {findings} more in {path}"));
        }
        Ok(if self.request.config_from == ConfigFrom::Base { before } else { after })
    }

    /// The path of a file relative to the repository. None if it is outside.
    fn in_repository(&self, file: &Path) -> Result<Option<String>, Failure> {
        let file = absolute(&working_directory()?, file);
        let path = file.strip_prefix(self.request.root).ok();
        Ok(path.map(|path| path.to_string_lossy().replace('\\', "/")))
    }

    fn text(&self, commit: &str, path: &str) -> Option<String> {
        tree::text_at(self.request.root, commit, path)
    }
}
